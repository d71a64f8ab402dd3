// One ceiling over all instances, counted in Redis or Valkey. This instance counts its own admissions as well:
// - it is what decides while Redis is away, and it then already knows the last minute;
// - what it refuses, Redis would refuse too (the shared count is never lower, unless Redis lost it), so a flood stops here;
// - no instance admits more than the ceiling in any window, also across an outage and after a Redis that forgot.
import type { LocalLimiter } from './local-limiter.ts'
import { openRedisLink, type RedisLink, within } from './redis-link.ts'
import { judge, type MaybePromise, type Spend, type Standing, type Verdict } from './verdict.ts'

export type SharedLimiter = {
  takeAll(spends: readonly Spend[]): MaybePromise<Verdict>
  /** Fulfilled when the first attempt to connect has ended, well or not. */
  ready(): Promise<void>
  close(): Promise<void>
}

export type SharedOptions = {
  readonly url: string
  readonly keyPrefix: string
  readonly windowMs: number
  /** How long a request waits for Redis before this instance decides alone. */
  readonly deadlineMs: number
  /** Pause between two attempts to come back. */
  readonly retryMs: number
  /** Called once per outage. */
  readonly warn: (message: string) => void
  readonly inform?: ((message: string) => void) | undefined
}

export function sharedLimiter(local: LocalLimiter, options: SharedOptions): SharedLimiter {
  const redis = holdLink(options)

  async function decideTogether(spends: readonly Spend[]): Promise<Verdict> {
    const standings = await redis.slide(spends)
    if (!standings) return local.takeAll(spends)
    const verdict = judge(spends, standings, options.windowMs)
    if (verdict.admitted) local.record(spends)
    return verdict
  }

  return {
    takeAll(spends) {
      if (redis.isAway() || spends.length === 0) return local.takeAll(spends)
      const here = local.peek(spends)
      return here.admitted ? decideTogether(spends) : here
    },
    ready: redis.ready,
    close: redis.close,
  }
}

type HeldLink = {
  isAway(): boolean
  ready(): Promise<void>
  /** Undefined when Redis cannot say in time. */
  slide(spends: readonly Spend[]): Promise<Standing[] | undefined>
  close(): Promise<void>
}

/** Keeps a link while there is one to be had. `away` holds from the moment of a failure until a new link has proved itself. */
function holdLink(options: SharedOptions): HeldLink {
  let link: RedisLink | undefined
  let away = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let attempt = connect()

  async function connect(): Promise<void> {
    try {
      link = await openRedisLink({ ...options, connectMs: 500, onLost: (error) => link && lose(link, error) })
      if (away) options.inform?.('Shared rate limits are back: all instances count together again.')
      away = false
    } catch (error) {
      lose(undefined, error)
    }
  }

  function lose(failed: RedisLink | undefined, error: unknown): void {
    // Many requests can find the same link broken; the first of them ends it.
    if (closed || failed !== link) return
    link = undefined
    failed?.destroy()
    if (!away) options.warn(outageMessage(error))
    away = true
    retry = setTimeout(() => {
      attempt = connect()
    }, options.retryMs).unref()
  }

  async function slide(spends: readonly Spend[]): Promise<Standing[] | undefined> {
    // Only the first connection is waited for; after that the link is there or Redis is away.
    if (!link && !away) await within(options.deadlineMs, attempt).catch(() => {})
    const used = link
    if (!used) return undefined
    try {
      return await within(options.deadlineMs, used.slide(spends))
    } catch (error) {
      lose(used, error)
      return undefined
    }
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(retry)
    await attempt
    await link?.close(options.deadlineMs)
    link = undefined
  }

  return { isAway: () => away, ready: () => attempt, slide, close }
}

function outageMessage(error: unknown): string {
  return `Shared rate limits are away (${reasonOf(error)}): each instance counts alone until Redis answers again. Check that Redis:Url is right and that the server is up.`
}

/** A connection tried on several addresses fails with an empty message and a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return error.message || code
}

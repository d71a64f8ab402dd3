// One ceiling over all instances, counted in Redis or Valkey. This instance counts its own admissions as well:
// - It decides while Redis is unavailable, and then already knows the last minute.
// - Redis would refuse whatever it refuses (the shared count is never lower, unless Redis lost it), so a flood stops here.
// - No instance admits more than the ceiling in any window, even across an outage or after Redis lost its counts.
import type { LocalLimiter } from './local-limiter.ts'
import { openRedisLink, type RedisLink, within } from './redis-link.ts'
import { type BucketLimit, type MaybePromise, type Standing, type Verdict, verdictOn } from './verdict.ts'

type SharedLimiter = {
  takeAll(limits: readonly BucketLimit[]): MaybePromise<Verdict>
  /** Resolves when the first attempt to connect has succeeded or failed. */
  ready(): Promise<void>
  close(): Promise<void>
}

type SharedOptions = {
  readonly url: string
  readonly keyPrefix: string
  readonly windowMs: number
  /** How long a request waits for Redis before this instance decides alone. */
  readonly deadlineMs: number
  /** The pause between two attempts to reconnect. */
  readonly retryMs: number
  /** Called once per outage. */
  readonly warn: (message: string) => void
  readonly inform?: ((message: string) => void) | undefined
}

export function sharedLimiter(local: LocalLimiter, options: SharedOptions): SharedLimiter {
  const redis = holdLink(options)

  async function decideTogether(limits: readonly BucketLimit[]): Promise<Verdict> {
    const standings = await redis.slide(limits)
    if (!standings) return local.takeAll(limits)
    const verdict = verdictOn(limits, standings, options.windowMs)
    if (verdict.admitted) local.record(limits)
    return verdict
  }

  return {
    takeAll(limits) {
      if (redis.isAway() || limits.length === 0) return local.takeAll(limits)
      const here = local.peek(limits)
      return here.admitted ? decideTogether(limits) : here
    },
    ready: redis.ready,
    close: redis.close,
  }
}

type HeldLink = {
  isAway(): boolean
  ready(): Promise<void>
  /** Resolves to undefined if Redis does not answer in time. */
  slide(limits: readonly BucketLimit[]): Promise<Standing[] | undefined>
  close(): Promise<void>
}

/** Keeps a link open whenever it can. `away` is true from a failure until a new link has proved itself. */
function holdLink(options: SharedOptions): HeldLink {
  let link: RedisLink | undefined
  let away = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let attempt = connect()

  async function connect(): Promise<void> {
    try {
      link = await openRedisLink({ ...options, connectMs: 500, onLost: (error) => link && lose(link, error) })
      if (away) options.inform?.('Shared rate limits are back. All instances count together again.')
      away = false
    } catch (error) {
      lose(undefined, error)
    }
  }

  function lose(failed: RedisLink | undefined, error: unknown): void {
    // Many requests can find the same link broken. The first one ends it.
    if (closed || failed !== link) return
    link = undefined
    failed?.destroy()
    if (!away) options.warn(outageMessage(error))
    away = true
    retry = setTimeout(() => {
      attempt = connect()
    }, options.retryMs).unref()
  }

  async function slide(limits: readonly BucketLimit[]): Promise<Standing[] | undefined> {
    // We wait only for the first connection. After that, either the link is up or Redis is unavailable.
    if (!link && !away) await within(options.deadlineMs, attempt).catch(() => {})
    const used = link
    if (!used) return undefined
    try {
      return await within(options.deadlineMs, used.slide(limits))
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
  return `Shared rate limits are unavailable (${reasonOf(error)}). Each instance counts alone until Redis answers again. Check that Redis:Url is right and that the server is running.`
}

/** A connection that failed on several addresses has an empty message and a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return error.message || code
}

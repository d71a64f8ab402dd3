// One connection to Redis or Valkey that has proved that it can run the script. It never reconnects by itself: if it
// fails in any way (refused, closed, silent, read-only, out of memory), we discard it and open a new one, because that
// recovers from all of these.
import { createHash } from 'node:crypto'
import { slidingWindowScript } from './sliding-window-script.ts'
import type { BucketLimit, Standing } from './verdict.ts'

export type RedisLink = {
  /** Runs the script for these buckets in one round trip. Rejects if Redis does. */
  slide(limits: readonly BucketLimit[]): Promise<Standing[]>
  /** Lets running commands finish within `ms`. */
  close(ms: number): Promise<void>
  destroy(): void
}

type LinkOptions = {
  readonly url: string
  readonly keyPrefix: string
  readonly windowMs: number
  readonly connectMs: number
  readonly onLost: (error: unknown) => void
}

const scriptDigest = createHash('sha1').update(slidingWindowScript).digest('hex')

// No limit can be higher, so the probe is always admitted, and always writes.
const probe: BucketLimit = { name: 'probe', bucket: 'probe', limit: Number.MAX_SAFE_INTEGER }

export async function openRedisLink(options: LinkOptions): Promise<RedisLink> {
  // Loaded when it is needed: it takes a third of a second, and most installations have no Redis.
  const { makeClient } = await import('./redis-client.ts')
  const client = makeClient(options)
  let proven = false
  // Without a listener an error event would end the process.
  client.on('error', (error: unknown) => {
    if (proven) options.onLost(error)
  })

  async function slide(limits: readonly BucketLimit[]): Promise<Standing[]> {
    const keys = limits.map((bucketLimit) => options.keyPrefix + bucketLimit.bucket)
    const given = { keys, arguments: [options.windowMs, ...limits.map((bucketLimit) => bucketLimit.limit)].map(String) }
    const answer = await client.evalSha(scriptDigest, given).catch((error: unknown) => {
      if (!isUnknownScript(error)) throw error
      return client.eval(slidingWindowScript, given)
    })
    return readStandings(answer, limits.length)
  }

  try {
    const connected = client.connect().then(() => slide([probe]))
    await within(2 * options.connectMs, connected)
    proven = true
  } catch (error) {
    client.destroy()
    throw error
  }
  return {
    slide,
    async close(ms) {
      proven = false
      await within(ms, client.close()).catch(() => {})
      client.destroy()
    },
    destroy() {
      proven = false
      client.destroy()
    },
  }
}

const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

function readStandings(answer: unknown, count: number): Standing[] {
  const numbers = Array.isArray(answer) ? answer.map(Number) : []
  const standings: Standing[] = []
  for (let at = 0; at < count * 3; at += 3) {
    const [used, wait, reset] = numbers.slice(at, at + 3)
    if (used === undefined || wait === undefined || reset === undefined)
      throw new Error('Redis gave an answer that the script never gives.')
    standings.push({ used, waitMs: wait / 1000, resetMs: reset / 1000 })
  }
  return standings
}

/**
 * Resolves like the promise, or rejects after `ms`. If the event loop was held up, the timer may be due while the
 * answer is still unread in the socket. One more turn of the loop reads it first, so that we do not blame Redis for our
 * own delay.
 */
export function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

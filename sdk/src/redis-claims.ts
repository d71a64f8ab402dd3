import type { Claims } from './claims.ts'

/** A client of `redis` (node-redis), of `ioredis`, or a function that sends one command. */
export type RedisClient =
  | { sendCommand(command: string[]): Promise<unknown> }
  | { call(command: string, ...words: string[]): Promise<unknown> }
  | ((command: string[]) => Promise<unknown>)

export type RedisClaimsOptions = {
  /** Before each key. The default is `tether:claim:`. */
  readonly prefix?: string
  /** How long an answer is remembered. The default is 90. An open claim is kept for ever. */
  readonly keepDays?: number
}

const CLAIM = `local status, open = unpack(redis.call('HMGET', KEYS[1], 'status', 'until'))
if status then return {'answered', status, redis.call('HGET', KEYS[1], 'body')} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if open and (ARGV[3] == '0' or tonumber(open) > now) then return {'in_flight'} end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'until', now + ARGV[2])
return {open and 'taken_over' or 'claimed'}`
const OPEN = `local status, holder = unpack(redis.call('HMGET', KEYS[1], 'status', 'holder'))
if status or not holder or (ARGV[1] ~= '' and ARGV[1] ~= holder) then return 0 end
`
const ANSWER = `${OPEN}redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`
const RELEASE = `${OPEN}return redis.call('DEL', KEYS[1])`
const ABANDON = `${OPEN}redis.call('HSET', KEYS[1], 'until', 0)
return 1`

/** In Redis or Valkey, by your own client. A claim is as durable as they are: what they forget may be performed again. */
export function redisClaims(client: RedisClient, options: RedisClaimsOptions = {}): Claims {
  const { prefix = 'tether:claim:', keepDays = 90 } = options
  const send = senderOf(client)
  const run = (script: string, key: string, ...args: (string | number)[]): Promise<unknown> =>
    send(['EVAL', script, '1', `${prefix}${key}`, ...args.map(String)])
  const keptMs = Math.round(keepDays * 24 * 60 * 60 * 1000)
  return {
    async claim(key, { holder, leaseMs, takeOver }) {
      const [state, status, body] = (await run(CLAIM, key, holder, Math.round(leaseMs), takeOver ? 1 : 0)) as unknown[]
      if (state === 'answered') return { answered: { status: Number(status), body: String(body) } }
      return state === 'claimed' || state === 'taken_over' ? state : 'in_flight'
    },
    async answer(key, holder, { status, body }) {
      return Number(await run(ANSWER, key, holder ?? '', status, body, keptMs)) === 1
    },
    async release(key, holder) {
      await run(RELEASE, key, holder)
    },
    async abandon(key, holder) {
      await run(ABANDON, key, holder)
    },
  }
}

function senderOf(client: RedisClient): (command: string[]) => Promise<unknown> {
  if (typeof client === 'function') return client
  // ioredis has a `sendCommand` of another shape beside its `call`.
  if ('call' in client) return ([name = '', ...words]) => client.call(name, ...words)
  return (command) => client.sendCommand(command)
}

// What a stranger may have asked of all databases at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSettings } from '../../../testkit/house.ts'
import { DatabaseUnavailable } from '../../foundation/db/index.ts'
import type { RequestHead } from '../../foundation/http/index.ts'
import { Refusal } from '../../foundation/http/index.ts'
import { newKey } from '../../foundation/ids/index.ts'
import { openWhereabouts, type Place } from './whereabouts.ts'

const headFrom = (socketAddress: string): RequestHead => ({
  requestId: 'req_1',
  method: 'GET',
  path: '/',
  headers: {},
  valuesOf: () => [],
  socketAddress,
  signal: AbortSignal.any([]),
  reserveAnswer: () => true,
})
const [HERE, ELSEWHERE] = [headFrom('198.51.100.7'), headFrom('203.0.113.9')]

/** Two databases, of which the second holds tenant 41 and every key, while it lives. */
function twoPlaces() {
  const state = { asked: 0, lives: true, now: 0, away: '', said: [] as string[] }
  const place = (name: string): Place => ({
    name,
    isOpen: () => true,
    sayAway: (error) => void state.said.push(`${name}: ${(error as Error).message}`),
    db: {
      rows: async () => [],
      // The cast is true: this is what either statement returns.
      one: (async () => {
        state.asked++
        if (name === state.away) throw new DatabaseUnavailable('it sleeps')
        return name === 'second' && state.lives ? { tenantId: 41 } : undefined
      }) as Place['db']['one'],
    },
  })
  const settings = testSettings({ 'RateLimit:AnonymousPerMinute': '2' })
  const whereabouts = openWhereabouts([place('first'), place('second')], { settings, now: () => state.now })
  return { state, whereabouts }
}

const nameOf = async (found: Promise<Place | null>) => {
  try {
    return (await found)?.name ?? null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test('the key of a workspace that is gone is no stranger’s way to ask all databases for ever', async () => {
  const { state, whereabouts } = twoPlaces()
  const key = newKey('tth')
  assert.equal(await nameOf(whereabouts.ofKey(key, HERE)), 'second')
  state.lives = false
  state.now = 6_000
  state.asked = 0
  const said: (string | null)[] = []
  for (let at = 0; at < 60; at++) said.push(await nameOf(whereabouts.ofKey(key, HERE)))
  assert.deepEqual([said.filter((one) => one === null).length, said.at(-1)], [20, 'rate_limited'])
  assert.equal(state.asked, 40)
  assert.equal(await nameOf(whereabouts.ofKey(key, ELSEWHERE)), null)
})

test('a number that anybody may write is looked for as seldom, and one of a tenant is never held up', async () => {
  const { state, whereabouts } = twoPlaces()
  assert.equal(await nameOf(whereabouts.ofNumber(41, HERE)), 'second')
  state.lives = false
  for (let id = 100; id < 160; id++) await nameOf(whereabouts.ofNumber(id, HERE))
  assert.equal(state.asked, 2 + 2 * 20)
  assert.equal(await nameOf(whereabouts.ofNumber(42, HERE)), 'rate_limited')
  assert.equal(await nameOf(whereabouts.ofNumber(41, HERE)), 'second')
  assert.equal(await nameOf(whereabouts.ofNumber(42, ELSEWHERE)), null)
  assert.equal(await nameOf(whereabouts.ofTenant(43)), null, 'what we have sealed is not counted')
})

test('a request that cannot be placed says in the log which database is away, each time', async () => {
  const { state, whereabouts } = twoPlaces()
  state.away = 'second'
  for (let times = 0; times < 2; times++)
    assert.equal(await nameOf(whereabouts.ofKey(newKey('tth'), HERE)), 'database_unavailable')
  assert.deepEqual(state.said, ['second: it sleeps', 'second: it sleeps'])
})

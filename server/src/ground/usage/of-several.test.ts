// The ceilings of a deployment hold over all of its databases.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { systemClock } from '../../foundation/clock/index.ts'
import { type Database, DatabaseUnavailable, unlisted } from '../../foundation/db/index.ts'
import { reserve } from './index.ts'

let one: FreshDatabase
let two: FreshDatabase
before(async () => {
  one = await freshDatabase()
  two = await freshDatabase()
  for (const [at, { database }] of [one, two].entries())
    await database.script(`insert into tenants (tenant_id, name) values (${at + 1}, 'Shop')`)
})
after(async () => {
  await one.close()
  await two.close()
})

const noon = Date.UTC(2026, 10, 21, 12)
const clock = { now: () => noon, wait: async () => {} }
const NONE = { daily: null, monthly: null }

test('what one database has reserved is not left in another; one that is away is not waited for', async () => {
  const first = { db: one.database, clock, others: { first: null, rest: [two.database] } }
  const second = { db: two.database, clock, others: { first: one.database, rest: [] } }
  const asking = (tenantId: number, daily: number | null) => ({
    tenantId,
    amountUsd: '0.4',
    own: NONE,
    everybody: { daily, monthly: null },
  })
  const inTurn: boolean[] = []
  for (const at of [0, 1, 0, 1, 0]) {
    const reserved = at === 0 ? await reserve(first, asking(1, 1)) : await reserve(second, asking(2, 1))
    inTurn.push(reserved.ok)
    if (!reserved.ok) assert.equal(reserved.code, 'GLOBAL_DAILY_BUDGET_EXCEEDED')
  }
  assert.deepEqual(inTurn, [true, true, true, false, false], '0.4, 0.8, and the one that passes 1')
  assert.equal((await reserve(first, asking(1, null))).ok, true, 'without a ceiling nobody is asked')

  const gone = async (): Promise<never> => {
    throw new DatabaseUnavailable('nobody answers')
  }
  const lost: Database = { ...two.database, one: gone, rows: gone }
  const alone = { ...first, others: { first: null, rest: [lost] } }
  assert.equal((await reserve(alone, asking(1, 2))).ok, true, 'nobody has heard of it in this process')
  const silent: Database = { ...lost, rows: () => new Promise<never>(() => undefined) }
  const beside = { ...first, others: { first: null, rest: [silent] } }
  assert.equal((await reserve(beside, asking(1, 2))).ok, true)
})

const HUNDREDTH = '0.01'
const most = (daily: number) => ({ own: NONE, everybody: { daily, monthly: null } })
const spentHere = unlisted<{ usd: number }>(
  'test.spent_here',
  'select coalesce(sum(spent_usd + held_usd), 0)::float8 as usd from deployment_spend',
)
const spendNothing = 'delete from deployment_spend; delete from spend_holds'

test('however many come at once in all of them, one reservation goes beyond', async () => {
  const databases = [one.database, two.database]
  for (const database of databases) await database.script(spendNothing)
  const first = { db: one.database, clock: systemClock, others: { first: null, rest: [two.database] } }
  const second = { db: two.database, clock: systemClock, others: { first: one.database, rest: [] } }
  const ask = (n: number) =>
    reserve(n % 2 === 0 ? first : second, { tenantId: (n % 2) + 1, amountUsd: HUNDREDTH, ...most(0.2) })
  const burst = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)))
  let granted = burst.filter(({ ok }) => ok).length
  assert.ok(granted <= 20, `${granted} of 20`)
  for (let n = 0; n < 24; n++) granted += (await ask(n)).ok ? 1 : 0
  assert.equal(granted, 20, 'and what gave way is left to those who come later')
  const sums = await Promise.all(databases.map((db) => db.one(spentHere)))
  const held = sums.reduce((sum, row) => sum + (row?.usd ?? 0), 0)
  assert.equal(Math.round(held * 100), 20, 'what gave way is released')
})

test('what one has spent before it was away counts, and nobody waits for it twice', async () => {
  await one.database.script(spendNothing)
  await two.database.script(spendNothing)
  let isAway: 'no' | 'gone' | 'silent' = 'no'
  let silences = 0
  const other: Database = {
    ...two.database,
    rows: (async (...asked: Parameters<Database['rows']>) => {
      if (isAway === 'gone') throw new DatabaseUnavailable('nobody answers')
      if (isAway === 'silent') {
        silences++
        return await new Promise<never>(() => undefined)
      }
      return await two.database.rows(...asked)
    }) as Database['rows'],
  }
  const first = { db: one.database, clock, others: { first: null, rest: [other] } }
  const second = { db: two.database, clock, others: { first: one.database, rest: [] } }
  const asking = (tenantId: number) => ({ tenantId, amountUsd: '0.4', ...most(1) })
  assert.equal((await reserve(second, asking(2))).ok, true)
  assert.equal((await reserve(first, asking(1))).ok, true)
  assert.equal((await reserve(second, asking(2))).ok, true, '1.2 by now')
  assert.equal((await reserve(first, asking(1))).ok, false)
  for (const away of ['gone', 'silent'] as const) {
    isAway = away
    assert.equal((await reserve(first, asking(1))).ok, false, away)
  }
  for (let n = 0; n < 5; n++) assert.equal((await reserve(first, asking(1))).ok, false)
  assert.equal(silences, 1, 'whoever asks while its answer is waited for takes what is known')
})

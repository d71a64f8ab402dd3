// The ceilings of a deployment hold over all of its databases.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { type Database, DatabaseUnavailable } from '../../foundation/db/index.ts'
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
  assert.equal((await reserve(alone, asking(1, 1))).ok, true, 'what it has spent is not known meanwhile')
  const silent: Database = { ...lost, rows: () => new Promise<never>(() => undefined) }
  const beside = { ...first, others: { first: null, rest: [silent] } }
  assert.equal((await reserve(beside, asking(1, 2))).ok, true)
})

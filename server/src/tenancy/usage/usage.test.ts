import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { testSettings } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { until } from '../../../testkit/until.ts'
import { type Database, DatabaseUnavailable, statement } from '../../kernel/db/index.ts'
import { newUuid } from '../../kernel/ids/index.ts'
import { openLog } from '../../kernel/log/index.ts'
import { openMetrics } from '../../kernel/metrics/index.ts'
import {
  type Ledger,
  type LedgerRow,
  lapseReservations,
  leastOf,
  openLedger,
  reserve,
  sandboxSpend,
  spendByDay,
  spendOf,
  spendTurns,
} from './index.ts'
import { listSpend } from './queries.ts'

const sumOf = statement<{ count: number; cost: number }, { tenantId: number }>(
  'test.usage_sum',
  'select count(*)::int as count, coalesce(sum(cost_usd), 0)::float8 as cost from usage_rows where tenant_id = $tenantId::int',
)
const heldOf = statement<{ held: number }, { tenantId: number }>(
  'test.held',
  'select coalesce(sum(held_usd), 0)::float8 as held from spend where tenant_id = $tenantId::int',
)

const silent = openLog({ level: 'silent', format: 'json', stream: { write: () => {} } })

let fresh: FreshDatabase
let folder: string
before(async () => {
  fresh = await freshDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-'))
})
after(async () => {
  await fresh.close()
  await rm(folder, { recursive: true })
})

const noon = Date.UTC(2026, 10, 21, 12)
let lastTenant = 0
async function tenant(): Promise<number> {
  const tenantId = ++lastTenant
  await fresh.database.script(`insert into tenants (tenant_id, name) values (${tenantId}, 'Shop')`)
  return tenantId
}

/** Locks the row of a tenant as its deletion does. Returns a function that rolls the deletion back. */
async function lockTenant(tenantId: number): Promise<() => Promise<void>> {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const deleting = fresh.database.transaction(async (tx) => {
    await tx.script(`select from tenants where tenant_id = ${tenantId} for update`)
    locked()
    await mayEnd
  })
  await isLocked
  return async () => {
    end()
    await deleting
  }
}

/** A ledger whose database can be taken away. */
function ledgerOn(spillDirectory: string, queueCapacity = '5000') {
  const state = { away: false, refuse: false }
  const db: Database = {
    ...fresh.database,
    async rows(statement, ...values) {
      if (state.away) throw new DatabaseUnavailable('away')
      if (state.refuse) throw new Error('a row that no database takes')
      return await fresh.database.rows(statement, ...values)
    },
  }
  const settings = testSettings({ 'AI:Usage:SpillDirectory': spillDirectory, 'AI:Usage:QueueCapacity': queueCapacity })
  const clock = { now: () => noon, wait: async () => {} }
  return {
    state,
    ledger: openLedger({ db, log: silent, metrics: openMetrics(), settings, clock }),
  }
}

const used = (tenantId: number, costUsd = '0.010000000', holdId: string | null = null, at = noon): LedgerRow => ({
  kind: 'usage',
  row: {
    tenantId,
    usageId: newUuid(at),
    at: new Date(at).toISOString(),
    requestId: 'req_x',
    purpose: 'turn',
    model: 'm',
    inputTokens: 1,
    outputTokens: 2,
    costUsd,
    holdId,
  },
})

const rows = async (tenantId: number) => await fresh.database.one(sumOf, { tenantId })
const add = (ledger: Ledger, count: number, tenantId: number) => {
  for (let index = 0; index < count; index++) ledger.add(used(tenantId))
}
const spent = (tenantId: number, now = noon) =>
  spendOf({ db: fresh.database, clock: { now: () => now, wait: async () => {} } }, tenantId)

test('what was used is written down and counted, by day and by month', async () => {
  const tenantId = await tenant()
  const { ledger } = ledgerOn(path.join(folder, 'plain'))
  add(ledger, 1200, tenantId)
  ledger.add(used(tenantId, '1.5', null, Date.UTC(2026, 10, 1)))
  await ledger.flush()
  assert.deepEqual(await rows(tenantId), { count: 1201, cost: 13.5 })
  assert.deepEqual(await spent(tenantId), { dailyUsd: 12, monthlyUsd: 13.5 })
  assert.deepEqual(await spent(tenantId, Date.UTC(2026, 11, 1)), { dailyUsd: 0, monthlyUsd: 0 })
})

test('while the database is away rows wait, then go to files, and come back: none is lost and none counts twice', async () => {
  const tenantId = await tenant()
  const spill = path.join(folder, 'away')
  const { ledger, state } = ledgerOn(spill, '1000')
  state.away = true
  add(ledger, 3210, tenantId)
  for (let turn = 0; turn < 3_000 && ledger.figures.spilled < 2500; turn++) await pause(20)
  assert.equal(ledger.figures.waiting, 710)
  assert.equal(ledger.figures.spilled, 2500)
  assert.equal((await readdir(spill)).length, 5)
  state.away = false
  await ledger.flush()
  assert.deepEqual(await rows(tenantId), { count: 3210, cost: 32.1 })
  assert.deepEqual(await spent(tenantId), { dailyUsd: 32.1, monthlyUsd: 32.1 })
  assert.deepEqual(await readdir(spill), [])
})

test('a process that ends without a database leaves a file, and the next one writes it down', async () => {
  const tenantId = await tenant()
  const spill = path.join(folder, 'ended')
  const first = ledgerOn(spill)
  first.state.away = true
  add(first.ledger, 7, tenantId)
  await first.ledger.flush()
  assert.equal((await rows(tenantId))?.count, 0)
  // A process that was killed in the middle of writing leaves a part, which is no file.
  await writeFile(path.join(spill, 'usage-part.jsonl.part'), '{"kind":"usa')
  const second = ledgerOn(spill)
  await second.ledger.flush()
  assert.equal((await rows(tenantId))?.count, 7)
})

test('rows of a tenant that is being deleted wait for that, and hold up no others', {
  skip: process.env.TEST_DATABASE_URL === undefined,
}, async () => {
  const [tenantId, other] = [await tenant(), await tenant()]
  const { ledger } = ledgerOn(path.join(folder, 'deleting'))
  const unlock = await lockTenant(tenantId)
  add(ledger, 3, tenantId)
  add(ledger, 2, other)
  const writing = ledger.write()
  await until(async () => (await rows(other))?.count === 2, 'those of others are written')
  await unlock()
  await writing
  await ledger.write()
  assert.equal((await rows(tenantId))?.count, 3, 'it was not deleted after all')
  assert.equal(ledger.figures.waiting, 0)
})

test('a file with rows of a tenant that is being deleted stays until the deletion has ended', {
  skip: process.env.TEST_DATABASE_URL === undefined,
}, async () => {
  const [tenantId, other] = [await tenant(), await tenant()]
  const spill = path.join(folder, 'deleting-in-a-file')
  const first = ledgerOn(spill)
  const unlock = await lockTenant(tenantId)
  add(first.ledger, 3, tenantId)
  await first.ledger.flush()
  const second = ledgerOn(spill)
  add(second.ledger, 2, other)
  await second.ledger.write()
  assert.equal((await readdir(spill)).length, 1)
  assert.deepEqual([(await rows(tenantId))?.count, (await rows(other))?.count], [0, 2])
  await unlock()
  await second.ledger.write()
  assert.deepEqual(await readdir(spill), [])
  assert.equal((await rows(tenantId))?.count, 3)
})

test('a batch whose end was not heard of is written again, and changes nothing', async () => {
  const tenantId = await tenant()
  const { ledger } = ledgerOn(path.join(folder, 'twice'))
  const row = used(tenantId)
  ledger.add(row)
  await ledger.flush()
  ledger.add(row)
  await ledger.flush()
  assert.deepEqual(await rows(tenantId), { count: 1, cost: 0.01 })
  assert.equal((await spent(tenantId)).dailyUsd, 0.01)
})

test('rows that the database refuses are set aside and hold nothing up; a tenant that is gone gets none', async () => {
  const [tenantId, gone] = [await tenant(), await tenant()]
  await fresh.database.script(`update tenants set deleted_at = now() where tenant_id = ${gone}`)
  const spill = path.join(folder, 'refused')
  const { ledger, state } = ledgerOn(spill)
  state.refuse = true
  add(ledger, 3, tenantId)
  await ledger.flush()
  assert.ok((await readdir(spill)).every((name) => name.endsWith('.refused')))
  state.refuse = false
  add(ledger, 2, tenantId)
  add(ledger, 2, gone)
  await ledger.flush()
  assert.deepEqual([(await rows(tenantId))?.count, (await rows(gone))?.count], [2, 0])
})

const house = () => ({
  db: fresh.database,
  log: silent,
  settings: testSettings(),
  clock: { now: () => noon, wait: async () => {} },
})
const NONE = { daily: null, monthly: null }

test('a ceiling lets in while anything is left: it is passed by one reservation at most, however many come at once', async () => {
  const tenantId = await tenant()
  const ask = { tenantId, amountUsd: '0.4', own: { daily: 1, monthly: null }, everybody: NONE }
  const all = await Promise.all(Array.from({ length: 20 }, () => reserve(house(), ask)))
  const let_in = all.filter(({ ok }) => ok)
  assert.equal(let_in.length, 3, '0.4, 0.8, and the one that passes 1')
  assert.ok(all.every((one) => one.ok || one.code === 'ORG_DAILY_BUDGET_EXCEEDED'))
  const { ledger } = ledgerOn(path.join(folder, 'settle'))
  for (const one of let_in) ledger.add(used(tenantId, '0.1', one.ok ? one.holdId : null))
  await ledger.flush()
  assert.deepEqual(
    [await spent(tenantId), (await fresh.database.one(heldOf, { tenantId }))?.held],
    [{ dailyUsd: 0.3, monthlyUsd: 0.3 }, 0],
  )
  assert.equal((await reserve(house(), ask)).ok, true, 'what was not used is free again')
})

test('each ceiling has its code, and what one refuses is reserved under none', async () => {
  const [tenantId, other] = [await tenant(), await tenant()]
  const full = { daily: 100, monthly: 100 }
  const codes: string[] = []
  for (const [own, everybody] of [
    [{ daily: 0, monthly: null }, NONE],
    [{ daily: null, monthly: 0 }, NONE],
    [full, { daily: 0, monthly: null }],
    [full, { daily: null, monthly: 0 }],
  ] as const) {
    const reserved = await reserve(house(), { tenantId, amountUsd: '1', own, everybody })
    codes.push(reserved.ok ? 'ok' : reserved.code)
  }
  assert.deepEqual(codes, [
    'ORG_DAILY_BUDGET_EXCEEDED',
    'ORG_MONTHLY_BUDGET_EXCEEDED',
    'GLOBAL_DAILY_BUDGET_EXCEEDED',
    'GLOBAL_MONTHLY_BUDGET_EXCEEDED',
  ])
  // Two tenants share what the deployment has left; what other tests spent is none of it.
  await fresh.database.script('truncate deployment_spend')
  const everybody = { daily: null, monthly: 0.5 }
  assert.equal((await reserve(house(), { tenantId: other, amountUsd: '0.5', own: full, everybody })).ok, true)
  const refused = await reserve(house(), { tenantId, amountUsd: '0.5', own: full, everybody })
  assert.deepEqual(refused, { ok: false, code: 'GLOBAL_MONTHLY_BUDGET_EXCEEDED' })
  assert.equal((await fresh.database.one(heldOf, { tenantId }))?.held, 0)
})

test('a reservation whose process died counts as spent, until its round reports after all', async () => {
  const tenantId = await tenant()
  const reserved = await reserve(house(), {
    tenantId,
    amountUsd: '0.5',
    own: { daily: 1, monthly: null },
    everybody: NONE,
  })
  assert.ok(reserved.ok)
  assert.equal(await lapseReservations(house()), 0)
  await fresh.database.script(
    `update spend_holds set expires_at = now() - interval '1 second' where tenant_id = ${tenantId}`,
  )
  assert.equal(await lapseReservations(house()), 1)
  assert.equal((await spent(tenantId)).dailyUsd, 0.5)
  const { ledger } = ledgerOn(path.join(folder, 'late'))
  ledger.add(used(tenantId, '0.2', reserved.holdId))
  await ledger.flush()
  assert.deepEqual([(await spent(tenantId)).dailyUsd, (await fresh.database.one(heldOf, { tenantId }))?.held], [0.2, 0])
})

test('the spend of sandboxes on a day counts every sandbox and no other workspace, and one sandbox’s spend all its days', async () => {
  const [one, other, ordinary] = [await tenant(), await tenant(), await tenant()]
  await fresh.database.script(`
    update tenants set sandbox = true where tenant_id in (${one}, ${other});
    insert into spend (tenant_id, period, spent_usd, held_usd) values
      (${one}, '2026-11-21', 1, 0.25), (${one}, '2026-11-20', 4, 0), (${one}, '2026-11', 5, 0.25), (${one}, '2026-10', 8, 0),
      (${other}, '2026-11-21', 2, 0), (${other}, '2026-11', 2, 0),
      (${ordinary}, '2026-11-21', 64, 0), (${ordinary}, '2026-11', 64, 0)`)
  const house = { db: fresh.database, clock: { now: () => noon, wait: async () => {} } }
  assert.deepEqual(await sandboxSpend(house, one), { ownUsd: 13.25, todayUsd: 3.25 })
  assert.deepEqual(await sandboxSpend(house, ordinary), { ownUsd: 64, todayUsd: 3.25 })
})

test('spend by day has a figure for each day, and none of the days before or of the months', async () => {
  const tenantId = await tenant()
  await fresh.database.script(`
    insert into spend (tenant_id, period, spent_usd) values
      (${tenantId}, '2026-11-18', 1), (${tenantId}, '2026-11-19', 2), (${tenantId}, '2026-11-21', 4), (${tenantId}, '2026-11-22', 8),
      (${tenantId}, '2026-11', 16), (${tenantId}, '2026-12', 32)`)
  assert.deepEqual(
    await spendByDay({ db: fresh.database, clock: { now: () => noon, wait: async () => {} } }, tenantId, 3),
    [
      { date: '2026-11-19', spentUsd: 2 },
      { date: '2026-11-20', spentUsd: 0 },
      { date: '2026-11-21', spentUsd: 4 },
    ],
  )
  const dates = ['2026-11-20', '2026-11-21']
  assert.deepEqual(await fresh.database.rows(listSpend, { tenantId, dates }), [{ date: '2026-11-21', spentUsd: 4 }])
})

test('the least of the ceilings counts, and 0 in a setting is none', () => {
  assert.equal(leastOf(null, 0, 0), null)
  assert.equal(leastOf(null, 5, 0, 3), 3)
  assert.equal(leastOf(2, 5, 0), 2)
  assert.equal(leastOf(0, 5), 0)
})

test('the daily allowance is counted exactly, and ends after 24 hours', async () => {
  const tenantId = await tenant()
  const take = () =>
    spendTurns({ db: fresh.database }, tenantId, 5, 1).then(
      () => true,
      (error) => error,
    )
  const all = await Promise.all(Array.from({ length: 9 }, take))
  assert.equal(all.filter((one) => one === true).length, 5)
  const refused = all.find((one) => one !== true)
  assert.equal(refused.code, 'plan_quota_exceeded')
  assert.ok(Number(refused.headers['retry-after']) > 86_000)
  await fresh.database.script(`update turn_quotas set ${setBack('began_at', '24 hours')} where tenant_id = ${tenantId}`)
  assert.equal(await take(), true)
  await spendTurns({ db: fresh.database }, tenantId, 0, 1)
})

test('turns that are taken together are taken all or not at all', async () => {
  const tenantId = await tenant()
  const take = (turns: number) =>
    spendTurns({ db: fresh.database }, tenantId, 5, turns).then(
      () => true,
      ({ code }) => code,
    )
  assert.equal(await take(6), 'plan_quota_exceeded')
  assert.equal(await take(3), true)
  assert.equal(await take(3), 'plan_quota_exceeded')
  assert.equal(await take(2), true, 'what was refused took none of it')
  assert.equal(await take(1), 'plan_quota_exceeded')
  await fresh.database.script(`update turn_quotas set ${setBack('began_at', '24 hours')} where tenant_id = ${tenantId}`)
  assert.equal(await take(5), true)
})

// A mail that is written calls whoever sends mail, when its transaction is committed. The clock of the workers stands still: whatever
// they do, they were called.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { movableClock } from '../../../testkit/clock.ts'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { queueMail, releaseHeld } from './index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({
    settings: { 'Mail:Transport': 'console', 'Mail:From': 'Tether <no-reply@tether.example>' },
  })
})
after(() => house.close())

type At = OpenHouse['app']['house']

// A kind that nobody writes: it is looked at, that is an attempt, and nothing is printed.
const write = (tenantId: number, at: At) =>
  at.db.transaction((tx) =>
    queueMail(tx, at, { tenantId, kind: 'unknown', to: 'reader@shop.example', language: 'en', fields: {} }),
  )
const attemptsOf = statement<{ mails: number; tried: number }, { tenantId: number }>(
  'test.mails_tried',
  `select count(*)::int as mails, count(*) filter (where attempt > 0)::int as tried from mails
    where tenant_id = $tenantId::int`,
)

async function untilTried(tenantId: number): Promise<void> {
  for (const end = performance.now() + 60_000; ; await pause(5)) {
    const found = await house.database.database.one(attemptsOf, { tenantId })
    if (found !== undefined && found.mails === found.tried) return
    assert.ok(performance.now() < end, 'nobody called the worker')
  }
}

/** One mail after the other, each when the one before was looked at. */
async function calledForEach(at: At): Promise<void> {
  const { tenantId } = await house.tenant()
  // A worker looks when it begins, and again when it begins to listen: neither may pass for a call.
  for (let turn = 1; turn <= 4; turn++) {
    assert.equal(await write(tenantId, at), 'queued')
    await untilTried(tenantId)
  }
}

async function atWork(): Promise<OpenHouse> {
  const working = await openHouse({ beside: house, clock: movableClock() })
  working.app.startWork()
  return working
}

test('a mail that is written calls whoever sends mail in this process', async () => {
  await using working = await atWork()
  await calledForEach(working.app.house)
})

test('a mail that is written where nobody works calls whoever works elsewhere', async (t) => {
  if (house.database.url === undefined) return t.skip('the embedded database has one process only')
  await using _working = await atWork()
  await calledForEach(house.app.house)
})

const unconfirm = statement<unknown, { tenantId: number }>(
  'test.unconfirm_for_bell',
  'update tenants set email_confirmed_at = null where tenant_id = $tenantId::int',
)

test('mails that are let go with a confirmation call as well', async () => {
  await using working = await atWork()
  await calledForEach(working.app.house)
  const { tenantId } = await house.tenant()
  await house.database.database.run(unconfirm, { tenantId })
  assert.equal(await write(tenantId, house.app.house), 'held')
  await working.app.house.db.transaction((tx) => releaseHeld(tx, tenantId))
  await untilTried(tenantId)
})

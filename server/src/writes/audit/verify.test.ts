import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { setBack } from '../../../testkit/set-back.ts'
import type { Database } from '../../kernel/db/index.ts'
import { eventHash } from './chain.ts'
import { appendEvent, eventFields, placeTrail, tamper } from './fixtures/trail.ts'
import { verifyChain } from './index.ts'
import { listChain, type TimeRange } from './list.ts'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = fresh.database
})
after(() => fresh.close())

let tenants = 0
/** One event an hour from midnight, the id being the hour. */
async function tenHours(): Promise<number> {
  const tenantId = ++tenants
  const hours = Array.from({ length: 10 }, (_, hour) => `2026-11-21T${String(hour + 1).padStart(2, '0')}:00:00Z`)
  await placeTrail(
    db,
    tenantId,
    hours.map((at, place) => ({ at, reason: `hour ${place + 1}` })),
  )
  return tenantId
}
const check = (tenantId: number, range: TimeRange = {}) => verifyChain({ db }, tenantId, range)
const at = (hour: number, minutes = '00'): string => `2026-11-21T${String(hour).padStart(2, '0')}:${minutes}:00.000Z`
const chainOf = async (tenantId: number) => (await listChain({ db }, tenantId, {}, { after: 0, limit: 1000 })).events

test('an untouched trail holds, and so does none', async () => {
  const tenantId = ++tenants
  const nothing = { ok: true, events: 0, firstId: null, lastId: null, lastHash: null, archived: null }
  assert.deepEqual(await check(tenantId), nothing)
  for (let n = 0; n < 5; n++) await appendEvent(db, tenantId, eventFields({ reason: `${n}` }))
  const lastHash = (await chainOf(tenantId)).at(-1)?.hash
  assert.deepEqual(await check(tenantId), { ok: true, events: 5, firstId: 1, lastId: 5, lastHash, archived: null })
  assert.deepEqual(await check(++tenants), nothing)
})

test('a trail of several pages is followed to its end', async () => {
  const tenantId = ++tenants
  const start = Date.parse('2026-01-01T00:00:00Z')
  const events = Array.from({ length: 2345 }, (_, n) => ({ at: new Date(start + n).toISOString() }))
  await placeTrail(db, tenantId, events)
  const found = await check(tenantId)
  assert.deepEqual([found.ok, found.ok && found.events, found.ok && found.lastId], [true, 2345, 2345])
  for (const bad of [1000, 1001, 2000, 2345]) {
    await tamper(db, `update audit_events set reason = 'x' where tenant_id = ${tenantId} and id = ${bad}`)
    assert.deepEqual(await check(tenantId), { ok: false, at: bad, reason: 'hash_mismatch' })
    await tamper(db, `update audit_events set reason = null where tenant_id = ${tenantId} and id = ${bad}`)
  }
  await tamper(db, `delete from audit_events where tenant_id = ${tenantId} and id = 1001`)
  assert.deepEqual(await check(tenantId), { ok: false, at: 1001, reason: 'missing' })
})

test('whatever is changed past the triggers is found, at the first event that is not as it was written', async () => {
  const cases: [what: string, set: string, at: number, reason: string][] = [
    ['another reason', "update audit_events set reason = 'hour 6' where id = 5", 5, 'hash_mismatch'],
    ['another person', 'update audit_events set user_id = 9 where id = 5', 5, 'hash_mismatch'],
    ['another scope', 'update audit_events set scope_id = 9 where id = 5', 5, 'hash_mismatch'],
    ['another event', "update audit_events set event = 'approved' where id = 1", 1, 'hash_mismatch'],
    ['another time', `update audit_events set ${setBack('occurred_at', '-1 ms')} where id = 10`, 10, 'hash_mismatch'],
    ['no time', "update audit_events set occurred_at = 'infinity' where id = 5", 5, 'hash_mismatch'],
    ['another hash', "update audit_events set hash = repeat('0', 64) where id = 5", 5, 'hash_mismatch'],
    ['one taken out', 'delete from audit_events where id = 5', 5, 'missing'],
    ['the first taken out', 'delete from audit_events where id = 1', 1, 'missing'],
    ['the newest taken out', 'delete from audit_events where id > 7', 8, 'missing'],
    ['all taken out', 'delete from audit_events', 1, 'missing'],
    [
      'two that changed places',
      "update audit_events set reason = 'hour ' || 15 - id where id in (7, 8)",
      7,
      'hash_mismatch',
    ],
    [
      'one added past the head',
      'insert into audit_events select tenant_id, 11, occurred_at, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason, hash from audit_events where id = 10',
      11,
      'head_mismatch',
    ],
    ['no head', 'delete from audit_heads', 1, 'head_mismatch'],
    ['an older head', 'update audit_heads set last_id = 9', 10, 'head_mismatch'],
    ['another head', "update audit_heads set last_hash = repeat('0', 64)", 10, 'head_mismatch'],
  ]
  for (const [what, set, bad, reason] of cases) {
    const tenantId = await tenHours()
    const bound = set.includes(' where ')
      ? `${set} and tenant_id = ${tenantId}`
      : `${set} where tenant_id = ${tenantId}`
    await tamper(db, bound)
    assert.deepEqual(await check(tenantId), { ok: false, at: bad, reason }, what)
  }
})

test('a changed event whose own hash was made again gives itself away by the next one', async () => {
  const tenantId = await tenHours()
  const [, , , fourth, fifth] = await chainOf(tenantId)
  assert.ok(fourth && fifth)
  const hash = eventHash(fourth.hash, { ...fifth, reason: 'forged' })
  await tamper(
    db,
    `update audit_events set reason = 'forged', hash = '${hash}' where tenant_id = ${tenantId} and id = 5`,
  )
  assert.deepEqual(await check(tenantId), { ok: false, at: 6, reason: 'hash_mismatch' })
})

test('a chain that was made anew to its end does not meet its head', async () => {
  const tenantId = await tenHours()
  const chain = await chainOf(tenantId)
  let hash = chain[3]?.hash ?? ''
  for (const event of chain.slice(4)) {
    const forged = event.id === 5 ? { ...event, reason: 'forged' } : event
    hash = eventHash(hash, forged)
    await tamper(
      db,
      `update audit_events set reason = '${forged.reason}', hash = '${hash}' where tenant_id = ${tenantId} and id = ${event.id}`,
    )
  }
  assert.deepEqual(await check(tenantId), { ok: false, at: 10, reason: 'head_mismatch' })
})

test('a range is checked from its first event to its last', async () => {
  const tenantId = await tenHours()
  const chain = await chainOf(tenantId)
  const held = (firstId: number, lastId: number) => ({
    ok: true,
    events: lastId - firstId + 1,
    firstId,
    lastId,
    lastHash: chain[lastId - 1]?.hash,
    archived: null,
  })
  assert.deepEqual(await check(tenantId, { from: at(4), to: at(7) }), held(4, 6), 'from is in it, to is not')
  assert.deepEqual(await check(tenantId, { from: at(3, '01'), to: at(6, '01') }), held(4, 6))
  assert.deepEqual(await check(tenantId, { from: at(9) }), held(9, 10))
  assert.deepEqual(await check(tenantId, { to: at(2) }), held(1, 1))
  const nothing = { ok: true, events: 0, firstId: null, lastId: null, lastHash: null, archived: null }
  for (const range of [
    { from: at(4, '01'), to: at(4, '59') },
    { from: at(20) },
    { to: at(0) },
    { from: at(7), to: at(4) },
  ])
    assert.deepEqual(await check(tenantId, range), nothing, JSON.stringify(range))
})

test('an event cannot leave a range by another time, nor by being taken out at its edge', async () => {
  const range = { from: at(4), to: at(7) }
  const cases: [set: string, bad: number, reason: string][] = [
    [`update audit_events set occurred_at = '${at(3, '30')}' where id = 4`, 4, 'hash_mismatch'],
    [`update audit_events set occurred_at = '${at(7, '30')}' where id = 6`, 6, 'hash_mismatch'],
    [`update audit_events set occurred_at = '${at(1)}' where id in (4, 5, 6)`, 4, 'hash_mismatch'],
    ['delete from audit_events where id = 4', 4, 'missing'],
    ['delete from audit_events where id = 6', 6, 'missing'],
    ['delete from audit_events where id in (4, 5, 6)', 4, 'missing'],
    ['delete from audit_events where id > 5', 6, 'missing'],
  ]
  for (const [set, bad, reason] of cases) {
    const tenantId = await tenHours()
    await tamper(db, `${set} and tenant_id = ${tenantId}`)
    assert.deepEqual(await check(tenantId, range), { ok: false, at: bad, reason }, set)
  }
  const tenantId = await tenHours()
  await tamper(db, `update audit_events set reason = 'x' where id = 9 and tenant_id = ${tenantId}`)
  assert.equal((await check(tenantId, range)).ok, true, 'what lies far from the range is another check')
})

test('a trail is its tenant’s: as another tenant’s it does not hold', async () => {
  const [one, other] = [await tenHours(), ++tenants]
  await tamper(db, `update audit_heads set tenant_id = ${other} where tenant_id = ${one}`)
  await tamper(db, `update audit_events set tenant_id = ${other} where tenant_id = ${one}`)
  assert.deepEqual(await check(other), { ok: false, at: 1, reason: 'hash_mismatch' })
})

test('one tenant’s trail says nothing of another’s', async () => {
  const [one, other] = [await tenHours(), await tenHours()]
  await tamper(db, `delete from audit_events where tenant_id = ${one} and id = 5`)
  assert.equal((await check(one)).ok, false)
  assert.equal((await check(other)).ok, true)
})

test('a check stops when nobody waits for it', async () => {
  const tenantId = await tenHours()
  await assert.rejects(verifyChain({ db }, tenantId, { signal: AbortSignal.abort() }), /connection closed/)
})

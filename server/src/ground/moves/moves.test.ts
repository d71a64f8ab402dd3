// A tenant goes from one database to the other, and back, or stays where it is. It takes a PostgreSQL server, because a move holds one
// connection of the first database while it asks over others; the proof of moves has its storm and its kills.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  contentsOf,
  type MovingHouse,
  NOTHING,
  openMovingHouse,
  takesServer as skip,
} from '../../../testkit/moving-tenant.ts'
import { cancelMove, moveTenant } from './index.ts'

let moving: MovingHouse
before(async () => {
  if (skip === false) moving = await openMovingHouse()
})
after(async () => {
  if (skip === false) await moving.close()
})

test('it goes with everything, is served from there, goes on counting, and leaves nothing', { skip }, async () => {
  const { first, second, house, move } = moving
  const shop = await moving.shop()
  const [waits, done] = [await shop.stage(), await shop.stage()]
  await shop.confirm(done.body.actionId)
  await house.app.flush()
  const { tenantId, apiKey: key } = shop
  const before = await contentsOf(first, tenantId)
  const moved = await moveTenant({ ...move(tenantId), to: 'second' })
  assert.deepEqual([moved?.from, moved?.to], ['first', 'second'])
  const after = await contentsOf(second, tenantId)
  const changed = [...before].filter(([table, text]) => after.get(table) !== text).map(([table]) => table)
  assert.deepEqual(changed, ['account_events'], 'only the event of the move is new')
  assert.deepEqual([...(await contentsOf(first, tenantId))], NOTHING)
  assert.equal((await house.ask('GET', '/v1/account', { key })).body.tenantId, tenantId)
  assert.equal((await shop.confirm(waits.body.actionId)).body.status, 'Executed')
  assert.equal((await shop.stage()).status, 200)
  assert.equal((await house.ask('GET', '/v1/audit/verify', { key })).body.ok, true)
  const { body } = await house.ask<{ events: { type: string; detail: string }[] }>('GET', '/v1/account/events', { key })
  const [event] = body.events
  assert.deepEqual([event?.type, event?.detail], ['database.changed', 'first -> second'])
  assert.equal(await moveTenant({ ...move(tenantId), to: 'second' }), null, 'it is there')
  await moveTenant({ ...move(tenantId), to: 'first' })
  assert.deepEqual([...(await contentsOf(second, tenantId))], NOTHING)
  assert.equal((await shop.stage()).status, 200)
})

test('one that is stopped stays where it is, and what was copied is taken back', { skip }, async () => {
  const { first, second, move } = moving
  const shop = await moving.shop()
  await shop.stage()
  const { tenantId } = shop
  const stop = new AbortController()
  const stopping = { ...move(tenantId, stop.signal), to: 'second' }
  const say = (line: string) => void (line.startsWith('Nothing of it is written') && stop.abort())
  await assert.rejects(moveTenant({ ...stopping, say }), /stopped/)
  assert.equal((await shop.stage()).status, 200, 'the fence is lifted')
  assert.notEqual((await contentsOf(second, tenantId)).get('actions'), '')
  await assert.rejects(moveTenant({ ...move(tenantId), to: 'first' }), /A move of tenant \d+ to "second" was begun/)
  assert.equal(await cancelMove(move(tenantId)), true)
  assert.deepEqual([...(await contentsOf(second, tenantId))], NOTHING)
  assert.notEqual((await contentsOf(first, tenantId)).get('actions'), '')
  assert.equal((await shop.stage()).status, 200)
  assert.equal(await cancelMove(move(tenantId)), false)
})

test('what is in the way is said at once, and of two runs the second is refused', { skip }, async () => {
  const { first, second, guard, move } = moving
  const { tenantId } = await moving.shop()
  await first.script(`update tenants set provider = true where tenant_id = ${tenantId}`)
  await second.script(`insert into tenants (tenant_id, name) values (${tenantId}, 'Twice')`)
  await assert.rejects(moveTenant({ ...move(tenantId), to: 'second' }), /is in "first" \(.*\) and in "second" \(.*\)/)
  await second.script(`update tenants set deleted_at = now() where tenant_id = ${tenantId}`)
  await assert.rejects(moveTenant({ ...move(tenantId), to: 'second' }), /is a provider.*\n"second" has a row of tenant/)
  await second.script(`delete from tenants where tenant_id = ${tenantId}`)
  await assert.rejects(
    moveTenant({ ...move(tenantId), to: 'third' }),
    /no database "third". Choose one of: first, second/,
  )
  await assert.rejects(moveTenant({ ...move(999_999), to: 'second' }), /There is no tenant 999999 .*GET \/v1\/tenants/)
  const other = await moving.openGuard()
  await guard.transaction(async (tx) => {
    await tx.script('select pg_advisory_xact_lock(7303014552)')
    await assert.rejects(
      moveTenant({ ...move(tenantId), guard: other, to: 'second' }),
      /Another run.* began at [\d:]+ UTC.* pg_terminate_backend\(\d+\)$/,
    )
  })
  await other.close()
})

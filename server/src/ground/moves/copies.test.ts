// A tenant that two databases hold, because one of them was restored from a backup of before it moved.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import {
  contentsOf,
  type MovingHouse,
  NOTHING,
  openMovingHouse,
  placesOf,
  takesServer as skip,
} from '../../../testkit/moving-tenant.ts'
import { openMetrics } from '../../foundation/metrics/index.ts'
import { enrol } from '../shards/index.ts'
import { dropCopy, moveTenant, watchMoves } from './index.ts'

let moving: MovingHouse
before(async () => {
  if (skip === false) moving = await openMovingHouse()
})
after(async () => {
  if (skip === false) await moving.close()
})

/** What the database holds of it as if it had been restored: the row without its mark, and something of it. */
const restore = (tenantId: number) => `begin; set local session_replication_role = replica;
  update tenants set moving = null, deleted_at = null, email_hash = null where tenant_id = ${tenantId};
  insert into account_events (tenant_id, type, detail) values (${tenantId}, 'name.changed', 'restored'); commit`

test('the older copy is deleted by name, and never the only one', { skip }, async () => {
  const { first, second, move } = moving
  const shop = await moving.shop()
  const { tenantId } = shop
  await shop.stage()
  await moveTenant({ ...move(tenantId), to: 'second' })
  await assert.rejects(dropCopy(move(tenantId), 'second'), /Only "second" holds tenant/)
  await first.script(restore(tenantId))
  assert.deepEqual(await placesOf(moving, tenantId), ['first', 'second'])
  await assert.rejects(
    moveTenant({ ...move(tenantId), to: 'first' }),
    /"first" \(with no event in its trail\) and in "second" \(its newest event is of .* UTC\)\. .*--drop-from NAME/,
  )
  const both = [
    { name: 'first', db: first },
    { name: 'second', db: second },
  ] as const
  await assert.rejects(enrol(both), new RegExp(`--tenant ${tenantId} --drop-from NAME`))
  await assert.rejects(dropCopy(move(tenantId), 'third'), /"third" does not hold/)
  const before = await contentsOf(second, tenantId)
  assert.equal(await dropCopy(move(tenantId), 'first'), 'second')
  assert.deepEqual(await placesOf(moving, tenantId), ['second'])
  assert.deepEqual([...(await contentsOf(first, tenantId))], NOTHING)
  assert.deepEqual(await contentsOf(second, tenantId), before)
  await enrol(both)
  await moveTenant({ ...move(tenantId), to: 'first' })
  assert.deepEqual(await placesOf(moving, tenantId), ['first'], 'it may move there again')
})

test('a move that has not ended is a figure, and nothing of it is deleted as a copy', { skip }, async () => {
  const { first, move } = moving
  const { tenantId } = await moving.shop()
  const metrics = openMetrics()
  watchMoves({ db: first, metrics })
  const figure = async () => /^tether_move_unfinished_seconds (\S+)$/m.exec((await metrics.text()).content)?.[1]
  assert.equal(await figure(), '0')
  await first.script(`insert into tenant_moves (moved_tenant, from_name, to_name, state, started_at)
    values (${tenantId}, 'first', 'second', 'copying', now() - interval '1 hour')`)
  assert.ok(Number(await figure()) >= 3_600)
  await assert.rejects(dropCopy(move(tenantId), 'first'), /has not ended/)
  await first.script(`update tenant_moves set state = 'done' where moved_tenant = ${tenantId}`)
  assert.equal(await figure(), '0')
})

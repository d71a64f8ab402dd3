// A command that stood still, was ended in the middle, or whose tenant changed meanwhile: what stands when it goes on, decides.
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
import { isMoving, unlisted } from '../../foundation/db/index.ts'
import { enrol } from '../shards/index.ts'
import { cancelMove, type Move, moveTenant } from './index.ts'

let moving: MovingHouse
before(async () => {
  if (skip === false) moving = await openMovingHouse()
})
after(async () => {
  if (skip === false) await moving.close()
})

/** The guard of a run to which something happens once it has switched. */
const afterSwitch = (happens: () => Promise<unknown>): Pick<Move, 'guard'> => {
  let asked = 0
  const transaction: Move['guard']['transaction'] = async (work, options) => {
    if (++asked === 2) await happens()
    return await moving.guard.transaction(work, options)
  }
  return { guard: { transaction } }
}

const stopAt = (line: string, tenantId: number) => {
  const stop = new AbortController()
  return { ...move(tenantId), signal: stop.signal, say: (said: string) => void (said.startsWith(line) && stop.abort()) }
}

/** Nobody asks over the service by which it could be remembered where it was. */
const move = (tenantId: number) => {
  const all = moving.move(tenantId)
  return { ...all, limits: { ...all.limits, staleMs: 0 } }
}

const touchKeys = unlisted<unknown, { tenantId: number }>(
  'test.touch_keys',
  'update keys set tenant_id = tenant_id where tenant_id = $tenantId::int',
)

test('a run that stood still deletes nothing that others have moved back meanwhile', { skip }, async () => {
  const { first, second } = moving
  const { tenantId } = await moving.shop()
  const slept = afterSwitch(async () => {
    assert.ok(await moveTenant({ ...move(tenantId), to: 'second' }))
    assert.ok(await moveTenant({ ...move(tenantId), to: 'first' }))
  })
  await assert.rejects(moveTenant({ ...move(tenantId), ...slept, to: 'second' }), /is being moved again/)
  assert.deepEqual(await placesOf(moving, tenantId), ['first'])
  assert.notEqual((await contentsOf(first, tenantId)).get('keys'), '')
  assert.deepEqual([...(await contentsOf(second, tenantId))], NOTHING)
})

test('a run that stood still while another finished says so, and lifts no mark of a later one', { skip }, async () => {
  const { tenantId } = await moving.shop()
  const said: string[] = []
  const finished = afterSwitch(() => moveTenant({ ...move(tenantId), to: 'second' }))
  const moved = await moveTenant({ ...move(tenantId), ...finished, say: (line) => void said.push(line), to: 'second' })
  assert.deepEqual(moved, { from: 'first', to: 'second', pauseMs: null })
  assert.match(said.at(-1) ?? '', /Another run has finished/)
  const begun = afterSwitch(async () => {
    await moveTenant({ ...move(tenantId), to: 'first' })
    await assert.rejects(moveTenant({ ...stopAt('Copied', tenantId), to: 'second' }), /stopped/)
  })
  // What waits in "second" now is a copy that is not whole. Nobody may serve it.
  await assert.rejects(moveTenant({ ...move(tenantId), ...begun, to: 'first' }), /is being moved again/)
  assert.deepEqual(await placesOf(moving, tenantId), ['first'])
  await moveTenant({ ...move(tenantId), to: 'second' })
  assert.deepEqual(await placesOf(moving, tenantId), ['second'])
})

test('a move that was ended in the middle keeps its fence when another one is over', { skip }, async () => {
  const { first, second } = moving
  const [shop, other] = [await moving.shop(), await moving.shop()]
  const killed = afterSwitch(() => Promise.reject(new Error('killed')))
  await assert.rejects(moveTenant({ ...move(shop.tenantId), ...killed, to: 'second' }), /killed/)
  await moveTenant({ ...move(other.tenantId), to: 'second' })
  for (const side of [first, second]) await assert.rejects(side.run(touchKeys, { tenantId: shop.tenantId }), isMoving)
  await moveTenant({ ...move(shop.tenantId), to: 'second' })
  assert.deepEqual(await placesOf(moving, shop.tenantId), ['second'])
  assert.notEqual(await second.run(touchKeys, { tenantId: shop.tenantId }), 0)
})

test('the databases may be migrated again while a tenant moves, and when one has moved', { skip }, async () => {
  const { tenantId } = await moving.shop()
  await assert.rejects(moveTenant({ ...stopAt('Copied', tenantId), to: 'second' }), /stopped/)
  const { databases } = move(tenantId)
  await enrol(databases)
  const killed = afterSwitch(async () => {
    await enrol(databases)
    throw new Error('killed')
  })
  await assert.rejects(moveTenant({ ...move(tenantId), ...killed, to: 'second' }), /killed/)
  await moveTenant({ ...move(tenantId), to: 'second' })
  await enrol(databases)
})

test('of a tenant that is erased while it is copied, the copy goes, too', { skip }, async () => {
  const { first, second, house } = moving
  const shop = await moving.shop()
  const { tenantId } = shop
  await shop.stage()
  await assert.rejects(moveTenant({ ...stopAt('Copied', tenantId), to: 'second' }), /stopped/)
  assert.notEqual((await contentsOf(second, tenantId)).get('actions'), '')
  const body = { confirm: shop.name }
  const gone = await house.ask('DELETE', `/v1/tenants/${tenantId}`, { key: house.operatorKey, body })
  assert.equal(gone.status, 200, gone.text)
  await assert.rejects(moveTenant({ ...move(tenantId), to: 'second' }), /has been deleted/)
  for (const side of [first, second]) assert.deepEqual([...(await contentsOf(side, tenantId))], NOTHING)
  assert.equal(await cancelMove(move(tenantId)), false)
})

test('one that has become a provider while it was copied stays', { skip }, async () => {
  const { first } = moving
  const shop = await moving.shop()
  const { tenantId } = shop
  let becoming: Promise<void> | undefined
  const say = (line: string) => {
    if (line.startsWith('Copied'))
      becoming ??= first.script(`update tenants set provider = true where tenant_id = ${tenantId}`)
  }
  await assert.rejects(moveTenant({ ...move(tenantId), say, to: 'second' }), /no longer one that moves/)
  await becoming
  assert.equal((await shop.stage()).status, 200)
  await assert.rejects(moveTenant({ ...move(tenantId), to: 'second' }), /is a provider/)
})

// Many events: in order within a lane, fair between workspaces, taken once, and never lost with a process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { until } from '../../../testkit/until.ts'
import { type Database, unlisted } from '../../kernel/db/index.ts'
import { eraseTenant } from '../tenants/index.ts'
import { announce, deliverAll, openScene, reject, type Seen, staged, statusOf, waitingOf } from './fixtures/shop.ts'

const SECOND = 1_000
/** What fails is not tried again before the clock is moved, however slow this machine is. */
const PATIENT = { 'Events:FirstWaitSeconds': '60' }
const never = new AbortController().signal
const eventsOf = (seen: readonly Seen[]) => seen.map(({ body }) => body.event)
const idsOf = (seen: readonly Seen[]) => seen.map(({ body }) => String(body.request_id))

test('the events of one action wait for the one before them; those of another do not', async (t) => {
  const scene = await openScene(t, { settings: PATIENT })
  const shop = await scene.shop()
  let isDown = true
  const first = await staged(scene, shop)
  const seen = scene.receiver.play((request, response) =>
    statusOf(response, isDown && request.body.action_id === first ? 500 : 200),
  )
  await scene.deliver()
  await reject(scene, shop, first)
  const second = await staged(scene, shop)
  await scene.deliver()
  assert.deepEqual(
    seen.map(({ body }) => [body.event, body.action_id === first ? 'first' : 'second']),
    [
      ['action.pending', 'first'],
      ['action.pending', 'second'],
    ],
  )
  isDown = false
  scene.clock.moveOn(61 * SECOND)
  await scene.deliver()
  assert.deepEqual(eventsOf(seen).slice(2), ['action.pending', 'action.rejected'], `then ${second} is told`)
  assert.equal(await waitingOf(scene, shop), 0)
})

test('an event that was given up stops holding the next', async (t) => {
  const scene = await openScene(t, { settings: { ...PATIENT, 'Events:MaxAttempts': '2' } })
  const shop = await scene.shop()
  const seen = scene.receiver.play((request, response) =>
    statusOf(response, request.body.event === 'action.pending' ? 500 : 200),
  )
  await reject(scene, shop, await staged(scene, shop))
  await scene.deliver()
  assert.deepEqual(eventsOf(seen), ['action.pending'])
  scene.clock.moveOn(61 * SECOND)
  await scene.deliver()
  assert.deepEqual(eventsOf(seen), ['action.pending', 'action.pending', 'action.rejected'])
})

test('what was put off behind another goes on as soon as that one is settled', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const gate = Promise.withResolvers<void>()
  const seen = scene.receiver.play((_request, response) => void gate.promise.then(() => statusOf(response, 200)))
  const actionId = await staged(scene, shop)
  assert.equal(await scene.house.app.pump.work(never), 1)
  await reject(scene, shop, actionId)
  // It is due, looked at, and put off, because the one before is on its way.
  assert.equal(await scene.house.app.pump.work(never), 1)
  gate.resolve()
  // It may have been looked at once more while the one before was settled: then it is put off again, for moments.
  await until(async () => {
    await scene.deliver()
    return seen.length >= 2
  }, 'the next is sent')
  assert.deepEqual(eventsOf(seen), ['action.pending', 'action.rejected'])
})

test('a backlog of one workspace does not keep another waiting', async (t) => {
  const scene = await openScene(t)
  const large = await scene.shop()
  const small = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  await announce(
    scene,
    large,
    Array.from({ length: 3_000 }, (_, at) => `ses_${at}`),
  )
  await announce(scene, small, ['ses_only'])
  await scene.house.app.pump.work(never)
  await scene.house.app.pump.idle()
  const tenants = seen.map(({ body }) => (body.tenant as { organization_id: number }).organization_id)
  assert.ok(tenants.includes(small.tenantId), 'the first claim takes of both')
  assert.ok(tenants.length <= 33, `${tenants.length} at once`)
})

test('a receiver that hangs holds up its own workspace only, and a little at a time', async (t) => {
  const scene = await openScene(t, { settings: { 'Events:AnswerSeconds': '10' } })
  const dead = await scene.shop(scene.url.replace('/tools', '/dead'))
  const others = await Promise.all(Array.from({ length: 5 }, () => scene.shop()))
  const isDead = ({ body }: Seen) => (body.tenant as { organization_id: number }).organization_id === dead.tenantId
  let givenUp = 0
  const seen = scene.receiver.play((request, response) => {
    if (isDead(request)) response.once('close', () => givenUp++)
    else statusOf(response, 200)
  })
  await announce(
    scene,
    dead,
    Array.from({ length: 300 }, (_, at) => `ses_${at}`),
  )
  for (const other of others) await announce(scene, other, ['ses_a', 'ses_b'])
  await until(async () => {
    await scene.house.app.pump.work(never)
    return seen.filter((one) => !isDead(one)).length === 10
  }, 'the others are told')
  assert.equal(givenUp, 0, 'they waited for none that hangs')
  assert.ok(seen.filter(isDead).length <= 32)
  await scene.house.app.pump.idle()
  const before = seen.filter(isDead).length
  await scene.house.app.pump.work(never)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(seen.filter(isDead).length - before <= 4, 'now that it is known to hang')
})

test('of two processes each takes what the other has not', async (t) => {
  // An answer that a busy machine gives too late would be a second attempt, and no fault of either.
  const scene = await openScene(t, { settings: { 'Events:AnswerSeconds': '60' } })
  const other = await openHouse({ beside: scene.house, clock: scene.clock })
  t.after(() => other.close())
  const shops = await Promise.all([scene.shop(), scene.shop(), scene.shop()])
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  const lanes = Array.from({ length: 240 }, (_, at) => `ses_${at % 60}`)
  for (const shop of shops) await announce(scene, shop, lanes)
  await Promise.all([deliverAll(scene.house), deliverAll(other)])
  // What one process settled while the other looked is put off for moments.
  for (let turn = 0; turn < 3_000 && seen.length < 720; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    await scene.deliver()
  }
  const ids = idsOf(seen)
  assert.deepEqual([ids.length, new Set(ids).size], [720, 720])
  for (const { tenantId } of shops) {
    for (let lane = 0; lane < 60; lane++) {
      const own = ids.filter((id) => id.startsWith(`evt_evt_${tenantId}_`) && id.endsWith(`_ses_${lane}`))
      const order = own.map((id) => Number(id.split('_')[3]))
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
        `lane ${lane} of ${tenantId}`,
      )
    }
  }
})

test('a workspace that is being deleted keeps no other’s events from being settled', {
  skip: process.env.TEST_DATABASE_URL === undefined,
}, async (t) => {
  const scene = await openScene(t)
  const [held, other] = [await scene.shop(), await scene.shop()]
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const seen = scene.receiver.play((_request, response) => {
    if (seen.length === 2) arrived.resolve()
    void gate.promise.then(() => statusOf(response, 200))
  })
  for (const shop of [held, other]) await staged(scene, shop)
  assert.equal(await scene.house.app.pump.work(never), 2)
  await arrived.promise
  const isLocked = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const deleting = scene.house.database.database.transaction(async (tx) => {
    await tx.script(`select from tenants where tenant_id = ${held.tenantId} for update`)
    isLocked.resolve()
    await mayEnd.promise
  })
  await isLocked.promise
  gate.resolve()
  await until(async () => (await waitingOf(scene, other)) === 0, 'the other’s event is settled')
  mayEnd.resolve()
  await deleting
})

test('what a dead process had claimed is sent again when its lease has ended, and it may not settle it any more', async (t) => {
  const scene = await openScene(t)
  const dying = await openHouse({ beside: scene.house, clock: scene.clock })
  t.after(() => dying.close())
  const shop = await scene.shop()
  const gate = Promise.withResolvers<void>()
  let answer = (_seen: Seen) => gate.promise
  const seen = scene.receiver.play((request, response) => void answer(request).then(() => statusOf(response, 500)))
  await staged(scene, shop)
  assert.equal(await dying.app.pump.work(never), 1)
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  await scene.deliver()
  assert.equal(seen.length, 1, 'within its lease nobody else sends it')
  scene.clock.moveOn(30 * SECOND)
  answer = async () => undefined
  await scene.deliver()
  assert.equal(seen.length, 2)
  assert.equal(seen[0]?.text, seen[1]?.text)
  // The first one comes to its end only now: its word does not count, and the event is not tried twice as often.
  gate.resolve()
  await dying.app.pump.idle()
  const attempts = await scene.attempts(shop)
  assert.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [1],
  )
  assert.equal(await waitingOf(scene, shop), 1)
})

test('a process that ends gives back what it has not sent', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const gate = Promise.withResolvers<void>()
  const seen = scene.receiver.play((_request, response) => void gate.promise.then(() => statusOf(response, 200)))
  await announce(scene, shop, ['ses_1', 'ses_1', 'ses_1'])
  const ending = await openHouse({ beside: scene.house, clock: scene.clock })
  await ending.app.pump.work(never)
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  const finished = ending.app.pump.finish?.()
  gate.resolve()
  await finished
  await ending.close()
  assert.equal(await waitingOf(scene, shop), 2)
  assert.equal(await ending.app.pump.work(never), 0)
  await scene.deliver()
  assert.equal(idsOf(seen).length, 3)
  assert.deepEqual(idsOf(seen), [...new Set(idsOf(seen))].sort())
})

test('a workspace that is deleted is told nothing more, and nothing is left of what was under way', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const gate = Promise.withResolvers<void>()
  const seen = scene.receiver.play((_request, response) => void gate.promise.then(() => statusOf(response, 500)))
  await announce(scene, shop, ['ses_1', 'ses_2', 'ses_2'])
  await scene.house.app.pump.work(never)
  while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
  assert.equal(await eraseTenant(scene.house.app.house, shop.tenantId), true)
  gate.resolve()
  await scene.deliver()
  assert.equal(seen.length, 2)
  const countLeft = unlisted<{ left: number }, { tenantId: number }>(
    'test.left_of_events',
    `select (select count(*) from outbox where tenant_id = $tenantId::int)::int
            + (select count(*) from deliveries where tenant_id = $tenantId::int)::int
            + (select count(*) from undelivered_events where tenant_id = $tenantId::int)::int as left`,
  )
  const left = await scene.house.database.database.one(countLeft, { tenantId: shop.tenantId })
  assert.equal(left?.left, 0)
})

test('a running house sends an event as soon as its change is made, without being asked', async (t) => {
  const scene = await openScene(t)
  const shop = await scene.shop()
  const seen = scene.receiver.play((_request, response) => statusOf(response, 200))
  // Nobody looks again by the clock, so that only the bell can wake the pump.
  const { promise: never } = Promise.withResolvers<never>()
  Object.assign(scene.clock, {
    wait: (_milliseconds: number, signal?: AbortSignal) =>
      signal === undefined ? never : once(signal, 'abort').then(() => Promise.reject(signal.reason)),
  })
  scene.house.app.startWork()
  await listening(scene.house.database.database)
  await staged(scene, shop)
  await until(() => seen.length > 0, 'the event is sent')
  assert.equal(seen.length, 1)
})

/** Until somebody listens: what rings before that is heard by nobody. */
async function listening(database: Database): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if ((await database.one(listeners))?.there === true) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('nobody listened')
}

// The embedded engine has one session, which listens itself; on a server it is another one.
const listeners = unlisted<{ there: boolean }>(
  'test.listeners',
  `select exists (select 1 from pg_listening_channels())
       or exists (select 1 from pg_stat_activity where datname = current_database() and query like 'listen %' and state = 'idle') as there`,
)

// Three instances on one database, and a line that belongs to none of them: a request comes at one, a listener asks at another, and
// answers at the third.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { LISTEN_MOST } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { stopwatch } from '../../../testkit/stopwatch.ts'
import { PATIENCE_MS, until as patiently } from '../../../testkit/until.ts'
import { DatabaseUnavailable, unlisted } from '../../kernel/db/index.ts'
import { listeningDuties } from './duties.ts'
import type { Listeners, Relayed } from './listeners.ts'
import { openListeners } from './open-listeners.ts'

// Nobody waits as long for what must come.
const late = AbortSignal.timeout(10 * PATIENCE_MS)
const ANA = { listener: 'laptop-of-ana' }
const BO = { listener: 'laptop-of-bo' }
const sent = (body: string) => ({ headers: { 'x-service-signature': `sha256=of-${body}` }, body })
const bodies = ({ requests }: { requests: readonly { body: string }[] }) => requests.map(({ body }) => body)
const said = (relayed: Relayed) => (relayed.kind === 'answered' ? relayed.answer.body : relayed.kind)

let house: OpenHouse
before(async () => {
  house = await openHouse({ shared: true })
})
after(() => house.close())

const newInstance = (): Listeners => openListeners(house.app.house, true)

/** A workspace with a listener, and the instances. */
async function listening() {
  const [one, two, three] = [newInstance(), newInstance(), newInstance()]
  const { tenantId, name } = await house.tenant()
  const { epoch } = await one.take(tenantId, ANA, late)
  const close = () => {
    for (const each of [one, two, three]) each.close()
  }
  return { one, two, three, tenantId, name, epoch, close }
}

type KeptRow = { number: number; given: boolean; request: string | null; answer: string | null }
const keptRows = unlisted<KeptRow, { tenantId: number }>(
  'test.kept_requests',
  'select number, given, request, answer from listener_requests where tenant_id = $tenantId::int order by number',
)
const kept = (tenantId: number) => house.database.database.rows(keptRows, { tenantId })

const until = (holds: () => Promise<boolean>): Promise<void> => patiently(holds, String(holds), 20)
const isPut = (tenantId: number, count: number) => until(async () => (await kept(tenantId)).length === count)

test('what is delivered at one instance is taken at another and answered at a third, and nothing is left of it', async () => {
  const { one, two, three, tenantId, epoch, close } = await listening()
  const taking = two.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)
  const delivering = one.deliver(tenantId, sent('the card number'), late)
  const { requests, displaced } = await taking
  assert.deepEqual([requests, displaced], [[{ number: 1, ...sent('the card number') }], false])
  const [row] = await kept(tenantId)
  assert.match(row?.request ?? '', /^enc:v1:[\w:-]+$/)
  const answers = [{ number: 1, status: 200, body: 'paid' }]
  assert.equal(await three.answer(tenantId, { ...ANA, epoch, answers }), 1)
  assert.equal(await two.answer(tenantId, { ...ANA, epoch, answers }), 0, 'once')
  const [answered] = await kept(tenantId)
  if (answered !== undefined) {
    assert.equal(answered.request, null, 'it is not kept until somebody has read the answer')
    assert.match(answered.answer ?? '', /^enc:v1:[\w:-]+$/)
  }
  assert.equal(said(await delivering), 'paid')
  assert.deepEqual(await kept(tenantId), [])
  close()
})

test('an instance that is asked for what another one gave, and whose answer was lost, gives it again, and no later one before', async () => {
  const { one, two, three, tenantId, epoch, close } = await listening()
  const delivered = [one.deliver(tenantId, sent('a'), late)]
  await isPut(tenantId, 1)
  delivered.push(two.deliver(tenantId, sent('b'), late))
  await isPut(tenantId, 2)
  for (const instance of [two, three])
    assert.deepEqual(bodies(await instance.take(tenantId, { ...ANA, epoch }, late)), ['a', 'b'])
  assert.deepEqual(bodies(await one.take(tenantId, { ...ANA, epoch, received: 1 }, late)), ['b'])
  const answers = [1, 2].map((number) => ({ number, status: 204 }))
  assert.equal(await three.answer(tenantId, { ...ANA, epoch, answers }), 2)
  assert.deepEqual(
    (await Promise.all(delivered)).map(({ kind }) => kind),
    ['answered', 'answered'],
  )
  close()
})

test('nothing is put on a line where nobody listens, nor more than a listener has in hand, nor kept of a sender who left', async () => {
  const { one, two, three, tenantId, epoch, close } = await listening()
  const other = await house.tenant()
  assert.deepEqual(await two.deliver(other.tenantId, sent('x'), late), { kind: 'nobody' })
  const leaving = new AbortController()
  const left = one.deliver(tenantId, sent('left'), leaving.signal)
  await isPut(tenantId, 1)
  leaving.abort()
  assert.deepEqual(await left, { kind: 'left' })
  assert.deepEqual(bodies(await two.take(tenantId, { ...ANA, epoch }, late)), [])
  const waiting = Array.from({ length: 64 }, (_, at) => (at % 2 ? one : three).deliver(tenantId, sent(`${at}`), late))
  await isPut(tenantId, 64)
  assert.deepEqual(await two.deliver(tenantId, sent('more'), late), { kind: 'full' })
  assert.equal((await two.take(tenantId, { ...ANA, epoch }, late)).requests.length, LISTEN_MOST)
  close()
  const ends = (await Promise.all(waiting)).map(({ kind }) => kind)
  assert.deepEqual(
    [ends.filter((kind) => kind === 'cut').length, ends.filter((kind) => kind === 'nobody').length],
    [LISTEN_MOST, 64 - LISTEN_MOST],
    'only what was given to the listener may have been done',
  )
  assert.deepEqual(await kept(tenantId), [])
  await house.database.database.script(
    `update listener_lines set ${setBack('seen_at', '16 seconds')} where tenant_id = ${tenantId}`,
  )
  assert.deepEqual(await newInstance().deliver(tenantId, sent('late'), late), { kind: 'nobody' })
})

test('an instance that is taken out lets its listener go on elsewhere at once, and what it was asked to deliver is answered', async () => {
  const { one, two, tenantId, epoch, close } = await listening()
  const waiting = two.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)
  await pause(300)
  const took = stopwatch()
  two.drain()
  assert.deepEqual(await waiting, { epoch, displaced: false, requests: [] })
  // A balancer goes on sending here for a while: that is served, and whoever finds nothing comes back soon, but not at once.
  const askedAt = performance.now()
  assert.deepEqual(await two.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late), {
    epoch,
    displaced: false,
    requests: [],
  })
  assert.ok(performance.now() - askedAt >= 900)
  assert.ok(took() < 15_000, `${took()} ms, and not the 25 s that were asked for`)
  const before = two.deliver(tenantId, sent('before'), late)
  await isPut(tenantId, 1)
  two.close()
  const afterwards = two.deliver(tenantId, sent('afterwards'), late)
  await isPut(tenantId, 2)
  const { requests } = await one.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)
  assert.deepEqual(bodies({ requests }), ['before', 'afterwards'])
  const answers = requests.map(({ number, body }) => ({ number, status: 200, body: `${body}: done` }))
  assert.equal(await one.answer(tenantId, { ...ANA, epoch, answers }), 2)
  assert.deepEqual((await Promise.all([before, afterwards])).map(said), ['before: done', 'afterwards: done'])
  close()
})

test('an instance that stops waits for the answer to what it delivered only for seconds', async () => {
  const { one, tenantId, close } = await listening()
  const delivering = one.deliver(tenantId, sent('a'), late)
  await isPut(tenantId, 1)
  one.close()
  assert.deepEqual(await delivering, { kind: 'nobody' })
  assert.deepEqual(await one.deliver(tenantId, sent('b'), late), { kind: 'nobody' })
  close()
})

test('a tenant that is being deleted holds up no other tenant’s requests', {
  skip: process.env.TEST_DATABASE_URL === undefined,
}, async () => {
  const [held, other] = [await listening(), await listening()]
  // Both wait on one instance, and both of its listeners.
  const { one, two, three, tenantId, epoch } = other
  const waiting = [held, other].map((line) =>
    one.take(line.tenantId, { ...ANA, epoch: line.epoch, waitSeconds: 20 }, late),
  )
  const leaving = new AbortController()
  const stuck = three.deliver(held.tenantId, sent('stuck'), leaving.signal)
  await isPut(held.tenantId, 1)
  await waiting[0]
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const deleting = house.database.database.transaction(async (tx) => {
    await tx.script(`select from tenants where tenant_id = ${held.tenantId} for update;
      update listener_lines set last = last where tenant_id = ${held.tenantId};
      update listener_requests set bytes = bytes where tenant_id = ${held.tenantId}`)
    locked()
    await mayEnd
  })
  await isLocked
  const delivering = three.deliver(tenantId, sent('a'), late)
  assert.deepEqual(bodies((await waiting[1]) ?? assert.fail()), ['a'])
  // Longer than a request is given and answered of which nobody says that it is awaited.
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  assert.equal(await two.answer(tenantId, { ...ANA, epoch, answers: [{ number: 1, status: 200, body: 'done' }] }), 1)
  assert.equal(said(await delivering), 'done')
  end()
  await deleting
  leaving.abort()
  await stuck
  held.close()
  other.close()
})

test('a new listener takes over at any instance, and the old one learns it where it waits', async () => {
  const { one, two, three, tenantId, epoch, close } = await listening()
  const waiting = two.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)
  const second = await three.take(tenantId, BO, late)
  assert.deepEqual([second.displaced, second.epoch], [false, epoch])
  assert.equal((await waiting).displaced, true)
  assert.equal((await one.take(tenantId, { ...ANA, epoch }, late)).displaced, true)
  assert.equal((await one.take(tenantId, { ...ANA, epoch: 'of-a-line-before' }, late)).displaced, true)
  assert.equal(await one.answer(tenantId, { ...ANA, epoch, answers: [{ number: 1, status: 200 }] }), 0)
  const delivering = one.deliver(tenantId, sent('a'), late)
  assert.deepEqual(bodies(await two.take(tenantId, { ...BO, epoch, waitSeconds: 25 }, late)), ['a'])
  await three.answer(tenantId, { ...BO, epoch, answers: [{ number: 1, status: 200, body: 'yes' }] })
  assert.equal(said(await delivering), 'yes')
  close()
})

test('an instance that stops sends listeners on, who are still listening at the next one', async () => {
  const { one, two, tenantId, epoch, close } = await listening()
  const waiting = two.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)
  two.close()
  assert.deepEqual(await waiting, { epoch, displaced: false, requests: [] })
  assert.deepEqual(await two.take(tenantId, ANA, late), { epoch: '', displaced: false, requests: [] })
  assert.deepEqual(await two.deliver(tenantId, sent('a'), late), { kind: 'nobody' })
  const delivering = one.deliver(tenantId, sent('b'), late)
  assert.deepEqual(bodies(await one.take(tenantId, { ...ANA, epoch, waitSeconds: 25 }, late)), ['b'])
  close()
  assert.deepEqual(await delivering, { kind: 'cut' })
})

test('what an instance was waiting for that was killed is given to nobody a moment later, and forgotten', async () => {
  const { one, tenantId, epoch, close } = await listening()
  const { db } = house.app.house
  let dead = false
  const unless =
    <Work extends (...asked: never[]) => Promise<unknown>>(work: Work) =>
    (...asked: Parameters<Work>) =>
      dead ? Promise.reject(new DatabaseUnavailable('The process was killed.')) : work(...asked)
  const killed = openListeners(
    {
      ...house.app.house,
      db: {
        ...db,
        rows: unless(db.rows) as typeof db.rows,
        one: unless(db.one) as typeof db.one,
        run: unless(db.run) as typeof db.run,
      },
    },
    true,
  )
  void killed.deliver(tenantId, sent('a'), late)
  await isPut(tenantId, 1)
  dead = true
  await until(async () => bodies(await one.take(tenantId, { ...ANA, epoch }, late)).length === 0)
  assert.equal(await one.answer(tenantId, { ...ANA, epoch, answers: [{ number: 1, status: 200 }] }), 0)
  const [forgetLeft, forgetSilent] = listeningDuties(house.app.house)
  await forgetLeft?.work(late)
  assert.equal((await kept(tenantId)).length, 1, 'not yet')
  const { database } = house.database
  await database.script(
    `update listener_requests set ${setBack('awaited_until', '1 minute')} where tenant_id = ${tenantId}`,
  )
  await forgetLeft?.work(late)
  assert.deepEqual(await kept(tenantId), [])
  await database.script(`update listener_lines set ${setBack('seen_at', '2 hours')} where tenant_id = ${tenantId}`)
  await forgetSilent?.work(late)
  assert.notEqual((await one.take(tenantId, { ...ANA, epoch }, late)).epoch, epoch)
  killed.close()
  close()
})

test('where the database has lost it, as after a crash, nobody knows whether it was given, and the listener begins anew', async () => {
  const { one, two, tenantId, epoch, close } = await listening()
  const taking = two.take(tenantId, { ...ANA, epoch, received: 7, waitSeconds: 25 }, late)
  const delivering = one.deliver(tenantId, sent('a'), late)
  await isPut(tenantId, 1)
  await house.database.database.script('delete from listener_requests; delete from listener_lines')
  assert.deepEqual(await delivering, { kind: 'cut' })
  const { displaced, requests } = await taking
  assert.deepEqual([displaced, requests], [false, []])
  const again = await one.take(tenantId, { ...ANA, epoch, received: 7 }, late)
  assert.deepEqual([again.displaced, again.epoch === epoch], [false, false])
  const delivered = two.deliver(tenantId, sent('b'), late)
  const { requests: anew } = await one.take(tenantId, { ...ANA, epoch, received: 7, waitSeconds: 25 }, late)
  assert.deepEqual(
    anew.map(({ number }) => number),
    [1],
    'counted anew',
  )
  close()
  assert.deepEqual(await delivered, { kind: 'cut' })
})

test('a workspace that is deleted has no line, and what waited for it ends', async () => {
  const { one, two, tenantId, name, epoch, close } = await listening()
  const delivering = one.deliver(tenantId, sent('a'), late)
  await isPut(tenantId, 1)
  const body = { confirm: name }
  const gone = await house.ask('DELETE', `/v1/tenants/${tenantId}`, { key: house.operatorKey, body })
  assert.ok(gone.status < 300, gone.text)
  assert.deepEqual(await delivering, { kind: 'cut' })
  assert.equal((await two.take(tenantId, { ...ANA, epoch }, late)).displaced, true)
  assert.deepEqual(await two.deliver(tenantId, sent('b'), late), { kind: 'nobody' })
  close()
})

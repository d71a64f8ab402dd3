import assert from 'node:assert/strict'
import test from 'node:test'
import { LISTEN_MOST } from '@tether/contract'
import { openOwnListeners } from './listeners.ts'

const never = new AbortController().signal
const ANA = { listener: 'laptop-of-ana' }
const BO = { listener: 'laptop-of-bo' }
const sent = (body: string) => ({ headers: { 'content-type': 'application/json' }, body })
const bodies = ({ requests }: { requests: readonly { body: string }[] }) => requests.map(({ body }) => body)

/** A listener that is there. */
async function listening(clock?: () => number) {
  const listeners = openOwnListeners(clock)
  const { epoch } = await listeners.take(1, ANA, never)
  return { listeners, epoch }
}

test('what is delivered is taken by its position, and a taking whose answer was lost takes the same again', async () => {
  const { listeners, epoch } = await listening()
  const delivered = [listeners.deliver(1, sent('a'), never), listeners.deliver(1, sent('b'), never)]
  for (const received of [undefined, 0])
    assert.deepEqual(
      bodies(await listeners.take(1, { ...ANA, epoch, ...(received === undefined ? {} : { received }) }, never)),
      ['a', 'b'],
    )
  assert.deepEqual(bodies(await listeners.take(1, { ...ANA, epoch, received: 1 }, never)), ['b'])
  assert.deepEqual(bodies(await listeners.take(1, { ...ANA, epoch, received: 2 }, never)), [])
  const answers = [
    { number: 2, status: 204 },
    { number: 1, status: 200, body: 'yes' },
    { number: 3, status: 200 },
  ]
  assert.equal(listeners.answer(1, { ...ANA, epoch, answers }), 2)
  const said = (await Promise.all(delivered)).map((one) => (one.kind === 'answered' ? one.answer.status : one.kind))
  assert.deepEqual(said, [200, 204])
  assert.equal(listeners.answer(1, { ...ANA, epoch, answers }), 0, 'once')
})

test('whoever waits is woken by what comes', async () => {
  const { listeners, epoch } = await listening()
  const taking = listeners.take(1, { ...ANA, epoch, waitSeconds: 25 }, never)
  void listeners.deliver(1, sent('a'), never)
  assert.deepEqual(bodies(await taking), ['a'])
})

test('nothing is kept for a workspace without a listener, nor of a sender who left, nor more than a listener has in hand', async () => {
  let now = 0
  const { listeners, epoch } = await listening(() => now)
  assert.deepEqual(await listeners.deliver(2, sent('a'), never), { kind: 'nobody' }, 'of another workspace')
  const leaving = new AbortController()
  const left = listeners.deliver(1, sent('a'), leaving.signal)
  leaving.abort()
  assert.deepEqual(await left, { kind: 'left' })
  assert.deepEqual(bodies(await listeners.take(1, { ...ANA, epoch }, never)), [])
  const waiting = Array.from({ length: 64 }, () => listeners.deliver(1, sent('b'), never))
  assert.deepEqual(await listeners.deliver(1, sent('c'), never), { kind: 'full' })
  const first = await listeners.take(1, { ...ANA, epoch }, never)
  assert.equal(first.requests.length, LISTEN_MOST)
  now += 20_000
  assert.deepEqual(await listeners.deliver(1, sent('d'), never), { kind: 'nobody' }, 'it has not asked for long')
  listeners.close()
  const ends = (await Promise.all(waiting)).map(({ kind }) => kind)
  assert.deepEqual(
    [ends.filter((kind) => kind === 'cut').length, ends.filter((kind) => kind === 'nobody').length],
    [LISTEN_MOST, 64 - LISTEN_MOST],
    'only what was given to the listener may have been done',
  )
})

test('a new listener takes over, and the old one learns it; one that comes back after a restart does not', async () => {
  const { listeners, epoch } = await listening()
  const waiting = listeners.take(1, { ...ANA, epoch, waitSeconds: 25 }, never)
  const second = await listeners.take(1, BO, never)
  assert.deepEqual([second.displaced, second.epoch], [false, epoch])
  assert.equal((await waiting).displaced, true)
  assert.equal((await listeners.take(1, { ...ANA, epoch }, never)).displaced, true)
  assert.equal((await listeners.take(1, { ...ANA, epoch: 'of-the-process-before' }, never)).displaced, true)
  assert.equal(listeners.answer(1, { ...ANA, epoch, answers: [{ number: 1, status: 200 }] }), 0)
  void listeners.deliver(1, sent('a'), never)
  assert.deepEqual(bodies(await listeners.take(1, { ...BO, epoch }, never)), ['a'])

  const restarted = openOwnListeners()
  const back = await restarted.take(1, { ...ANA, epoch, received: 7 }, never)
  assert.deepEqual([back.displaced, back.epoch === epoch], [false, false])
  void restarted.deliver(1, sent('b'), never)
  assert.deepEqual(bodies(await restarted.take(1, { ...ANA, epoch, received: 7 }, never)), ['b'], 'counted anew')
})

test('a service that stops sends listeners away without taking their place from them', async () => {
  const { listeners, epoch } = await listening()
  const waiting = listeners.take(1, { ...ANA, epoch, waitSeconds: 25 }, never)
  listeners.close()
  assert.deepEqual(await waiting, { epoch, displaced: false, requests: [] })
  assert.deepEqual(await listeners.take(1, { ...ANA, epoch, waitSeconds: 25 }, never), {
    epoch,
    displaced: false,
    requests: [],
  })
  assert.deepEqual(await listeners.deliver(1, sent('a'), never), { kind: 'nobody' })
})

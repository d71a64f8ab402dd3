import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openLimiter } from './open-limiter.ts'
import type { BucketLimit, MaybePromise, Verdict } from './verdict.ts'

const windowMs = 100

/** A limiter whose clock and timers the test moves, a millisecond at a time. */
function openHeldStill(t: TestContext, queueLimit: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let ms = 0
  const limiter = openLimiter({ queueLimit, windowMs, now: () => ms, warn: assert.fail })
  const seen: string[] = []
  return {
    limiter,
    seen,
    async advance(by: number) {
      // Who asked just now stands in line before the time moves.
      await turn()
      for (const end = ms + by; ms < end; ) {
        ms += 1
        t.mock.timers.tick(1)
        await turn()
      }
    },
    /** Asks, and notes when and how it is answered. */
    async ask(label: string, asked: MaybePromise<Verdict>) {
      const verdict = await asked
      seen.push(`${label} ${verdict.admitted ? 'in' : 'out'} at ${ms}`)
    },
  }
}

const on = (bucket: string, limit: number): BucketLimit => ({ name: bucket, bucket, limit })

test('without a queue a refusal is given at once', async (t) => {
  const { limiter } = openHeldStill(t, 0)
  assert.equal((await limiter.take('a:1', 1)).admitted, true)
  const refused = limiter.take('a:1', 1)
  // Not even a promise: nothing is waited for.
  assert.ok(!(refused instanceof Promise) && !refused.admitted)
})

test('as many as the queue holds wait for their permit, in order; the next one is refused at once', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 2)
  const asked = ['first', 'second', 'third', 'fourth'].map((label) => ask(label, limiter.take('a:1', 1)))
  await advance(3 * windowMs - 1)
  await Promise.all(asked)
  assert.deepEqual(seen, ['first in at 0', 'fourth out at 0', 'second in at 100', 'third in at 200'])
  // The line is gone with the last who stood in it.
  await advance(1)
  await ask('fifth', limiter.take('a:1', 1))
  assert.equal(seen.at(-1), 'fifth in at 300')
})

test('one permit after another, as they come back', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 9)
  for (const label of ['a', 'b', 'c']) {
    await ask(label, limiter.take('a:1', 3))
    await advance(20)
  }
  const asked = ['d', 'e', 'f'].map((label) => ask(label, limiter.take('a:1', 3)))
  await advance(windowMs)
  await Promise.all(asked)
  assert.deepEqual(seen.slice(3), ['d in at 100', 'e in at 120', 'f in at 140'])
})

test('nobody overtakes those who wait, not even when a permit is free', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 5)
  await limiter.take('a:1', 2)
  await advance(50)
  await limiter.take('a:1', 2)
  const early = ask('early', limiter.take('a:1', 1))
  await advance(60)
  // For the one who asks with the higher ceiling there is room, but someone stands before it.
  const late = ask('late', limiter.take('a:1', 2))
  await turn()
  assert.deepEqual(seen, [])
  await advance(windowMs)
  await Promise.all([early, late])
  assert.deepEqual(seen, ['early in at 150', 'late in at 150'])
})

test('a visitor who waits does not hold up the others of the key', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 3)
  const lane = on('runtime:k', 100)
  await limiter.takeAll([lane, on('visitor:1', 1)])
  const loud = ask('loud', limiter.takeAll([lane, on('visitor:1', 1)]))
  await turn()
  await ask('calm', limiter.takeAll([lane, on('visitor:2', 1)]))
  await advance(windowMs)
  await loud
  assert.deepEqual(seen, ['calm in at 0', 'loud in at 100'])
})

test('who is let through by one bucket and refused by another waits for the other', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 1)
  await limiter.take('visitor:1', 1)
  const both = ask('both', limiter.takeAll([on('runtime:k', 1), on('visitor:1', 1)]))
  await advance(60)
  await ask('lane', limiter.take('runtime:k', 1))
  await advance(windowMs)
  await both
  assert.deepEqual(seen, ['lane in at 60', 'both in at 160'])
})

test('who finds the other line full is refused', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 1)
  await limiter.take('visitor:1', 1)
  const both = ask('both', limiter.takeAll([on('runtime:k', 1), on('visitor:1', 1)]))
  await advance(60)
  await limiter.take('runtime:k', 1)
  const other = ask('other', limiter.take('runtime:k', 1))
  await advance(windowMs)
  await Promise.all([both, other])
  assert.deepEqual(seen, ['both out at 100', 'other in at 160'])
})

test('one who gives up frees its place and spends nothing', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 1)
  await limiter.take('a:1', 1)
  const patience = new AbortController()
  const refusal = assert.rejects(async () => limiter.take('a:1', 1, patience.signal), { message: 'gone' })
  await advance(10)
  await ask('no room', limiter.take('a:1', 1))
  patience.abort(new Error('gone'))
  await refusal
  const next = ask('next', limiter.take('a:1', 1))
  await advance(windowMs)
  await next
  assert.deepEqual(seen, ['no room out at 10', 'next in at 100'])
})

test('one in the middle of the line gives up, and the others keep their order', async (t) => {
  const { limiter, seen, ask, advance } = openHeldStill(t, 3)
  await limiter.take('a:1', 1)
  const patience = new AbortController()
  const first = ask('first', limiter.take('a:1', 1))
  const refusal = assert.rejects(async () => limiter.take('a:1', 1, patience.signal))
  const third = ask('third', limiter.take('a:1', 1))
  await advance(10)
  patience.abort()
  await refusal
  await advance(2 * windowMs)
  await Promise.all([first, third])
  assert.deepEqual(seen, ['first in at 100', 'third in at 200'])
})

test('one who has given up already is not let into the line', async (t) => {
  const { limiter } = openHeldStill(t, 1)
  await limiter.take('a:1', 1)
  await assert.rejects(async () => limiter.take('a:1', 1, AbortSignal.abort(new Error('gone'))), { message: 'gone' })
})

test('a ceiling of 0 is not waited for', async (t) => {
  const { limiter, seen, ask } = openHeldStill(t, 5)
  await ask('one', limiter.take('a:1', 0))
  assert.deepEqual(seen, ['one out at 0'])
})

test('closing answers those who wait with their refusal, and nobody waits after it', async (t) => {
  const { limiter } = openHeldStill(t, 5)
  await limiter.take('a:1', 1)
  const waiting = [limiter.take('a:1', 1), limiter.take('a:1', 1)]
  await turn()
  await limiter.close()
  for (const verdict of [...(await Promise.all(waiting)), await limiter.take('a:1', 1)]) {
    assert.equal(verdict.admitted, false)
    assert.ok(verdict.retryAfterSeconds >= 1)
  }
})

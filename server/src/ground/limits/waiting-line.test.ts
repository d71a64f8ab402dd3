import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openLimiter } from './open-limiter.ts'
import type { MaybePromise, Spend, Verdict } from './verdict.ts'

const windowMs = 200

const open = (queueLimit: number) =>
  openLimiter({ queueLimit, windowMs, now: () => performance.now(), warn: assert.fail })

const on = (bucket: string, limit: number): Spend => ({ name: bucket, bucket, limit })

/** Notes in which order the answers come. */
function arrivals() {
  const seen: string[] = []
  const note = async (label: string, asked: MaybePromise<Verdict>) => {
    const verdict = await asked
    seen.push(`${label} ${verdict.admitted ? 'in' : 'out'}`)
  }
  return { seen, note }
}

test('without a queue a refusal is given at once', async () => {
  const limiter = open(0)
  assert.equal((await limiter.take('a:1', 1)).admitted, true)
  // Not even a promise: nothing is waited for.
  assert.equal((limiter.take('a:1', 1) as Verdict).admitted, false)
  await limiter.close()
})

test('as many as the queue holds wait for their permit, in order; the next one is refused at once', async () => {
  const limiter = open(2)
  const { seen, note } = arrivals()
  const started = performance.now()
  await note('first', limiter.take('a:1', 1))
  const waiting = [note('second', limiter.take('a:1', 1)), note('third', limiter.take('a:1', 1))]
  await note('fourth', limiter.take('a:1', 1))
  assert.deepEqual(seen, ['first in', 'fourth out'])
  await Promise.all(waiting)
  assert.deepEqual(seen.slice(2), ['second in', 'third in'])
  // One permit per window, so the third came in two windows after the first.
  const elapsed = performance.now() - started
  assert.ok(elapsed >= 2 * windowMs, `${elapsed} ms`)
  await limiter.close()
})

test('nobody overtakes those who wait', async () => {
  const limiter = open(5)
  const { seen, note } = arrivals()
  await limiter.take('a:1', 1)
  const early = note('early', limiter.take('a:1', 1))
  // A permit is free in the very moment in which the line is about to be served: the newcomer must stand behind all the same.
  const free = performance.now() + windowMs
  await pause(windowMs - 30)
  while (performance.now() < free) {}
  const late = note('late', limiter.take('a:1', 1))
  await Promise.all([early, late])
  assert.deepEqual(seen, ['early in', 'late in'])
  await limiter.close()
})

test('a visitor who waits does not hold up the others of the key', async () => {
  const limiter = open(3)
  const lane = on('runtime:k', 100)
  await limiter.takeAll([lane, on('visitor:1', 1)])
  const loud = limiter.takeAll([lane, on('visitor:1', 1)])
  const started = performance.now()
  assert.equal((await limiter.takeAll([lane, on('visitor:2', 1)])).admitted, true)
  assert.ok(performance.now() - started < windowMs / 2)
  assert.equal((await loud).admitted, true)
  await limiter.close()
})

test('who is let through by one bucket and refused by another waits for the other', async () => {
  const limiter = open(1)
  const { seen, note } = arrivals()
  await limiter.take('visitor:1', 1)
  const both = note('both', limiter.takeAll([on('runtime:k', 1), on('visitor:1', 1)]))
  await pause(windowMs / 2)
  await note('lane', limiter.take('runtime:k', 1))
  await both
  assert.deepEqual(seen, ['lane in', 'both in'])
  await limiter.close()
})

test('one who gives up frees its place and spends nothing', async () => {
  const limiter = open(1)
  await limiter.take('a:1', 1)
  const patience = new AbortController()
  const impatient = limiter.take('a:1', 1, patience.signal)
  const refusal = assert.rejects(async () => impatient, { message: 'gone' })
  await pause(10)
  assert.equal((await limiter.take('a:1', 1)).admitted, false)
  patience.abort(new Error('gone'))
  await refusal
  const started = performance.now()
  const next = await limiter.take('a:1', 1)
  assert.equal(next.admitted, true)
  assert.ok(performance.now() - started < windowMs + 50, 'it waited for the first permit, not for a second one')
  await limiter.close()
})

test('one who has given up already is not let into the line', async () => {
  const limiter = open(1)
  await limiter.take('a:1', 1)
  await assert.rejects(async () => limiter.take('a:1', 1, AbortSignal.abort(new Error('gone'))), { message: 'gone' })
  await limiter.close()
})

test('a ceiling of 0 is not waited for', async () => {
  const limiter = open(5)
  const started = performance.now()
  assert.equal((await limiter.take('a:1', 0)).admitted, false)
  assert.ok(performance.now() - started < windowMs / 2)
  await limiter.close()
})

test('closing answers those who wait with their refusal', async () => {
  const limiter = open(5)
  await limiter.take('a:1', 1)
  const waiting = [limiter.take('a:1', 1), limiter.take('a:1', 1)]
  await pause(10)
  await limiter.close()
  for (const verdict of await Promise.all(waiting)) {
    assert.equal(verdict.admitted, false)
    assert.ok(verdict.retryAfterSeconds >= 1)
  }
})

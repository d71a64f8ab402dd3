import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movableClock } from './clock.ts'

test('time stands still until it is moved', async () => {
  const clock = movableClock(1000)
  assert.equal(clock.now(), 1000)
  await clock.advance(250)
  assert.equal(clock.now(), 1250)
})

test('waits end in the order of their time, and see that time', async () => {
  const clock = movableClock(0)
  const seen: string[] = []
  const note = async (name: string, milliseconds: number): Promise<void> => {
    await clock.wait(milliseconds)
    seen.push(`${name} at ${clock.now()}`)
  }
  const all = Promise.all([note('late', 300), note('early', 100), note('never yet', 1001)])
  await clock.advance(1000)
  assert.deepEqual(seen, ['early at 100', 'late at 300'])
  assert.deepEqual([clock.now(), clock.waiting()], [1000, 1])
  await clock.advance(1)
  await all
})

test('a loop runs as often as the time allows', async () => {
  const clock = movableClock(0)
  const stop = new AbortController()
  let turns = 0
  const loop = (async () => {
    for (;;) {
      await clock.wait(100, stop.signal)
      turns++
    }
  })()
  await clock.advance(1000)
  assert.equal(turns, 10)
  stop.abort()
  await assert.rejects(loop, { name: 'AbortError' })
  assert.equal(clock.waiting(), 0)
})

test('a wait whose signal is already aborted does not begin', async () => {
  const clock = movableClock(0)
  await assert.rejects(clock.wait(1, AbortSignal.abort()), { name: 'AbortError' })
  assert.equal(clock.waiting(), 0)
})

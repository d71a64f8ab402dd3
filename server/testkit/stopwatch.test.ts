import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { processorMs } from './processor.ts'
import { stopwatch, timed } from './stopwatch.ts'

test('waiting counts, and so does work that lets nothing else run', async () => {
  // A slow machine can only take from what is counted, so that the best of several rounds decides.
  let most = 0
  for (let round = 0; round < 20 && most < 100; round++) most = Math.max(most, (await timed(() => pause(200))).ms)
  assert.ok(most >= 100, `${most} of 200 ms of waiting`)
  const stop = stopwatch()
  const until = processorMs() + 100
  while (processorMs() < until);
  const worked = stop()
  assert.ok(worked >= 100, `${worked} of 100 ms of work`)
})

test('what keeps the thread from running does not count', () => {
  const stop = stopwatch()
  // The thread is put to sleep as the machine would: neither its timers nor its processor go on.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  const counted = stop()
  assert.ok(counted < 100, `${counted} ms of a sleep of 300 ms`)
})

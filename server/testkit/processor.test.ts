import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Work } from '../src/kernel/json/index.ts'
import { assertLoopTurnsTakeLess, assertTakesLess, assertTurnsTakeLess, processorMs } from './processor.ts'

function burn(ms: number): void {
  for (const until = processorMs() + ms; processorMs() < until; );
}

/** Each turn of each run takes the given milliseconds. */
function workOf(...runs: readonly number[][]): { begin: () => Work<number>; begun: () => number } {
  let begun = 0
  function* turns(run: number): Work<number> {
    for (const ms of runs[run] ?? []) {
      burn(ms)
      yield
    }
    return run
  }
  return { begin: () => turns(begun++), begun: () => begun }
}

test('the processor time moves in steps of far less than a turn', () => {
  const steps = Array.from({ length: 21 }, () => {
    const before = processorMs()
    for (;;) {
      const step = processorMs() - before
      if (step > 0) return step
    }
  })
  const median = steps.sort((a, b) => a - b)[10]
  assert.ok(median !== undefined && median < 0.5, `${median} ms`)
})

// The limits that a run must pass are far above a collection of garbage. A run that must fail only has to burn its time.

test('returns the result of the first run that is under the limit', () => {
  const costs = [120, 0, 120]
  const result = assertTakesLess(100, () => {
    const cost = costs.shift() ?? 0
    burn(cost)
    return cost
  })
  assert.equal(result, 0)
  assert.deepEqual(costs, [120])
})

test('fails when three runs take too long, and reports the time of each', () => {
  let runs = 0
  const slow = () => {
    runs++
    burn(10)
  }
  assert.throws(
    () => assertTakesLess(10, slow, 'a slow loop'),
    /a slow loop took \d\S+, \d\S+, \d\S+ ms; the limit is 10 ms/,
  )
  assert.equal(runs, 3)
})

test('one long turn fails its run, and so do short turns that together exceed the total', () => {
  const interrupted = workOf([0, 120, 0], [0, 0, 0])
  assert.equal(assertTurnsTakeLess({ turn: 100 }, interrupted.begin), 1)
  const holding = workOf([0, 10], [0, 10], [10, 0], [0, 0])
  assert.throws(() => assertTurnsTakeLess({ turn: 10 }, holding.begin, 'the hold'), /the hold took \d/)
  assert.equal(holding.begun(), 3)
  const long = workOf([5, 5, 5], [5, 5, 5], [5, 5, 5])
  assert.throws(() => assertTurnsTakeLess({ turn: 1_000, total: 15 }, long.begin), /ms in all/)
})

test('a turn of the event loop that takes too long fails its run, and so does the turn that ends the work', async () => {
  const costs = [120, 0]
  const lessEachTime = async () => {
    const cost = costs.shift() ?? 120
    await pause(1)
    burn(cost)
    await pause(1)
    return cost
  }
  assert.equal(await assertLoopTurnsTakeLess(100, lessEachTime), 0)
  for (const slow of [
    async () => burn(10),
    async () => {
      await pause(1)
      burn(10)
    },
    async () => {
      await pause(1)
      burn(10)
      await pause(1)
    },
  ])
    await assert.rejects(
      assertLoopTurnsTakeLess(10, slow, 'the hold'),
      /the hold took \d\S+, \d\S+, \d\S+ ms at a time/,
    )
})

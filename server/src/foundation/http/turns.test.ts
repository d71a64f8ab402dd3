import assert from 'node:assert/strict'
import test from 'node:test'
import { openTurns } from './turns.ts'

const nextLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('admits one caller per turn of the event loop, in the order in which they came', async () => {
  const turns = openTurns()
  const admitted: number[] = []
  for (const caller of [0, 1, 2]) void turns.next().then(() => admitted.push(caller))
  for (const expected of [[0], [0, 1], [0, 1, 2]]) {
    await nextLoopTurn()
    assert.deepEqual(admitted, expected)
  }
  // A queue that has drained admits again.
  await turns.next()
})

test('an answer of 200 kB uses up three turns', async () => {
  const turns = openTurns()
  let isAdmitted = false
  turns.charge(200_000)
  void turns.next().then(() => {
    isAdmitted = true
  })
  for (let turn = 0; turn < 3; turn++) {
    await nextLoopTurn()
    assert.equal(isAdmitted, false)
  }
  await nextLoopTurn()
  assert.equal(isAdmitted, true)
})

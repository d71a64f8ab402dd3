import assert from 'node:assert/strict'
import test from 'node:test'
import { openTurns } from './turns.ts'

const nextLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('admits one caller per turn of the event loop, in the order in which they came', async () => {
  const turns = openTurns()
  const admitted: number[] = []
  for (const caller of [0, 1, 2]) void turns.next('a').then(() => admitted.push(caller))
  for (const expected of [[0], [0, 1], [0, 1, 2]]) {
    await nextLoopTurn()
    assert.deepEqual(admitted, expected)
  }
  // A queue that has drained admits again.
  await turns.next('a')
})

test('lines take turns: a new line waits for one caller of a long one', async () => {
  const turns = openTurns()
  const admitted: string[] = []
  const wait = (line: string, caller: string) => void turns.next(line).then(() => admitted.push(caller))
  for (const caller of ['a1', 'a2', 'a3', 'a4']) wait('a', caller)
  await nextLoopTurn()
  for (const caller of ['b1', 'b2']) wait('b', caller)
  for (let turn = 0; turn < 5; turn++) await nextLoopTurn()
  assert.deepEqual(admitted, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('an answer of 200 kB uses up three turns', async () => {
  const turns = openTurns()
  let isAdmitted = false
  turns.charge(200_000)
  void turns.next('a').then(() => {
    isAdmitted = true
  })
  for (let turn = 0; turn < 3; turn++) {
    await nextLoopTurn()
    assert.equal(isAdmitted, false)
  }
  await nextLoopTurn()
  assert.equal(isAdmitted, true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, peakRatioOf, ratioOf, shuffled, takeTurns } from './rounds.ts'

test('the ratio is taken within each round, then the median', () => {
  // The machine is ten times slower in the third round: for both, so it changes nothing.
  const { ratio, quartiles } = ratioOf([50, 60, 5, 70, 80], [100, 100, 10, 100, 100])
  assert.equal(ratio, 0.6)
  assert.deepEqual(quartiles, [0.5, 0.7])
  assert.equal(ratioOf([1, 2], [2, 2]).ratio, 0.75)
  assert.equal(median([3, 1, 2]), 2)
})

test('the best slices are compared where most were disturbed', () => {
  assert.equal(peakRatioOf([60, 60, 1, 2, 3, 4, 5, 6, 7, 8], [100, 100, 9, 8, 7, 6, 5, 4, 3, 2]), 0.6)
})

test('each candidate has its turn in every round, and warm-up is not counted', async () => {
  const turns: string[] = []
  const candidate = (name: string) => async () => turns.push(name)
  const took = await takeTurns({ a: candidate('a'), b: candidate('b') }, { rounds: 4, warmUpRounds: 2 })
  assert.equal(turns.length, 12)
  for (let round = 0; round < 6; round++)
    assert.deepEqual(new Set(turns.slice(round * 2, round * 2 + 2)), new Set(['a', 'b']))
  assert.equal(took.a.length, 4)
  assert.ok([...took.a, ...took.b].every((value) => value > 4))
})

test('the order is by chance and loses nobody', () => {
  const orders = new Set(Array.from({ length: 200 }, () => shuffled([1, 2, 3]).join('')))
  assert.equal(orders.size, 6)
})

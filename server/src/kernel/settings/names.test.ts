import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { closestName, editDistance } from './names.ts'

test('edit distances of known pairs', () => {
  const pairs: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['runtime', 'runtme', 1],
    ['same', 'same', 0],
  ]
  for (const [one, other, distance] of pairs) assert.equal(editDistance(one, other), distance, `${one} ${other}`)
})

test('a distance is symmetric, zero for equal words only, and never above the longer word', () => {
  const word = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other)
      assert.equal(distance, editDistance(other, one))
      assert.equal(distance === 0, one === other)
      assert.ok(distance <= Math.max(one.length, other.length))
      assert.ok(distance >= Math.abs(one.length - other.length))
    }),
  )
})

test('the nearest name ignores case', () => {
  assert.equal(closestName('RATELIMIT', ['Redis', 'RateLimit']), 'RateLimit')
  assert.equal(closestName('Ratelimt', ['Redis', 'RateLimit']), 'RateLimit')
  assert.equal(closestName('x', []), undefined)
})

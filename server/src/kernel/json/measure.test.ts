import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureJson } from './index.ts'

const WIDE = { maxDepth: 10, maxSize: 1_000 }

test('a value measures what it says, and what is empty counts like anything else', () => {
  for (const [value, size, depth, values] of [
    [1, 1, 0, 1],
    [[], 2, 1, 1],
    [{}, 2, 1, 1],
    [[1], 3, 1, 2],
    [[[]], 4, 2, 2],
    [{ a: {} }, 8, 2, 2],
    [[[], {}, [1, 2]], 13, 2, 6],
    [JSON.rawJSON('1e400'), 5, 0, 1],
  ] as const) {
    assert.deepEqual(measureJson(value, WIDE), { ok: true, size, depth, values }, JSON.stringify(value))
  }
})

test('a limit holds also where there is nothing further inside', () => {
  assert.deepEqual(measureJson([[]], { ...WIDE, maxDepth: 1 }), { ok: false, reason: 'too_deep' })
  assert.deepEqual(measureJson([[], []], { ...WIDE, maxSize: 5 }), { ok: false, reason: 'too_large' })
  assert.deepEqual(measureJson([[], []], { ...WIDE, maxValues: 2 }), { ok: false, reason: 'too_many' })
  assert.deepEqual(measureJson([undefined], WIDE), { ok: false, reason: 'not_json' })
})

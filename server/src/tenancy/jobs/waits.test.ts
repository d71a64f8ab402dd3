import assert from 'node:assert/strict'
import test from 'node:test'
import { waitAfter } from './index.ts'

test('waits double from the first to the longest, with jitter upwards, and end', () => {
  const settings = { maxAttempts: 12, firstWaitSeconds: 2, longestWaitSeconds: 300 }
  const plain = Array.from({ length: 12 }, (_, index) => waitAfter(index + 1, settings, 0))
  assert.deepEqual(plain, [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, null])
  assert.equal(waitAfter(1, settings, 1), 2.4)
  assert.equal(waitAfter(8, settings, 1), 300, 'never longer than the longest')
  assert.equal(waitAfter(1, { ...settings, maxAttempts: 1 }, 0.5), null)
})

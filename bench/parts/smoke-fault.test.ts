import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smokeFault } from './smoke-fault.ts'

test('accepts a bench whose every result has a figure', () => {
  assert.equal(
    smokeFault('events', {
      results: [
        { what: 'a', ratio: 0 },
        { what: 'b', figures: { lost: 0 } },
      ],
    }),
    undefined,
  )
})

test('refuses a bench that failed, printed no result, or has a result without a figure', () => {
  assert.equal(smokeFault('events', { failed: 'ended with exit code 1' }), 'ended with exit code 1')
  assert.equal(smokeFault('events', {}), 'it printed no result')
  // What a bench prints for NaN.
  const line = JSON.parse(
    JSON.stringify({
      results: [
        { what: 'a', ratio: 1 },
        { what: 'b', ratio: Number.NaN },
      ],
    }),
  )
  assert.equal(smokeFault('events', line), '"b" has no figure')
  assert.equal(smokeFault('events', { results: [{ what: 'c' }] }), '"c" has no figure')
})

test('refuses a skipped bench, also in part, unless it needs what not every machine has', () => {
  const part = { results: [{ what: 'embedded', ratio: 1 }], skipped: 'no PostgreSQL' }
  assert.equal(smokeFault('account-read', part), 'it was skipped: no PostgreSQL')
  assert.equal(smokeFault('retrieval', { skipped: 'the open sets are not here' }), undefined)
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { testSettings } from '../../../testkit/house.ts'
import { batchesOf } from './batches.ts'

const rows = [
  { tenantId: 2, n: 1 },
  { tenantId: 1, n: 2 },
  { tenantId: 2, n: 3 },
]
const settings = (divided: boolean) => testSettings({ 'Database:DividedByTenant': String(divided) })

test('whole tables take the rows of all tenants at once', () => {
  assert.deepEqual(batchesOf(rows, settings(false)), [{ tenantIds: [2, 1], rows }])
})

test('divided tables take those of one tenant at a time, in their order', () => {
  assert.deepEqual(batchesOf(rows, settings(true)), [
    { tenantIds: [2], rows: [rows[0], rows[2]] },
    { tenantIds: [1], rows: [rows[1]] },
  ])
})

test('without rows there is nothing to write', () => {
  for (const divided of [false, true]) assert.deepEqual(batchesOf([], settings(divided)), [])
})

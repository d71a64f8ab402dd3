import assert from 'node:assert/strict'
import test from 'node:test'
import { sectionsOf } from './sections.ts'

test('a section is the first part of a path that tells some operations from others', () => {
  assert.deepEqual(sectionsOf(['/v2/orders', '/v2/orders/{id}', '/v2/stock/{id}']), ['/orders', '/orders', '/stock'])
  assert.deepEqual(sectionsOf(['/orders', '/orders/{id}', '/orders/{id}/refunds']), ['/orders', '/orders', '/orders'])
  assert.deepEqual(sectionsOf(['/api/{id}', '/api/{id}/lines']), ['/api', '/api'])
  assert.deepEqual(sectionsOf(['/']), ['/'])
  assert.deepEqual(sectionsOf([]), [])
  assert.equal(sectionsOf([`/${'x'.repeat(500)}`])[0]?.length, 61)
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { acceptedCoding, matchesTag } from './packed.ts'

test('codings and tags as browsers and proxies write them', () => {
  assert.equal(acceptedCoding('GZIP;q=0.5, BR;q=0.001'), 'br')
  assert.equal(acceptedCoding('br; q=0.0, identity'), 'identity')
  assert.equal(matchesTag(undefined, '"a"'), false)
  assert.equal(matchesTag('*', '"a"'), true)
})

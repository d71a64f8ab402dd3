import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hmacSha256, saltedHash } from './digest.ts'

test('it is a keyed digest: the same under one salt, another under another', () => {
  assert.equal(saltedHash('salt', 'ip', '192.0.2.1'), hmacSha256('salt', '["ip","192.0.2.1"]').toString('hex'))
  assert.notEqual(saltedHash('salt', 'ip', '192.0.2.1'), saltedHash('other', 'ip', '192.0.2.1'))
})

test('what is hashed for one use is not found by another', () => {
  assert.notEqual(saltedHash('salt', 'email', 'x'), saltedHash('salt', 'ip', 'x'))
  assert.notEqual(saltedHash('salt', 'a', 'bc'), saltedHash('salt', 'ab', 'c'))
})

test('without a salt nothing is hashed', () => {
  assert.throws(() => saltedHash('', 'ip', '192.0.2.1'), /salt is empty/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openKeyring } from './keyring.ts'
import { openLink, sealLink } from './links.ts'

const newKey = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const ring = openKeyring({ key: newKey(1), previous: [] })
const now = Date.UTC(2026, 0, 1)
const link = { purpose: 'signup.confirm', id: 'ana@example.com', expiresAt: now + 60_000 }
const invalid = { ok: false, reason: 'invalid' }

test('a link carries its id to the one who sealed it, and shows it to nobody', () => {
  const text = sealLink(ring, link)
  assert.match(text, /^[\w-]+$/)
  assert.ok(!Buffer.from(text, 'base64url').includes('ana'))
  assert.deepEqual(openLink(ring, link.purpose, text, now), { ok: true, id: link.id, expiresAt: link.expiresAt })
})

test('any id comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (id, expiresAt) => {
      const text = sealLink(ring, { purpose: 'p', id, expiresAt })
      assert.deepEqual(openLink(ring, 'p', text, expiresAt - 1), { ok: true, id, expiresAt })
    }),
  )
})

test('it ends at its end, not a millisecond later', () => {
  const text = sealLink(ring, link)
  assert.equal(openLink(ring, link.purpose, text, link.expiresAt - 1).ok, true)
  assert.deepEqual(openLink(ring, link.purpose, text, link.expiresAt), { ok: false, reason: 'expired', id: link.id })
})

test('a link of one purpose never opens another, and does not say that it is expired', () => {
  const text = sealLink(ring, link)
  for (const purpose of ['signup.recover', 'signup', '', 'signup.confirm ']) {
    assert.deepEqual(openLink(ring, purpose, text, link.expiresAt + 1), invalid, purpose)
  }
})

test('previous keys open, foreign keys do not', () => {
  const text = sealLink(ring, link)
  assert.equal(
    openLink(openKeyring({ key: newKey(2), previous: [newKey(3), newKey(1)] }), link.purpose, text, now).ok,
    true,
  )
  assert.deepEqual(openLink(openKeyring({ key: newKey(2), previous: [] }), link.purpose, text, now), invalid)
})

test('a changed, cut or lengthened link is invalid, in every character', () => {
  const text = sealLink(ring, link)
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === 'A' ? 'B' : 'A'
    assert.deepEqual(openLink(ring, link.purpose, text.slice(0, at) + other + text.slice(at + 1), now), invalid)
    assert.deepEqual(openLink(ring, link.purpose, text.slice(0, at), now), invalid)
  }
  for (const more of ['A', '=', ' ', text]) assert.deepEqual(openLink(ring, link.purpose, text + more, now), invalid)
})

test('a sealed column value is no link, though both come from one key', () => {
  const sealed = ring.seal(JSON.stringify([link.id, link.expiresAt]), { table: 't', column: 'c', tenantId: 1, row: 1 })
  const [, , , nonce = '', box = ''] = sealed.split(':')
  assert.deepEqual(openLink(ring, link.purpose, nonce + box, now), invalid)
})

test('garbage never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 200 })), (text) => {
      assert.deepEqual(openLink(ring, link.purpose, text, now), invalid)
    }),
  )
  assert.deepEqual(openLink(ring, link.purpose, 'A'.repeat(1_000_000), now), invalid)
})

test('what cannot come back is refused when it is sealed', () => {
  assert.throws(() => sealLink(ring, { ...link, id: '\udc00' }), TypeError)
  assert.throws(() => sealLink(ring, { ...link, expiresAt: Number.NaN }), TypeError)
  assert.throws(() => sealLink(ring, { ...link, id: 'x'.repeat(5000) }), RangeError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifySignature } from '@tether/sdk'
import fc from 'fast-check'
import { hmacSha256 } from './digest.ts'
import { readSample } from './fixtures/corpus.ts'
import { newSigningSecret, signingKey, signRequest } from './signing.ts'

type Vector = {
  secret: string
  id: string
  timestamp: number
  body?: string
  bodyIs?: string
  signature: string
  valid: boolean
  source: string
}

const { vectors } = readSample<{ vectors: Vector[] }>('standard-webhooks.json')

const bodyOf = ({ body, bodyIs = '' }: Vector): string => body ?? 'a'.repeat(Number(/repeated (\d+)/.exec(bodyIs)?.[1]))
const secret = newSigningSecret()
const delivery = { id: 'evt_1', timestamp: 1_767_225_600, body: '{"type":"tool_call"}' }
const now = delivery.timestamp * 1000

test('the standard header agrees with the published vectors', () => {
  assert.ok(vectors.filter(({ valid }) => valid).length >= 3)
  for (const vector of vectors) {
    const { secret, id, timestamp } = vector
    const headers = signRequest(signingKey(secret), { id, timestamp, body: bodyOf(vector) })
    assert.equal(headers['webhook-signature'] === vector.signature, vector.valid, vector.source)
  }
})

test('our header is the hex HMAC over timestamp and body, with the whole secret text', () => {
  const known = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = signRequest(signingKey(known), delivery)
  assert.deepEqual(Object.keys(headers), [
    'X-Service-Signature',
    'X-Service-Timestamp',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
  const expected = hmacSha256(known, '1767225600.{"type":"tool_call"}').toString('hex')
  assert.equal(headers['X-Service-Signature'], `sha256=${expected}`)
  assert.equal(headers['X-Service-Timestamp'], '1767225600')
  assert.equal(headers['webhook-timestamp'], '1767225600')
})

test('a new secret is whsec_ and 32 random bytes', () => {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(secret, newSigningSecret())
  assert.equal(
    newSigningSecret(() => Buffer.alloc(32)),
    `whsec_${'A'.repeat(43)}=`,
  )
})

test('text and its bytes are signed alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (body) => {
      assert.deepEqual(
        signRequest(signingKey(secret), { ...delivery, body }),
        signRequest(signingKey(secret), { ...delivery, body: Buffer.from(body) }),
      )
    }),
  )
})

test('after a rotation the standard header is signed twice, our own with the new secret only', () => {
  const old = newSigningSecret()
  const headers = signRequest(signingKey(secret), delivery, signingKey(old))
  const [first, second, ...more] = headers['webhook-signature'].split(' ')
  assert.equal(first, signRequest(signingKey(secret), delivery)['webhook-signature'])
  assert.equal(second, signRequest(signingKey(old), delivery)['webhook-signature'])
  assert.equal(more.length, 0)
  assert.equal(headers['X-Service-Signature'], signRequest(signingKey(secret), delivery)['X-Service-Signature'])
})

test('an id that no header could carry is sent as its digest, the same each time', () => {
  for (const id of ['a.b', 'a b', 'a\r\nx: y', 'é', '', 'x'.repeat(201)]) {
    const headers = signRequest(signingKey(secret), { ...delivery, id })
    assert.match(headers['webhook-id'], /^[0-9a-f]{64}$/)
    assert.deepEqual(headers, signRequest(signingKey(secret), { ...delivery, id }))
  }
  assert.equal(signRequest(signingKey(secret), { ...delivery, id: 'a:b_C-1/~' })['webhook-id'], 'a:b_C-1/~')
})

test('the receiver of the SDK takes what we send, by either header alone, and with the old secret during a rotation', async () => {
  const old = newSigningSecret()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), async (body, id) => {
      const headers = { ...signRequest(signingKey(secret), { ...delivery, id, body }, signingKey(old)) }
      assert.deepEqual(await verifySignature({ secret, headers, body, now }), {
        ok: true,
        header: 'X-Service-Signature',
        timestamp: delivery.timestamp,
      })
      assert.deepEqual(await verifySignature({ secret: old, headers, body, now }), {
        ok: true,
        header: 'webhook-signature',
        timestamp: delivery.timestamp,
      })
      const { 'X-Service-Signature': _, ...standard } = headers
      assert.equal((await verifySignature({ secret, headers: standard, body, now })).ok, true)
    }),
  )
})

test('what is no secret or no timestamp is refused, and not repeated', () => {
  for (const wrong of ['', 'whsec_', 'plain-text', 'whsec_not base64', 'whsec_abc']) {
    assert.throws(
      () => signRequest(signingKey(wrong), delivery),
      (error: Error) => error instanceof TypeError && (wrong.length < 8 || !error.message.includes(wrong)),
    )
  }
  for (const timestamp of [1.5, -1, Number.NaN])
    assert.throws(() => signRequest(signingKey(secret), { ...delivery, timestamp }), TypeError)
})

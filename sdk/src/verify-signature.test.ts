import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type SignatureCheck, type SignatureFault, verifySignature } from './index.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const old = 'whsec_c2VjcmV0IG51bWJlciB0d28gaGVyZQ=='
const body = '{"test": 2432232314}'
const at = 1_614_265_330
const now = at * 1000

const ours = (by = secret, timestamp: string | number = at, over = body): Record<string, string> => ({
  'X-Service-Signature': `sha256=${createHmac('sha256', by).update(`${timestamp}.${over}`).digest('hex')}`,
  'X-Service-Timestamp': `${timestamp}`,
})

// The published vector of the Standard Webhooks libraries (Apache-2.0).
const standard = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': `${at}`,
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

async function outcome(check: Partial<SignatureCheck>): Promise<string> {
  const result = await verifySignature({ secret, headers: {}, body, now, ...check })
  if (!result.ok) assert.match(result.message, /^[A-Z].*\.$/)
  return result.ok ? result.header : result.reason
}

const refuses = async (check: Partial<SignatureCheck>, reason: SignatureFault): Promise<void> =>
  assert.equal(await outcome(check), reason)

test('our header alone, and the published vector of the standard alone', async () => {
  assert.deepEqual(await verifySignature({ secret, headers: ours(), body, now }), {
    ok: true,
    header: 'X-Service-Signature',
    timestamp: at,
  })
  assert.deepEqual(await verifySignature({ secret, headers: standard, body, now }), {
    ok: true,
    header: 'webhook-signature',
    timestamp: at,
  })
})

test('headers as Node, a Headers object or a framework give them', async () => {
  const lower = Object.fromEntries(Object.entries(ours()).map(([name, value]) => [name.toLowerCase(), value]))
  const lists = Object.fromEntries(Object.entries(lower).map(([name, value]) => [name, [value]]))
  for (const headers of [lower, lists, new Headers(ours()), { ...lower, host: undefined }]) {
    assert.equal(await outcome({ headers }), 'X-Service-Signature')
  }
  assert.equal(await outcome({ headers: new Headers(standard) }), 'webhook-signature')
})

test('the body as text, bytes, a Buffer or an ArrayBuffer', async () => {
  const bytes = new TextEncoder().encode(body)
  for (const one of [body, bytes, Buffer.from(body), bytes.buffer, new Uint8Array([0, ...bytes]).subarray(1)]) {
    assert.equal(await outcome({ headers: ours(), body: one }), 'X-Service-Signature')
  }
})

test('a parsed body is told as such', async () => {
  for (const parsed of [JSON.parse(body), null, undefined, 7])
    await refuses({ headers: ours(), body: parsed as string }, 'body_not_raw')
})

test('one true signature is enough: either header, any of the secrets, any of the standard signatures', async () => {
  const untrue = ours('whsec_AAAA')
  assert.equal(await outcome({ headers: { ...untrue, ...standard } }), 'webhook-signature')
  assert.equal(
    await outcome({ headers: { ...ours(), ...standard, 'webhook-signature': 'v1,AAAA' } }),
    'X-Service-Signature',
  )
  assert.equal(
    await outcome({ secret: undefined, secrets: [old, undefined, '', secret], headers: ours() }),
    'X-Service-Signature',
  )
  assert.equal(await outcome({ secret: old, secrets: [secret], headers: standard }), 'webhook-signature')
  const several = `v1a,ignored v1,AAAA v1,not!base64 ${standard['webhook-signature']} v2,x`
  assert.equal(await outcome({ headers: { ...standard, 'webhook-signature': several } }), 'webhook-signature')
})

test('anything that was signed and then changed does not match', async () => {
  for (const headers of [ours(), standard]) {
    await refuses({ headers, body: `${body} ` }, 'mismatch')
    await refuses({ headers, secret: old }, 'mismatch')
  }
  await refuses({ headers: { ...ours(), 'X-Service-Timestamp': `${at + 1}` } }, 'mismatch')
  await refuses({ headers: { ...standard, 'webhook-timestamp': `${at + 1}` } }, 'mismatch')
  await refuses({ headers: { ...standard, 'webhook-id': 'msg_other' } }, 'mismatch')
  await refuses(
    { headers: { ...standard, 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OA=' } },
    'mismatch',
  )
})

test('what was signed cannot be cut in another place: neither an id nor a time has a dot', async () => {
  const inner = '{"type":"tool_call"}'
  const id = `${standard['webhook-id']}.${at}.a text of somebody else`
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
  const signature = `v1,${mac.update(`${id}.${at}.${inner}`).digest('base64')}`
  const headers = { 'webhook-id': id, 'webhook-timestamp': `${at}`, 'webhook-signature': signature }
  await refuses({ headers, body: inner }, 'timestamp_missing')
})

test('a cut signature does not match, of whichever length', async () => {
  const { 'X-Service-Signature': whole = '' } = ours()
  for (let length = 'sha256='.length + 2; length < whole.length; length += 2) {
    await refuses({ headers: { ...ours(), 'X-Service-Signature': whole.slice(0, length) } }, 'mismatch')
  }
})

test('a signature with one byte changed, or one more, does not match', async () => {
  const { 'X-Service-Signature': whole = '' } = ours()
  for (let at = 'sha256='.length; at < whole.length; at++) {
    const changed = whole.slice(0, at) + (whole[at] === '0' ? '1' : '0') + whole.slice(at + 1)
    await refuses({ headers: { ...ours(), 'X-Service-Signature': changed } }, 'mismatch')
  }
  for (const more of ['00', 'ff'])
    await refuses({ headers: { ...ours(), 'X-Service-Signature': whole + more } }, 'mismatch')
})

test('a signature in another form is refused before anything is compared', async () => {
  const { 'X-Service-Signature': whole = '' } = ours()
  const hex = whole.slice('sha256='.length)
  for (const value of [
    '',
    'sha256=',
    hex,
    `sha256=${hex.toUpperCase()}`,
    `SHA256=${hex}`,
    `${whole} `,
    `${whole}, ${whole}`,
    `sha1=${hex}`,
    `${whole}0`,
  ]) {
    await refuses({ headers: { ...ours(), 'X-Service-Signature': value } }, 'signature_malformed')
  }
  for (const value of ['', 'v1,', 'v1', 'v2,AAAA', 'v1,g0hM9S', 'v1,dawfeoifkpqwoekfpqoekf', 'v1,AB==', 'v1, AAAA']) {
    await refuses({ headers: { ...standard, 'webhook-signature': value } }, 'signature_malformed')
  }
})

test('a header that came twice is refused, also when both are true', async () => {
  const { 'X-Service-Signature': signature = '', 'X-Service-Timestamp': timestamp = '' } = ours()
  await refuses(
    { headers: { 'x-service-signature': [signature, signature], 'x-service-timestamp': timestamp } },
    'signature_malformed',
  )
  await refuses({ headers: { ...ours(), 'x-service-signature': signature } }, 'signature_malformed')
  await refuses(
    { headers: { 'x-service-signature': signature, 'x-service-timestamp': [timestamp, timestamp] } },
    'timestamp_malformed',
  )
})

test('what is missing is named', async () => {
  await refuses({ headers: {} }, 'signature_missing')
  await refuses({ headers: { 'x-service-timestamp': `${at}`, 'webhook-id': 'x' } }, 'signature_missing')
  await refuses({ headers: { ...ours(), 'X-Service-Timestamp': undefined } }, 'timestamp_missing')
  await refuses({ headers: { ...standard, 'webhook-timestamp': undefined } }, 'timestamp_missing')
  await refuses({ headers: { ...standard, 'webhook-id': undefined } }, 'timestamp_missing')
  await refuses({ secret: undefined, headers: ours() }, 'secret_missing')
  await refuses({ secret: '', secrets: [undefined, ''], headers: ours() }, 'secret_missing')
})

test('a secret in another form is told as such', async () => {
  for (const wrong of ['secret', secret.slice('whsec_'.length), 'whsec_', 'whsec_abc', `${secret}\n`]) {
    await refuses({ secret: wrong, headers: ours() }, 'secret_malformed')
    await refuses({ secrets: [wrong], headers: ours() }, 'secret_malformed')
  }
})

test('the clocks may be 300 seconds apart, both ways, unless told', async () => {
  for (const headers of [ours(), standard]) {
    for (const seconds of [-300, 0, 300])
      assert.notEqual(await outcome({ headers, now: now + seconds * 1000 }), 'mismatch')
    assert.match(await outcome({ headers, now: now + 300_000 }), /ignature$/)
    assert.match(await outcome({ headers, now: now - 300_000 }), /ignature$/)
    await refuses({ headers, now: now + 301_000 }, 'too_old')
    await refuses({ headers, now: now - 301_000 }, 'too_new')
    await refuses({ headers, now: now + 2000, toleranceSeconds: 1 }, 'too_old')
    await refuses({ headers, toleranceSeconds: Number.NaN }, 'too_old')
  }
  await refuses({ headers: { ...ours(), ...standard, 'webhook-signature': 'v1,AAAA' }, now: now + 301_000 }, 'too_old')
  await refuses({ headers: { ...ours(old), ...standard }, now: now + 301_000 }, 'too_old')
})

test('without a time of its own it asks the clock', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  assert.equal((await verifySignature({ secret, headers: ours(secret, seconds), body })).ok, true)
  const late = await verifySignature({ secret, headers: ours(), body })
  assert.equal(!late.ok && late.reason, 'too_old')
})

test('a timestamp is digits, though its signature be true', async () => {
  for (const timestamp of ['', '1e9', '-1', '1614265330.5', ' 1614265330', '0x1', '9'.repeat(13)]) {
    await refuses({ headers: ours(secret, timestamp) }, 'timestamp_malformed')
  }
})

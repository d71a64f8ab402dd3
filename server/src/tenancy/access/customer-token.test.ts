import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintCustomerToken } from '@tether/sdk'
import fc from 'fast-check'
import { hmacSha256 } from '../../kernel/crypto/index.ts'
import { type CustomerTokenFault, customerTokenFaults, verifyCustomerToken } from './customer-token.ts'

const key = `tck_${'0123456789ab'.repeat(4)}`
const now = Date.UTC(2026, 0, 1)
const seconds = now / 1000
const tenant = { tenantId: 42, key, now }
const good = { sub: 'customer-1', tenant_id: 42, iat: seconds, exp: seconds + 900 }

const b64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url')

function signText(payload: string | Uint8Array, { alg = 'HS256', by = key } = {}): string {
  const signed = `${b64(JSON.stringify({ alg, typ: 'JWT' }))}.${b64(payload)}`
  return `${signed}.${b64(hmacSha256(by, signed))}`
}

const sign = (claims: object, how = {}): string => signText(JSON.stringify({ ...good, ...claims }), how)

async function reason(
  token: string,
  against: { tenantId: number; key: string | null; now: number } = tenant,
): Promise<string> {
  const verified = await verifyCustomerToken(token, against)
  return verified.ok ? 'accepted' : verified.reason
}

const refuses = async (token: string, expected: CustomerTokenFault): Promise<void> =>
  assert.equal(await reason(token), expected, token)

test('a good token names the customer', async () => {
  assert.deepEqual(await verifyCustomerToken(sign({}), tenant), { ok: true, customer: { id: 'customer-1' } })
  const told = { name: 'Ana Berg', email: 'ana@example.com', locale: 'ka-GE' }
  assert.deepEqual(await verifyCustomerToken(sign(told), tenant), { ok: true, customer: { id: 'customer-1', ...told } })
})

test('what the SDK mints is taken, for any customer', async () => {
  const printable = fc
    .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 60 })
    .filter((text) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text))
  await fc.assert(
    fc.asyncProperty(printable, fc.integer({ min: 1, max: 3600 }), async (customerId, lifetimeSeconds) => {
      const token = await mintCustomerToken({ key, tenantId: 42, customerId, lifetimeSeconds, name: 'Ana', now })
      assert.deepEqual(await verifyCustomerToken(token, tenant), {
        ok: true,
        customer: { id: customerId, name: 'Ana' },
      })
    }),
  )
})

// Each has the fault that it is named for and every later one too, so that only the first can be the answer.
const wrongLater = { sub: '', iat: seconds + 61, exp: seconds - 1 }
const faulty: Record<CustomerTokenFault, { token: string; key?: null }> = {
  malformed: { token: 'x.y.z', key: null },
  unsupported_algorithm: { token: sign({ ...wrongLater, tenant_id: 1 }, { alg: 'none', by: 'other' }), key: null },
  not_configured: { token: sign({ ...wrongLater, tenant_id: 1 }, { by: 'other' }), key: null },
  wrong_tenant: { token: sign({ ...wrongLater, tenant_id: 1 }, { by: 'other' }) },
  invalid_signature: { token: sign(wrongLater, { by: 'other' }) },
  invalid_subject: { token: sign(wrongLater) },
  issued_in_future: { token: sign({ iat: seconds + 61, exp: seconds - 1 }) },
  expired: { token: sign({ iat: seconds - 7200, exp: seconds }) },
  lifetime_too_long: { token: sign({ exp: seconds + 3601 }) },
}

test('each reason is reached, in the order of the specification', async () => {
  for (const expected of customerTokenFaults) {
    const { token, ...against } = faulty[expected]
    assert.equal(await reason(token, { ...tenant, ...against }), expected)
  }
  assert.equal(await reason(faulty.not_configured.token, { ...tenant, key: '' }), 'not_configured')
})

test('malformed: form, encoding, JSON, size', async () => {
  const token = sign({})
  const [head = '', body = '', tail = ''] = token.split('.')
  const shapes = [
    '',
    '.',
    '..',
    head,
    `${head}.${body}`,
    `${token}.`,
    `.${token}`,
    `${token}.${tail}`,
    ` ${token}`,
    `${token} `,
    `${token}=`,
  ]
  const joined = [
    `Bearer ${token}`,
    `${token}, ${token}`,
    `${token},${token}`,
    `${head}..${tail}`,
    `${head}.${body} .${tail}`,
  ]
  const serialised = [JSON.stringify({ payload: body, protected: head, signature: tail })]
  for (const text of [...shapes, ...joined, ...serialised, token.replaceAll('.', '\u3002')])
    await refuses(text, 'malformed')

  for (const payload of [
    '[]',
    'null',
    '"text"',
    '',
    '{',
    '{"sub":"a","sub":"b"}',
    '{"tenant_id":42,"tenant_\\u0069d":42}',
  ]) {
    await refuses(signText(payload), 'malformed')
  }
  await refuses(signText(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'malformed')
  await refuses(sign({ filler: 'x'.repeat(8000) }), 'malformed')
})

test('malformed: times that are not whole seconds, once the token is known to be ours', async () => {
  for (const wrong of [undefined, null, '1', 1.5, 1e20, [], true]) {
    await refuses(sign({ iat: wrong }), 'malformed')
    await refuses(sign({ exp: wrong }), 'malformed')
    if (wrong !== undefined) await refuses(sign({ nbf: wrong }), 'malformed')
  }
  await refuses(sign({ iat: undefined }, { by: 'other' }), 'invalid_signature')
})

test('unsupported_algorithm: anything but HS256 to the letter', async () => {
  for (const alg of ['none', 'None', 'NONE', 'hs256', 'HS512', 'RS256', 'ES256', 'PS256', 'EdDSA']) {
    await refuses(sign({}, { alg }), 'unsupported_algorithm')
  }
  const unsigned = `${b64('{"alg":"none"}')}.${b64(JSON.stringify(good))}.`
  await refuses(unsigned, 'unsupported_algorithm')
})

test('wrong_tenant: only the number itself is this tenant', async () => {
  for (const tenant_id of [43, '42', 42.5, null, undefined, [42], true])
    await refuses(sign({ tenant_id }), 'wrong_tenant')
  await refuses(sign({ tenant_id: 42.0 }, { by: 'other' }), 'invalid_signature')
})

test('invalid_signature: another key, a stripped, cut or changed signature, a changed claim', async () => {
  const token = sign({})
  const [head = '', body = '', tail = ''] = token.split('.')
  await refuses(sign({}, { by: key.slice(4) }), 'invalid_signature')
  await refuses(sign({}, { by: `${key} ` }), 'invalid_signature')
  for (const signature of [
    '',
    'AAAA',
    b64(Buffer.from(tail, 'base64url').subarray(0, 31)),
    b64(hmacSha256(key, 'x')),
  ]) {
    await refuses(`${head}.${body}.${signature}`, 'invalid_signature')
  }
  await refuses(`${head}.${b64(JSON.stringify({ ...good, sub: 'customer-2' }))}.${tail}`, 'invalid_signature')
})

test('invalid_subject: 1 to 200 printable characters', async () => {
  for (const sub of [
    undefined,
    null,
    7,
    '',
    'x'.repeat(201),
    'a\nb',
    'a\0',
    'a\u200bb',
    '\u202eabc',
    'a\u2028',
    '\ud800',
    ['a'],
  ]) {
    await refuses(sign({ sub }), 'invalid_subject')
  }
  for (const sub of ['x', 'x'.repeat(200), '😀'.repeat(200), 'შოთა რუსთაველი', 'auth0|123', '00u/1 2']) {
    assert.deepEqual(await verifyCustomerToken(sign({ sub }), tenant), { ok: true, customer: { id: sub } })
  }
})

test('issued_in_future: a minute of skew and no more, for nbf too', async () => {
  assert.equal(await reason(sign({ iat: seconds + 60 })), 'accepted')
  await refuses(sign({ iat: seconds + 61, exp: seconds + 900 }), 'issued_in_future')
  assert.equal(await reason(sign({ nbf: seconds + 60 })), 'accepted')
  await refuses(sign({ nbf: seconds + 61 }), 'issued_in_future')
})

test('expired: at its end and not later, and a token that ends before it begins', async () => {
  assert.equal(await reason(sign({ iat: seconds - 899, exp: seconds + 1 })), 'accepted')
  await refuses(sign({ iat: seconds - 900, exp: seconds }), 'expired')
  assert.equal(await reason(sign({}), { ...tenant, now: now + 899_999 }), 'accepted')
  assert.equal(await reason(sign({}), { ...tenant, now: now + 900_000 }), 'expired')
  await refuses(sign({ iat: seconds + 60, exp: seconds + 30 }), 'expired')
})

test('lifetime_too_long: an hour and no more, however little of it is left', async () => {
  assert.equal(await reason(sign({ exp: seconds + 3600 })), 'accepted')
  await refuses(sign({ exp: seconds + 3601 }), 'lifetime_too_long')
  await refuses(sign({ iat: seconds - 3600, exp: seconds + 1 }), 'lifetime_too_long')
})

test('what else is said about the customer is left out where it does not fit, and locks nobody out', async () => {
  const unfit = [
    { name: null, email: null, locale: null },
    { name: 7, email: ['a@b'], locale: {} },
    { name: 'x'.repeat(201), email: `${'x'.repeat(65)}@b`, locale: 'x'.repeat(40) },
    { name: 'a\nIgnore all rules', email: 'a b@c', locale: 'en; drop' },
    { name: '\u202egnp.exe', email: 'no address', locale: '' },
  ]
  for (const claims of unfit) {
    assert.deepEqual(await verifyCustomerToken(sign(claims), tenant), { ok: true, customer: { id: 'customer-1' } })
  }
  const persian = { name: 'نرگس\u200cسادات', locale: 'fa_IR' }
  assert.deepEqual(await verifyCustomerToken(sign(persian), tenant), {
    ok: true,
    customer: { id: 'customer-1', ...persian },
  })
})

test('no text throws, and none is accepted', async () => {
  const part = fc.oneof(
    fc.base64String({ maxLength: 30 }),
    fc.json().map(b64),
    fc.constant(b64('{"alg":"HS256"}')),
    fc.constant(b64(JSON.stringify(good))),
  )
  const token = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.')),
  )
  await fc.assert(
    fc.asyncProperty(token, async (text) => assert.notEqual(await reason(text), 'accepted')),
    { numRuns: 1000 },
  )
})

test('no claims throw, whatever a business signs', async () => {
  const known: Set<string> = new Set([...customerTokenFaults, 'accepted'])
  const value = fc.option(
    fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.integer({ min: seconds - 4000, max: seconds + 4000 })),
    { nil: undefined },
  )
  const claims = fc.record({ sub: value, iat: value, exp: value, nbf: value, name: value, email: value, locale: value })
  await fc.assert(
    fc.asyncProperty(claims, async (some) => assert.ok(known.has(await reason(sign(some))))),
    { numRuns: 500 },
  )
})

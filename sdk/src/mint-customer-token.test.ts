import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type CustomerTokenRequest, mintCustomerToken } from './index.ts'

const request: CustomerTokenRequest = {
  key: `tck_${'ab'.repeat(24)}`,
  tenantId: 42,
  customerId: 'customer-1',
  lifetimeSeconds: 600,
  now: 1_767_225_600_999,
}

const read = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

test('it is a JWT, HS256, with the claims of the contract', async () => {
  const [head, body, tail] = (await mintCustomerToken(request)).split('.')
  assert.deepEqual(read(head), { alg: 'HS256', typ: 'JWT' })
  assert.deepEqual(read(body), { sub: 'customer-1', tenant_id: 42, iat: 1_767_225_600, exp: 1_767_226_200 })
  assert.equal(tail, createHmac('sha256', request.key).update(`${head}.${body}`).digest('base64url'))
})

test('what is said about the customer goes along, in any script', async () => {
  const told = { name: 'შოთა 😀', email: 'shota@example.com', locale: 'ka-GE' }
  const [, body] = (await mintCustomerToken({ ...request, ...told })).split('.')
  assert.deepEqual(read(body), { sub: 'customer-1', tenant_id: 42, iat: 1_767_225_600, exp: 1_767_226_200, ...told })
})

test('a lifetime of fifteen minutes from now, unless told', async () => {
  const { key, tenantId, customerId } = request
  const before = Date.now() / 1000
  const [, body] = (await mintCustomerToken({ key, tenantId, customerId })).split('.')
  const { iat, exp } = read(body) as { iat: number; exp: number }
  assert.equal(exp - iat, 900)
  assert.ok(iat > before - 1 && iat < Date.now() / 1000 + 1)
})

test('what the service would refuse is refused here, with the member that is wrong, and the key is not repeated', async () => {
  const wrong: [keyof CustomerTokenRequest, unknown[]][] = [
    ['key', ['', 'whsec_abc', 'tck_', request.key.slice(4), `${request.key}\n`]],
    ['tenantId', [0, -1, 1.5, '42', Number.NaN]],
    ['customerId', ['', 'x'.repeat(201), 'a\nb', '\u200b', '\ud800']],
    ['lifetimeSeconds', [0, -1, 3601, 1.5, Number.NaN]],
    ['now', [Number.NaN]],
  ]
  for (const [member, values] of wrong) {
    for (const value of values) {
      await assert.rejects(
        mintCustomerToken({ ...request, [member]: value }),
        (error: Error) =>
          error instanceof TypeError && error.message.includes(`"${member}"`) && !error.message.includes('abab'),
        `${member} ${String(value)}`,
      )
    }
  }
})

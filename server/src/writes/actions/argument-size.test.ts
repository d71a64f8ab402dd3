import assert from 'node:assert/strict'
import test from 'node:test'
import { answering, endpoint, newShop, order, type Staged, set, stage, write } from './fixtures/shop.ts'

const MOST = 262_144
const notes = { ...order, properties: { ...order.properties, note: { type: 'string' } } }
/** Arguments of so many bytes as JSON. */
const weighing = (bytes: number, letter = 'x') => {
  const rest = Buffer.byteLength(JSON.stringify({ number: 'A-1', note: '' }))
  return { number: 'A-1', note: letter.repeat((bytes - rest) / Buffer.byteLength(letter)) }
}
const copies = {
  tool: 'get_order',
  arguments: Object.fromEntries(
    ['number', ...Array.from({ length: 50 }, (_, at) => `n${at}`)].map((name) => [name, { from: 'note' }]),
  ),
  check: { path: 'state', equals: 'paid' },
}
const everything = {
  type: 'object',
  additionalProperties: true,
  properties: Object.fromEntries(Object.keys(copies.arguments).map((name) => [name, {}])),
}

const shop = async () => {
  const tenant = await newShop()
  const catalog = [
    {
      name: 'get_order',
      description: 'Looks up one order by its number, for tests.',
      is_write: false,
      parameters: everything,
    },
    write('refund_order', { parameters: notes }),
    write('refund_copied', { parameters: notes, precondition: copies }),
  ]
  const { text, status } = await set.house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: catalog })
  assert.equal(status, 200, text)
  return tenant
}

test('the arguments of an action are as large as the answer of a tool may be, in bytes, and no larger', async () => {
  const tenant = await shop()
  for (const given of [weighing(MOST), weighing(MOST - 1, 'ლ')]) {
    const { status, body } = await stage('refund_order', given, { tenant })
    assert.deepEqual([status, body.status], [200, 'preview'])
  }
  for (const given of [weighing(MOST + 1), weighing(MOST + 2, 'ლ'), weighing(900_000)]) {
    const { status, error } = await stage('refund_order', given, { tenant })
    assert.deepEqual([status, error?.code], [413, 'body_too_large'])
    assert.match(error?.message ?? '', /larger than 262144 bytes/)
  }
  const { body } = await set.house.ask<{ count: number }>('GET', '/v1/actions', { key: tenant.apiKey })
  assert.equal(body.count, 2, 'nothing of the others was staged')
})

test('a call with larger arguments reaches nobody, of a read or of a write', async () => {
  const tenant = await shop()
  const seen = endpoint.play((_request, response) => response.end('{"state":"paid"}'))
  for (const tool of ['get_order', 'refund_order']) {
    const { status, error } = await set.house.ask('POST', `/v1/tools/${tool}/call`, {
      key: tenant.apiKey,
      body: { arguments: weighing(MOST + 1) },
    })
    assert.deepEqual([status, error?.code], [413, 'body_too_large'], tool)
  }
  assert.equal(seen.length, 0)
  const { status } = await set.house.ask('POST', '/v1/tools/get_order/call', {
    key: tenant.apiKey,
    body: { arguments: weighing(MOST) },
  })
  assert.deepEqual([status, seen.length], [200, 1])
})

test('a precondition that copies one argument into many reads nothing that is larger, and nothing is staged', async () => {
  const tenant = await shop()
  const seen = answering({ state: 'paid' })
  const few = await stage('refund_copied', weighing(4_000), { tenant })
  assert.equal(few.body.status, 'preview')
  const { status, body } = await stage('refund_copied', weighing(MOST), { tenant })
  assert.deepEqual([status, (body as Staged).status as string], [502, 'precondition_error'])
  assert.match((body as unknown as { message: string }).message, /larger than 262144 bytes/)
  assert.equal(seen.length, 1)
})

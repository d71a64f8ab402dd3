// What a batch may amount to: fifty messages of a few bytes can ask for the whole catalog fifty times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { MAX_BATCH_BYTES } from './batch.ts'
import { call, newShop, post, type Rpc, rpc, set } from './fixtures/shop.ts'

/** A catalog whose list takes about a mebibyte, in three bytes a letter. */
const LARGE = Array.from({ length: 60 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Looks up the number ${at} of many. ${'მ'.repeat(1_500)}`,
  is_write: false,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 12 }, (_, place) => [`p${place}`, { type: 'string', description: 'ა'.repeat(350) }]),
    ),
  },
}))
const REFUND = { name: 'refund_order', description: 'Refunds one order of the shop.', is_write: true }
const CATALOG = [...LARGE, { ...REFUND, parameters: { type: 'object', properties: { number: { type: 'string' } } } }]

const lists = (most: number, from = 0) => Array.from({ length: most }, (_, at) => rpc('tools/list', {}, from + at))
const codes = (answers: readonly Rpc[]) => new Set(answers.flatMap(({ error }) => error?.code ?? []))

test('a batch answers at most 8 MiB, and then an error for each message that is left', async () => {
  const { agentKey: key, apiKey } = await newShop(CATALOG)
  const refund = { ...call('refund_order'), id: 0 }
  const { status, text, body } = await post([refund, ...lists(48, 1), { ...refund, id: 49 }], { key })
  const answers = body as unknown as Rpc[]
  assert.equal(status, 200)
  assert.deepEqual(
    answers.map(({ id }) => id),
    Array.from({ length: 50 }, (_, id) => id),
  )
  assert.ok(Buffer.byteLength(text) <= MAX_BATCH_BYTES, `${Buffer.byteLength(text)} bytes`)
  const listed = answers.slice(1, 49).filter(({ error }) => error === undefined)
  assert.ok(listed.length >= 5 && listed.length <= 8, `${listed.length} lists`)
  assert.equal(answers[0]?.result.structuredContent.status, 'staged')
  const last = answers[49]
  assert.deepEqual([last?.error?.code, last?.error?.data], [-32_000, { code: 'batch_too_large' }])
  assert.deepEqual(codes(answers), new Set([-32_000]))
  const waiting = await set.house.ask<{ actions: object[] }>('GET', '/v1/actions', { key: apiKey })
  assert.equal(waiting.body.actions.length, 1, 'a message that gets an error is not run')
})

test('a batch that is answered as a stream is bounded in the same way', async () => {
  const { agentKey: key } = await newShop(CATALOG)
  const [first, ...others] = lists(50)
  const batch = [{ ...first, params: { _meta: { progressToken: 1 } } }, ...others]
  const { text } = await post(batch, { key, headers: { accept: 'application/json, text/event-stream' } })
  assert.ok(Buffer.byteLength(text) <= MAX_BATCH_BYTES + 50 * 100, `${Buffer.byteLength(text)} bytes`)
  assert.equal(text.match(/"id":\d+/g)?.length, 50)
  assert.match(text, /batch_too_large/)
})

test('a page of a list holds a mebibyte of bytes, whatever its letters', async () => {
  const more = LARGE.map((tool) => ({ ...tool, name: `${tool.name}_more` }))
  const { agentKey: key } = await newShop([...LARGE, ...more])
  const { text, body } = await post(rpc('tools/list'), { key })
  assert.ok(Buffer.byteLength(text) < 1024 * 1024 + 1_000, `${Buffer.byteLength(text)} bytes`)
  assert.ok(body.result.nextCursor !== undefined)
})

test('the answer of a batch counts against the bytes in flight of its workspace while it is made', async () => {
  await using house = await openHouse({ settings: { 'RateLimit:TenantBytesInFlight': '2097152' } })
  const tenant = await house.tenant()
  const { apiKey: key } = tenant
  assert.equal((await house.ask('PUT', '/v1/tools', { key, body: CATALOG })).status, 200)
  const both = await Promise.all([0, 1].map(() => house.ask('POST', '/mcp', { key, body: lists(3) })))
  const answers = both.flatMap(({ body }) => body as unknown as Rpc[])
  assert.equal(answers.length, 6)
  const refused = answers.filter(({ error }) => error !== undefined)
  assert.ok(refused.length > 0 && refused.length < 6, `${refused.length} of 6`)
  // A single batch is never refused because of the bytes that it reserves itself.
  const alone = await house.ask('POST', '/mcp', { key, body: lists(3) })
  assert.deepEqual(codes(alone.body as unknown as Rpc[]), new Set())
})

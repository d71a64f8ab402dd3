// What the proofs of this folder have found, each in its shortest form, so that it is found at once if it comes back.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { MODULES } from '../src/modules.ts'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { timed } from '../testkit/stopwatch.ts'
import { referenceOf } from './rig/reference.ts'
import { openWire, type WireAnswer } from './rig/wire.ts'

let house: OpenHouse
let port = 0
before(async () => {
  house = await openHouse({ modules: MODULES, log: 'error' })
  port = Number(new URL(await house.app.server.listen({ host: '127.0.0.1', port: 0 })).port)
})
after(() => house.close())

const statusOf = async (method: string, path: string, key: string, body?: unknown): Promise<number> =>
  (await house.ask(method, path, { key, ...(body === undefined ? {} : { body }) })).status

test('an id that no row can have is not found, or refused', async () => {
  for (const id of ['2147483648', '999999999999999']) {
    for (const [method, path, body] of [
      ['GET', `/v1/tenants/${id}`],
      ['PATCH', `/v1/tenants/${id}`, { plan: 'free' }],
      ['DELETE', `/v1/tenants/${id}`, { confirm: 'x' }],
      ['POST', `/v1/tenants/${id}/provider`, {}],
      ['DELETE', `/v1/tenants/${id}/provider`],
      ['GET', `/v1/tenants?after=${id}`],
      ['GET', `/v1/tenants?after=-${id}`],
      ['DELETE', `/v1/keys/tth_00000000?tenantId=${id}`],
      ['POST', '/v1/keys', { tenantId: Number(id) }],
    ] as const) {
      const status = await statusOf(method, path, house.operatorKey, body)
      assert.ok(status < 500, `${method} ${path} answered ${status}`)
    }
  }
})

test('a cap that the reference allows can be kept', async () => {
  const { tenantId } = await house.tenant()
  for (const cap of [99_999_999.9999, 100_000_000, 1_000_000_000, 1e-7]) {
    const body = { budget: { dailyCapUsd: cap, monthlyCapUsd: cap } }
    const status = await statusOf('PATCH', `/v1/tenants/${tenantId}`, house.operatorKey, body)
    assert.ok(status < 500, `${cap} answered ${status}`)
  }
})

test('a name of combining marks does not hold up the service', async () => {
  const name = `a${'\u0301\u0316'.repeat(100_000)}`
  const { result, ms } = await timed(() => house.ask('POST', '/v1/tenants', { key: house.operatorKey, body: { name } }))
  assert.equal(result.error?.code, 'invalid_name')
  assert.ok(ms < 2000, `${ms} ms`)
})

// One of everything that a tool can say of itself.
const TOOL = {
  name: 'refund_order',
  description: 'Pays the money of one order back to the customer.',
  is_write: true,
  risk: 'low',
  domain: 'orders',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  requires_scope: false,
  requires_customer: false,
  precondition: { tool: 'get_order', arguments: { number: { from: 'number' } }, check: { path: 'a.b', equals: 'x' } },
  verify: { tool: 'get_order', arguments: { number: { value: 'x' } }, check: { path: 'a.b', gt: { from: 'number' } } },
  examples: { number: ['A-1001'] },
  chat_eligible: true,
  agent_eligible: true,
  deep_analysis_only: false,
  allow_with_image: false,
  value_from: 'number',
  http: {
    method: 'POST',
    path: '/orders/{number}',
    arguments: { number: { in: 'path', name: 'number' } },
    outcomes: { 409: 'refused' },
  },
}

/** The value with `mark` in the place of each of its parts in turn. */
function* marked(value: unknown, mark: string): Generator<unknown> {
  yield mark
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    for (const other of marked(part, mark)) yield Array.isArray(value) ? [other] : { ...value, [name]: other }
  }
}

test('a number of many digits harms nothing, wherever in a catalog it stands', async () => {
  const { apiKey } = await house.tenant()
  const headers = { 'content-type': 'application/json' }
  for (const digits of ['12345678901234567890', '0.1234567890123456789', '1e400', '[1e400]', '{"a":1e400}']) {
    for (const tool of marked(TOOL, '@')) {
      const raw = JSON.stringify([tool]).replace('"@"', digits)
      const reply = await house.ask('POST', '/v1/tools/validate', { key: apiKey, raw, headers })
      assert.ok(reply.status < 500, `${reply.text} to ${raw}`)
    }
  }
})

test('what is no HTTP is answered like everything else that is wrong', async () => {
  const head = 'GET /health HTTP/1.1\r\n'
  for (const [text, status] of [
    ['NOT HTTP AT ALL\r\n\r\n', 400],
    [`${head}\r\n`, 400],
    [`${head}Host: x\r\nX-Nul: a\u0000b\r\n\r\n`, 400],
    [`${head}Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    [`${head}Host: x\r\nX-Long: ${'z'.repeat(20_000)}\r\n\r\n`, 431],
    [`${head}Host: x\r\nExpect: the unexpected\r\n\r\n`, 417],
  ] as const) {
    const answer = await firstAnswer(text)
    assert.ok(answer !== undefined, `no answer to ${JSON.stringify(text.slice(0, 60))}`)
    const said = `${JSON.stringify(text.slice(0, 60))} answered ${answer.status} ${answer.body}`
    // Which status exactly is the service's choice; that it is the caller's fault, and our shape, is not.
    assert.ok(answer.status === status || answer.status === 400 || answer.status === 200, said)
    assert.match(answer.headers.get('x-request-id')?.[0] ?? '', /^req_/, said)
    if (answer.status >= 400) assert.match(answer.body.toString(), /^\{"error":\{"code":"[a-z_]+","message":"/, said)
  }
})

async function firstAnswer(text: string): Promise<WireAnswer | undefined> {
  const wire = openWire(port, 5000)
  const pieces = [Buffer.from(text, 'latin1')]
  const { answers } = await wire.send({ pieces, manner: 'one', head: false, reusable: false })
  return answers[0]
}

test('the reference declares its own answer as what it is', async () => {
  const { body, status } = await house.ask<Parameters<typeof referenceOf>[0]>('GET', '/openapi')
  const reference = referenceOf(body)
  const operation = reference.at('GET', '/openapi')
  assert.ok(operation !== undefined)
  assert.equal(reference.answerFault(operation, status, body), undefined)
})

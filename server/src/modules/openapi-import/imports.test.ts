import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { BASE, DECLARED, importCalls } from './fixtures/import-calls.ts'
import { SHOP } from './fixtures/shop.ts'
import { openApiImport } from './module.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [openApiImport] })
})
after(() => house.close())
const { send, importShop, register, catalogOf, refused } = importCalls(() => house)

test('the first call is refused with the draft: every operation, its inputs, and a guess from its method', async () => {
  const { apiKey } = await house.tenant()
  const source = { kind: 'repository', commit: '0123abc', path: 'api/openapi.yaml', dirty: false }
  const { body } = await refused(apiKey, { document: SHOP, baseUrl: BASE, source }, /draft.*is_write/)
  assert.deepEqual(
    body.operations?.map(({ name, method, path, suggested_is_write }) => [name, method, path, suggested_is_write]),
    [
      ['list_orders', 'GET', '/orders', false],
      ['post_orders', 'POST', '/orders', true],
      ['get_order', 'GET', '/orders/{number}', false],
      ['refund_order', 'POST', '/orders/{number}/refunds', true],
      ['upload_invoice', 'PUT', '/orders/{number}/invoice', true],
    ],
  )
  assert.deepEqual(body.operations?.[3]?.parameters, [
    { name: 'number', in: 'path', required: true, type: 'string', description: 'The number on the receipt.' },
    { name: 'amount', in: 'body', required: true, type: 'number', description: 'In euros.' },
    { name: 'reason', in: 'body', required: false, type: 'string' },
    { name: 'number_body', in: 'body', required: false, type: 'integer' },
  ])
  assert.deepEqual(body.source, source)
  assert.equal(body.changes, undefined)
  assert.deepEqual(
    body.notes?.map(({ code, operation }) => [code, operation]),
    [
      ['input_left_out', 'list_orders'],
      ['body_left_out', 'upload_invoice'],
    ],
  )
  assert.equal((await catalogOf(apiKey)).import, null)
})

test('the second call makes a catalog that can be registered as it is, and registers nothing itself', async () => {
  const { apiKey } = await house.tenant()
  const source = { kind: 'repository', commit: '0123abc', path: 'api/openapi.yaml', dirty: true }
  const { status, body, text } = await importShop(apiKey, { credential: 'shop-credential', source })
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.imported, body.baseUrl, body.userToken, body.toolCount, body.writeToolCount, body.credentialStored],
    [true, BASE, 'ignore', 3, 1, true],
  )
  assert.deepEqual(body.skipped, [
    { name: 'post_orders', method: 'POST', path: '/orders' },
    { name: 'upload_invoice', method: 'PUT', path: '/orders/{number}/invoice' },
  ])
  const [, , refund] = body.catalog as Record<string, Record<string, unknown>>[]
  assert.deepEqual(refund?.http?.outcomes, { 409: 'refused', 423: 'indeterminate' })
  assert.deepEqual(refund?.http?.arguments, {
    number: { in: 'path', name: 'number' },
    amount: { in: 'body', name: 'amount' },
    reason: { in: 'body', name: 'reason' },
    number_body: { in: 'body', name: 'number' },
  })
  assert.equal((await catalogOf(apiKey)).version, 0)
  const registered = await register(apiKey, body.catalog)
  assert.equal(registered.status, 200, registered.text)
  const catalog = await catalogOf(apiKey)
  assert.deepEqual(catalog.tools, body.catalog)
  assert.deepEqual([catalog.import?.baseUrl, catalog.import?.toolCount, catalog.import?.source], [BASE, 3, source])
  assert.ok(!text.includes('shop-credential') && !JSON.stringify(catalog).includes('shop-credential'))
  assert.ok(!house.logged.some((line) => line.includes('shop-credential')))
})

test('what people call an operation and its inputs is declared with it, and checked as in any catalog', async () => {
  const { apiKey } = await house.tenant()
  const said = (labels: unknown) => ({
    ...DECLARED,
    refund_order: { ...DECLARED.refund_order, title: 'Pay an order back', labels },
  })
  const labels = { ka: { title: 'თანხის დაბრუნება', parameters: { amount: 'თანხა' } } }
  const { body, text } = await importShop(apiKey, { operations: said(labels) })
  assert.equal(body.imported, true, text)
  const made = (body.catalog as Record<string, unknown>[]).find(({ name }) => name === 'refund_order')
  assert.deepEqual([made?.title, made?.labels], ['Pay an order back', labels])
  assert.ok(!JSON.stringify(body.warnings).includes('labels'))
  const refused = await importShop(apiKey, { operations: said({ ka: { parameters: { price: 'ფასი' } } }) })
  assert.match(JSON.stringify(refused.body), /ka\.parameters\.price is not an argument/)
})

test('the import counts what a model will read, and names the longest schemas', async () => {
  const { apiKey } = await house.tenant()
  const { body } = await importShop(apiKey)
  const [tool] = body.catalog as { name: string; description: string; parameters: object }[]
  assert.ok(tool)
  const characters = JSON.stringify(tool.parameters).length
  assert.deepEqual(
    body.largestSchemas?.find(({ name }) => name === tool.name),
    { name: tool.name, characters },
  )
  assert.equal(body.largestSchemas?.[0]?.name, 'refund_order')
  assert.ok((body.estimatedTokens ?? 0) > characters / 4 && (body.estimatedTokens ?? 0) < 1000)
})

test('nothing is guessed: what is undeclared, unknown or half declared refuses the import, all of it at once', async () => {
  const { apiKey } = await house.tenant()
  const base = { document: SHOP, baseUrl: BASE }
  await refused(
    apiKey,
    { ...base, operations: { get_order: { is_write: false } } },
    /4 operation\(s\) are not declared: list_orders, post_orders/,
  )
  await refused(apiKey, { ...base, operations: {} }, /5 operation\(s\) are not declared/)
  await refused(apiKey, { ...base, operations: {}, skipUndeclared: true }, /Everything is skipped/)
  const all = { ...base, skipUndeclared: true }
  const { body } = await refused(
    apiKey,
    {
      ...all,
      operations: { get_orders: { is_write: false }, get_order: {}, list_orders: { skip: true, is_write: false } },
    },
    /get_orders is declared, but the draft has no operation of this name\. Its names are operationIds in snake_case/,
    /get_order is declared with neither is_write nor skip/,
    /list_orders is skipped and declared with is_write/,
  )
  assert.deepEqual(
    body.errors?.map(({ operation }) => operation),
    ['get_orders', 'list_orders', 'get_order'],
  )
  assert.doesNotMatch(body.error ?? '', /not listed/)
  const unknown = Object.fromEntries(Array.from({ length: 203 }, (_, n) => [`unknown_${n}`, { is_write: false }]))
  const many = await refused(apiKey, { ...all, operations: unknown }, / 3 more faults are not listed/)
  assert.equal(many.body.errors?.length, 200)
  for (const [declaration, word] of [
    [{ is_write: 'yes' }, /is_write that is "yes"/],
    [{ is_write: null }, /neither is_write nor skip/],
    ['read', /a declaration that is "read"/],
    [{ is_write: false, risk: 'high' }, /declared a risk level but not declared a write/],
    [{ is_write: false, outcomes: { 409: 'refused' } }, /declared http outcomes but not declared a write/],
    [{ is_write: true, outcomes: { 200: 'refused' } }, /http outcomes that are not/],
    [{ is_write: true, outcomes: { 503: 'refused' } }, /declare a 5xx status refused/],
    [{ is_write: true, idempotency: 'never' }, /idempotency/],
    [{ is_write: false, name: 'Get Order' }, /names must match/],
    [{ is_write: false, requires_customer: 'yes' }, /requiresCustomer as something other than true or false/],
    [{ is_write: false, requires_customer: null }, /requiresCustomer as something other than true or false/],
    [{ is_write: true, verify: { tool: 'no_such', arguments: {}, check: { path: 'a', equals: 1 } } }, /have a verify/],
  ] as const)
    await refused(apiKey, { ...all, operations: { get_order: declaration } }, word)
  await refused(
    apiKey,
    { ...all, operations: { get_order: { is_write: false, name: 'list_orders' }, list_orders: { is_write: false } } },
    /declared more than once/,
  )
  assert.equal((await catalogOf(apiKey)).import, null)
})

test('inputs: what the document requires stays, what is omitted is gone, and words of a person replace those of the document', async () => {
  const { apiKey } = await house.tenant()
  const all = { document: SHOP, baseUrl: BASE, skipUndeclared: true }
  for (const [input, said, word] of [
    ['number', { omit: true }, /cannot omit its input number/],
    ['number', { required: false }, /cannot make its input number optional/],
    ['colour', { omit: true }, /has no input "colour"\. Its inputs are number/],
    ['number', { description: 5 }, /describes its input number with 5/],
    ['number', [], /declares its input number with an empty list/],
  ] as const)
    await refused(
      apiKey,
      { ...all, operations: { get_order: { is_write: false, parameters: { [input]: said } } } },
      word,
    )
  const { body } = await send(apiKey, {
    ...all,
    operations: {
      list_orders: {
        is_write: false,
        name: 'find_orders',
        description: 'Finds orders of a customer, the newest first, twenty at a time.',
        domain: 'orders',
        requires_customer: true,
        parameters: { limit: { omit: true }, state: { required: true, description: 'As the shop calls it.' } },
      },
    },
  })
  const [tool] = body.catalog as Record<string, unknown>[]
  assert.deepEqual(
    [tool?.name, tool?.domain, tool?.requires_customer, tool?.parameters],
    [
      'find_orders',
      'orders',
      true,
      {
        type: 'object',
        properties: {
          state: { type: 'string', enum: ['open', 'paid'], description: 'As the shop calls it.' },
          customer_id: { type: 'string' },
        },
        required: ['state'],
        additionalProperties: false,
      },
    ],
  )
  assert.deepEqual(tool?.examples, { state: ['open'] })
})

test('warnings tell what a model will get wrong, and never refuse', async () => {
  const { apiKey } = await house.tenant()
  const { body } = await importShop(apiKey)
  assert.deepEqual(
    body.warnings?.map(({ operation, parameter, code }) => `${operation} ${parameter} ${code}`),
    [
      'list_orders null short_description',
      'list_orders limit optional_number',
      'list_orders limit undescribed_optional',
      'list_orders customer_id undescribed_id',
      'list_orders customer_id undescribed_optional',
      'refund_order reason undescribed_optional',
      'refund_order number_body optional_number',
      'refund_order number_body undescribed_optional',
    ],
  )
  const unread = await importShop(apiKey, { operations: { get_order: { is_write: false, requires_costumer: true } } })
  assert.deepEqual(unread.body.notes?.map(({ code, operation }) => [code, operation]).at(-1), [
    'unknown_member',
    'get_order',
  ])
})

test('a body that cannot be read is refused as an import is, and never quotes the credential', async () => {
  const { apiKey } = await house.tenant()
  const base = { document: SHOP, baseUrl: BASE, operations: DECLARED }
  for (const [body, word] of [
    [[], /must be an object/],
    [{ baseUrl: BASE }, /document is missing/],
    [{ document: SHOP }, /baseUrl is missing/],
    [{ ...base, document: 5 }, /document must be an OpenAPI document/],
    [{ ...base, document: 'https://shop.example/openapi.json' }, /nothing is fetched/],
    [{ ...base, document: '{"openapi": "3.0.0", "paths": ' }, /cannot be read.*not valid JSON/],
    [{ ...base, document: '{"openapi":"3.0.0","info":{"title":"\\u0000"}}' }, /cannot be read.*NUL character/],
    [{ ...base, document: 'openapi: 3.0.0\ninfo: { title: "\\ud800" }\n' }, /cannot be read.*surrogate/],
    [{ ...base, document: { paths: {} } }, /neither openapi nor swagger/],
    [{ ...base, document: { openapi: 4 } }, /says version 4, which cannot be imported/],
    [{ ...base, document: { openapi: '4.0.0' } }, /says version "4\.0\.0"/],
    [{ ...base, document: { openapi: '3.1.0', webhooks: { a: {} } } }, /no operation/],
    [{ ...base, baseUrl: 'ftp://shop.example' }, /baseUrl/],
    [{ ...base, baseUrl: 'https://user:pass@shop.example' }, /baseUrl/],
    [{ ...base, baseUrl: 'https://shop.example/?a=1' }, /neither a query nor a fragment/],
    [{ ...base, operations: [] }, /operations must be an object/],
    [{ ...base, skipUndeclared: 'yes' }, /skipUndeclared must be true or false/],
    [{ ...base, userToken: 'always' }, /userToken must be/],
    [{ ...base, source: { kind: 'repository', commit: 'xyz', path: 'a', dirty: false } }, /source\.commit/],
    [{ ...base, source: { kind: 'upload', commit: '0123abc', path: 'a', dirty: false } }, /source\.kind/],
    [{ ...base, source: { kind: 'repository', commit: '0123abc', path: '../a', dirty: false } }, /source\.path/],
    [{ ...base, source: { kind: 'repository', commit: '0123abc', path: 'a' } }, /source\.dirty/],
    [{ ...base, credential: 'QUOTED\u0007' }, /credential must be/],
    [{ ...base, credential: 'QUOTED'.repeat(700) }, /longer than 4000/],
    [{ ...base, credential: { scheme: 'bearer', token: 'QUOTED', more: 1 } }, /credential must be/],
    [{ ...base, credential: 4711 }, /credential must be/],
  ] as const) {
    const { text } = await refused(apiKey, body, word)
    assert.ok(!text.includes('QUOTED'), text)
  }
})

test('a re-import keeps registered names and says what has changed since', async () => {
  const { apiKey } = await house.tenant()
  const first = await importShop(apiKey, {
    operations: { ...DECLARED, get_order: { is_write: false, name: 'look_up_order' } },
  })
  await register(apiKey, first.body.catalog)
  const draft = async (document: unknown) => (await send(apiKey, { document, baseUrl: BASE })).body
  const same = await draft(SHOP)
  assert.deepEqual(
    same.changes?.added.map(({ name }) => name),
    ['post_orders', 'upload_invoice'],
  )
  assert.deepEqual([same.changes?.removed, same.changes?.changed], [[], []])
  assert.equal(same.operations?.[2]?.name, 'look_up_order')

  const { '/orders': orders, '/orders/{number}': order } = SHOP.paths
  const moved = await draft({
    ...SHOP,
    paths: {
      // Another operation that would take a registered name.
      '/archive': { get: { operationId: 'look_up_order', summary: 'Looks into the archive of orders, by year.' } },
      '/orders': orders,
      '/orders/{number}': {
        ...order,
        get: { ...order.get, summary: 'Looks up an order, and by now its parcels, too.' },
      },
    },
  })
  assert.deepEqual(
    moved.operations?.map(({ name }) => name),
    ['look_up_order_2', 'list_orders', 'post_orders', 'look_up_order'],
  )
  assert.deepEqual(moved.changes?.changed, [{ name: 'look_up_order', method: 'GET', path: '/orders/{number}' }])
  assert.deepEqual(moved.changes?.removed, [{ name: 'refund_order', method: 'POST', path: '/orders/{number}/refunds' }])

  // A script that was written for the first import still finds its operation under the name of that time.
  const script = await importShop(apiKey, { operations: { get_order: { is_write: false, name: 'look_up_order' } } })
  assert.equal(script.status, 200, script.text)
  const twice = { get_order: { is_write: false }, look_up_order: { is_write: false } }
  await refused(apiKey, { document: SHOP, baseUrl: BASE, skipUndeclared: true, operations: twice }, /declared twice/)
})

test('the same document comes as an object, as JSON text and as YAML text, numbers as they were written', async () => {
  const { apiKey } = await house.tenant()
  const yaml = [
    'swagger: "2.0"',
    'info: {title: Shop, version: 1}',
    'paths:',
    '  /orders:',
    '    get:',
    '      operationId: list_orders',
    '      summary: Lists the orders of the shop, the newest first.',
    '      parameters:',
    '        - {name: after, in: query, type: integer, maximum: 9007199254740993, description: The last number seen.}',
    '        - {name: "on", in: query, type: string, enum: [no, yes], description: Whether it ships.}',
  ].join('\n')
  const operations = { list_orders: { is_write: false } }
  const texts = await Promise.all(
    [
      yaml,
      '{"swagger": "2.0", "paths": {"/orders": {"get": {"operationId": "list_orders", "summary": "Lists the orders of the shop, the newest first.", "parameters": [{"name": "after", "in": "query", "type": "integer", "maximum": 9007199254740993, "description": "The last number seen."}, {"name": "on", "in": "query", "type": "string", "enum": ["no", "yes"], "description": "Whether it ships."}]}}}}',
    ].map(async (document) => {
      const { text, status } = await send(apiKey, { document, baseUrl: BASE, operations })
      assert.equal(status, 200, text)
      return text
    }),
  )
  assert.equal(texts[0], texts[1])
  assert.match(texts[0] ?? '', /"maximum":9007199254740993/)
  assert.match(texts[0] ?? '', /"enum":\["no","yes"\]/)
  for (const [document, word] of [
    ['swagger: "2.0"\npaths: &a\n  /a: *a', /YAML.*aliases stand for/],
    ['swagger: "2.0"\nswagger: "2.0"', /YAML.*duplicat/i],
    ['just words', /must be an OpenAPI document/],
    ['a: !!js/function x', /YAML/],
  ] as const)
    await refused(apiKey, { document, baseUrl: BASE }, word)
})

test('what is referred to elsewhere is missing, and the answer says so once', async () => {
  const { apiKey } = await house.tenant()
  const elsewhere = (file: string) => ({ $ref: `./${file}.yaml` })
  const get = { summary: 'Lists the orders of the shop.', parameters: [elsewhere('page'), elsewhere('limit')] }
  const document = { openapi: '3.1.0', paths: { '/orders': { get, post: elsewhere('post') }, '/a': elsewhere('a') } }
  const { body } = await refused(apiKey, { document, baseUrl: BASE }, /draft/)
  assert.deepEqual([body.operations?.length, body.notes?.length, body.notes?.[0]?.code], [1, 1, 'unresolved'])
  assert.match(body.notes?.[0]?.message ?? '', /^4 reference\(s\) lead outside.*\.\/page\.yaml/)
  const all = { openapi: '3.1.0', paths: { '/a': elsewhere('a') } }
  await refused(apiKey, { document: all, baseUrl: BASE }, /references to other files: bundle/)
})

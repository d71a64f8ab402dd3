import assert from 'node:assert/strict'
import test from 'node:test'
import { atOnce, type JsonObject } from '../../../kernel/json/index.ts'
import { nameOperations } from './names.ts'
import { openDocument } from './open-document.ts'
import { readOperations } from './operations.ts'
import { routeOf } from './paths.ts'

async function operationOf(operation: JsonObject, more: JsonObject = {}, path = '/a', verb = 'post') {
  const root = { openapi: '3.1.0', ...more, paths: { [path]: { [verb]: operation } } }
  if ('swagger' in more) Reflect.deleteProperty(root, 'openapi')
  const { operations, notes } = atOnce(readOperations(await openDocument(root), new Map()))
  const [found] = operations
  assert.ok(found)
  return { ...found, notes, places: Object.fromEntries(found.inputs.map(({ argument, place }) => [argument, place])) }
}

const named = (...ids: (string | undefined)[]) =>
  nameOperations(
    ids.map((id, index) => ({ id, method: 'GET', path: `/things/${index}/{thing id}` })),
    new Map(),
  )

test('names: a valid id stays, others become snake_case, what is missing is made of method and path', () => {
  assert.deepEqual(
    named(
      'get_order',
      'getOrder2',
      'HTTPSCheck',
      'orders/list-all',
      'Überweisung ausführen',
      '2fa',
      'ab',
      undefined,
      '',
      'ქართული',
      'tether_handoff',
    ),
    [
      'get_order',
      'get_order2',
      'https_check',
      'orders_list_all',
      'uberweisung_ausfuhren',
      'get_2fa',
      'get_ab',
      'get_things_7_by_thing_id',
      'get_things_8_by_thing_id',
      'kartuli',
      'tether_handoff_2',
    ],
  )
})

test('names: those that would be alike are counted, valid ids first, and long ones keep a hash', () => {
  assert.deepEqual(named('List Rules', 'list_rules', 'listRules', 'List rules'), [
    'list_rules_2',
    'list_rules',
    'list_rules_3',
    'list_rules_4',
  ])
  const [long = '', other = ''] = named(`${'very_long_'.repeat(8)}a`, `${'very_long_'.repeat(8)}b`)
  for (const name of [long, other]) assert.match(name, /^(?:very_long_){5}very_lo_[0-9a-f]{6}$/)
  assert.notEqual(long, other)
})

test('names: what is registered comes before everything, also where another operation has its id', () => {
  const operations = [
    { id: 'get_order', method: 'GET', path: '/new' },
    { id: 'something_else', method: 'GET', path: '/orders' },
  ]
  assert.deepEqual(nameOperations(operations, new Map([['GET /orders', 'get_order']])), ['get_order_2', 'get_order'])
})

test('paths: a question mark becomes the query, a fragment is not sent, and what leaves the address is no path', () => {
  const query = (path: string) => {
    const route = routeOf(path)
    return route && [route.path, route.query, [...route.inQuery], route.inPath]
  }
  assert.deepEqual(query('/a/{b}/{b}'), ['/a/{b}/{b}', [], [], ['b']])
  assert.deepEqual(query('/a?x=1&y={z}&flag'), [
    '/a',
    [
      { name: 'x', value: '1' },
      { name: 'flag', value: '' },
    ],
    [['z', 'y']],
    [],
  ])
  assert.deepEqual(query('/token#refresh'), ['/token', [], [], []])
  assert.deepEqual(query('/a b/'), ['/a%20b/', [], [], []])
  for (const path of ['a', '//host/a', '/a/../b', '/a/%2e%2e/b', '/a\\b', '/a\nb', `/${'a'.repeat(3_000)}`])
    assert.equal(routeOf(path), undefined, path)
})

test('parameters: the operation overrides its path, headers without regard to case; templates are required texts', async () => {
  const root = {
    openapi: '3.0.0',
    paths: {
      '/a/{b}/{c}': {
        parameters: [
          { name: 'b', in: 'path', required: true, description: 'Of the path.' },
          { name: 'X-Shop', in: 'header', required: true },
          { name: 'stray', in: 'path', required: true },
        ],
        get: {
          parameters: [
            { name: 'b', in: 'path', description: 'Of the operation.' },
            { name: 'x-shop', in: 'header' },
          ],
        },
      },
    },
  }
  const [found] = atOnce(readOperations(await openDocument(root), new Map())).operations
  assert.deepEqual(
    found?.inputs.map(({ argument, place, required, description }) => [argument, place.in, required, description]),
    [
      ['b', 'path', true, 'Of the operation.'],
      ['c', 'path', true, ''],
      ['x-shop', 'header', false, ''],
    ],
  )
})

test('styles: what the binding says is what differs from the usual', async () => {
  const parameters = [
    { name: 'plain', in: 'query', schema: { type: 'array' } },
    { name: 'usual', in: 'query', style: 'form', explode: true },
    { name: 'commas', in: 'query', explode: false },
    { name: 'pipes', in: 'query', style: 'pipeDelimited', explode: false },
    { name: 'deep', in: 'query', style: 'deepObject' },
    { name: 'label', in: 'path', style: 'label', explode: true },
    { name: 'raw', in: 'query', allowReserved: true },
    { name: 'json', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    { name: 'odd', in: 'query', style: 'matrix' },
    { name: 'cookie', in: 'cookie' },
    { name: 'Authorization', in: 'header' },
    { name: 'Idempotency-Key', in: 'header', required: true },
    // Read as ours by whoever hands headers on as variables.
    { name: 'X-Service_Customer-Id', in: 'header' },
    { name: 'webhook_signature', in: 'header' },
  ]
  const { places } = await operationOf({ parameters }, {}, '/a/{label}')
  assert.deepEqual(places, {
    plain: { in: 'query', name: 'plain' },
    usual: { in: 'query', name: 'usual' },
    commas: { in: 'query', name: 'commas', explode: false },
    pipes: { in: 'query', name: 'pipes', style: 'pipeDelimited' },
    deep: { in: 'query', name: 'deep', style: 'deepObject' },
    label: { in: 'path', name: 'label', style: 'label', explode: true },
    raw: { in: 'query', name: 'raw', allowReserved: true },
    json: { in: 'query', name: 'json', contentType: 'application/json' },
    odd: { in: 'query', name: 'odd' },
    cookie: { in: 'cookie', name: 'cookie' },
  })
})

test('names of arguments: what a maker refuses is renamed, and a member that is called like a parameter gives way', async () => {
  const { places } = await operationOf({
    parameters: ['id', '$filter', 'labelNames/blue', 'x'.repeat(80), '***'].map((name) => ({ name, in: 'query' })),
    requestBody: {
      content: { 'application/json': { schema: { properties: { id: {}, filter: {}, '@odata.id': {} } } } },
    },
  })
  assert.deepEqual(
    Object.entries(places).map(([argument, { name }]) => [argument, name]),
    [
      ['id', 'id'],
      ['filter', '$filter'],
      ['labelNames_blue', 'labelNames/blue'],
      ['x'.repeat(64), 'x'.repeat(80)],
      ['query', '***'],
      ['id_body', 'id'],
      ['filter_body', 'filter'],
      ['odata.id', '@odata.id'],
    ],
  )
})

const json = (schema: JsonObject, more: JsonObject = {}) => ({
  requestBody: { ...more, content: { 'application/json': { schema } } },
})

test('bodies: members of a plain object, of allOf and beside a choice; anything else is one argument', async () => {
  const inputs = async (operation: JsonObject) =>
    (await operationOf(operation)).inputs.map(({ argument, required, place }) => [
      argument,
      required,
      place.whole === true,
    ])
  const member = { properties: { a: {}, b: {} }, required: ['a'] }
  assert.deepEqual(await inputs(json(member)), [
    ['a', true, false],
    ['b', false, false],
  ])
  // Said outright, a body may be left out with all of its members.
  assert.deepEqual(await inputs(json(member, { required: false })), [
    ['a', false, false],
    ['b', false, false],
  ])
  assert.deepEqual(await inputs(json({ ...member, oneOf: [{ required: ['b'] }, { properties: { c: {} } }] })), [
    ['a', true, false],
    ['b', false, false],
    ['c', false, false],
  ])
  for (const schema of [
    { type: 'array', items: {} },
    { oneOf: [{ properties: { a: {} } }, { type: 'string' }] },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'string' },
    {},
  ])
    assert.deepEqual(await inputs(json(schema, { required: true })), [['body', true, true]], JSON.stringify(schema))
})

test('bodies: JSON before forms, the exact media type, and the reason where nothing can be sent', async () => {
  const body = async (types: readonly string[], schema: JsonObject = { properties: { a: {} } }) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema }]))
    const { body: found, notes } = await operationOf({ requestBody: { content } })
    return [found.kind, found.mediaType, notes[0]?.code]
  }
  assert.deepEqual(await body(['text/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8']), [
    'json',
    undefined,
    undefined,
  ])
  assert.deepEqual(await body(['application/json-patch+json']), ['json', 'application/json-patch+json', undefined])
  assert.deepEqual(await body(['*/*']), ['json', undefined, undefined])
  assert.deepEqual(await body(['application/x-www-form-urlencoded']), ['form', undefined, undefined])
  assert.deepEqual(await body(['multipart/form-data']), ['form', 'multipart/form-data', undefined])
  assert.deepEqual(await body(['application/octet-stream']), [null, undefined, 'body_left_out'])
  const file = { properties: { picture: { type: 'string', format: 'binary' }, a: {} }, required: ['picture'] }
  assert.deepEqual(await body(['multipart/form-data'], file), [null, undefined, 'body_left_out'])
  const { inputs } = await operationOf(json({ properties: { a: {} } }), {}, '/a', 'get')
  assert.deepEqual(inputs, [])
})

test('forms: the encoding of a member, and the lists of Swagger 2.0', async () => {
  const form = { properties: { a: { type: 'array' }, b: { type: 'object' }, c: {} } }
  const encoding = { a: { style: 'deepObject', explode: true }, b: { contentType: 'application/json' } }
  const { places } = await operationOf({
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form, encoding } } },
  })
  assert.deepEqual(places, {
    a: { in: 'body', name: 'a', style: 'deepObject', explode: true },
    b: { in: 'body', name: 'b', contentType: 'application/json' },
    c: { in: 'body', name: 'c' },
  })
  const list = (name: string, more: JsonObject) => ({ name, type: 'array', items: { type: 'string' }, ...more })
  const old = await operationOf(
    {
      parameters: [
        list('csv', { in: 'query' }),
        list('multi', { in: 'query', collectionFormat: 'multi' }),
        list('ssv', { in: 'query', collectionFormat: 'ssv' }),
        list('form', { in: 'formData' }),
        list('each', { in: 'formData', collectionFormat: 'multi' }),
        { name: 'file', in: 'formData', type: 'file' },
      ],
    },
    { swagger: '2.0' },
  )
  assert.deepEqual(old.places, {
    csv: { in: 'query', name: 'csv', explode: false },
    multi: { in: 'query', name: 'multi' },
    ssv: { in: 'query', name: 'ssv', style: 'spaceDelimited' },
    form: { in: 'body', name: 'form', style: 'form', explode: false },
    each: { in: 'body', name: 'each', style: 'form', explode: true },
  })
  const body2 = await operationOf(
    {
      consumes: ['application/json'],
      parameters: [{ name: 'order', in: 'body', required: true, schema: { $ref: '#/definitions/Order' } }],
    },
    {
      swagger: '2.0',
      definitions: { Order: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    },
  )
  assert.deepEqual([body2.body.kind, body2.places], ['json', { n: { in: 'body', name: 'n' } }])
})

test('notes: a server of its own, and a credential that is sent elsewhere than as a bearer token', async () => {
  const { notes } = await operationOf(
    { servers: [{ url: 'https://other.example' }] },
    {
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, oauth: { type: 'oauth2' } },
      },
    },
  )
  assert.deepEqual(
    notes.map(({ code }) => code),
    ['own_server', 'credential_place'],
  )
  assert.match(
    notes[1]?.message ?? '',
    /header "X-Key"\. Send credential as \{"scheme": "header", "name": "X-Key", "value": …\}/,
  )
})

test('notes: every input that is left out is said, but for the headers that OpenAPI has elsewhere', async () => {
  const parameters = [
    { name: 'Cookie', in: 'header', schema: { type: 'string' } },
    { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'a b', in: 'header', schema: { type: 'string' } },
    { name: 'page', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'old', in: 'formData', type: 'string' },
    ...['Accept', 'Content-Type', 'authorization'].map((name) => ({ name, in: 'header', schema: { type: 'string' } })),
  ]
  const file = { type: 'string', format: 'binary' }
  const properties = { level: { type: 'string' }, scan: file, more: { type: 'array', items: file } }
  const form = { requestBody: { content: { 'multipart/form-data': { schema: { properties } } } } }
  const found = await operationOf({ parameters, ...form })
  assert.deepEqual(Object.keys(found.places), ['level'])
  assert.deepEqual(
    found.notes.map(({ code, message }) => [code, message]),
    [
      [
        'input_left_out',
        'Some of its inputs are left out: "Cookie" (the service writes this header itself), "Idempotency-Key" (the service writes this header itself), "a b" (no header can have this name), "old" (parameters have no such place in OpenAPI 3), "page" (the path has no place for it), and 2 more.',
      ],
    ],
  )
  const { notes } = await operationOf(form)
  assert.match(notes[0]?.message ?? '', /: "scan" \(files cannot be sent\), "more" \(files cannot be sent\)\.$/)
  const fields = ['text', 'file'].map((type) => ({ name: type, in: 'formData', type }))
  const old = await operationOf({ parameters: fields }, { swagger: '2.0' })
  assert.match(old.notes[0]?.message ?? '', /: "file" \(files cannot be sent\)\.$/)
  const read = await operationOf({ requestBody: { content: { 'application/json': {} } } }, {}, '/a', 'get')
  assert.deepEqual(read.notes[0]?.message, 'Its body is left out: a GET is sent without one.')
  const oldRead = await operationOf({ parameters: fields }, { swagger: '2.0' }, '/a', 'get')
  assert.deepEqual(oldRead.notes[0]?.code, 'body_left_out')
})

test('names: Georgian ones are written in Latin letters, and what cannot be is said by the description', async () => {
  assert.deepEqual(nameOperations([{ id: undefined, method: 'GET', path: '/შეკვეთები/{ნომერი}' }], new Map()), [
    'get_shekvetebi_by_nomeri',
  ])
  const parameters = ['ნომერი', 'größe', 'имя', '名_id'].map((name) => ({ name, in: 'query', schema: {} }))
  const said = { name: 'город', in: 'query', description: 'Where to.', schema: {} }
  const { inputs } = await operationOf({ parameters: [...parameters, said] })
  assert.deepEqual(
    inputs.map(({ argument, place, description }) => [argument, place.name, description]),
    [
      ['nomeri', 'ნომერი', ''],
      ['gro_e', 'größe', 'größe'],
      ['query', 'имя', 'имя'],
      ['id', '名_id', '名_id'],
      ['query_query', 'город', 'Where to.'],
    ],
  )
})

test('texts: JSON and YAML, also behind a mark of their encoding, and YAML in braces', async () => {
  const paths = '{"/a": {"get": {"operationId": "get_it"}}}'
  for (const text of [
    `{"openapi": "3.0.0", "paths": ${paths}}`,
    `\ufeff {"openapi": "3.0.0", "paths": ${paths}}`,
    `\ufeffopenapi: 3.0.0\npaths: ${paths}`,
    `{openapi: 3.0.0, paths: ${paths}}`,
  ]) {
    const { operations } = atOnce(readOperations(await openDocument(text), new Map()))
    assert.deepEqual(
      operations.map(({ name }) => name),
      ['get_it'],
      text,
    )
  }
  await assert.rejects(openDocument('{"openapi": "3.0.0" "paths": 1}'), /not valid JSON/)
  await assert.rejects(openDocument(' https://shop.example.com/openapi.json '), /is an address/)
})

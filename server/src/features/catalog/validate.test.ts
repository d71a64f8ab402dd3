import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Json, type JsonObject, parseJson, stringifyJson } from '../../foundation/json/index.ts'
import { type Tool, validateCatalog, validateCatalogInTurns } from './index.ts'

const order = {
  type: 'object',
  properties: { order_id: { type: 'string' }, note: { type: 'string' } },
  required: ['order_id'],
}
const read: JsonObject = {
  name: 'get_order',
  description: 'Fetches one order with its lines and state by number.',
  is_write: false,
  parameters: order,
}
const write: JsonObject = {
  name: 'cancel_order',
  description: 'Cancels one order that has not been shipped yet.',
  is_write: true,
  parameters: order,
}
const condition: JsonObject = {
  tool: 'get_order',
  arguments: { order_id: { from: 'order_id' } },
  check: { path: 'state', equals: 'open' },
}
const http: JsonObject = {
  method: 'POST',
  path: '/orders/{order_id}/cancel',
  arguments: { order_id: { in: 'path', name: 'order_id' } },
}

const errorOf = (catalog: unknown): string => {
  const checked = validateCatalog(catalog)
  assert.ok(!checked.ok, 'it was accepted')
  return checked.error
}
const toolsOf = (catalog: unknown): Tool[] => {
  const checked = validateCatalog(catalog)
  assert.ok(checked.ok, checked.ok ? '' : checked.error)
  return checked.tools
}
const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
/** A write with this precondition, beside the read. */
const guarded = (changes: JsonObject, noun = 'precondition'): Json[] => [
  read,
  { ...write, [noun]: { ...condition, ...changes } },
]

const refusals: [why: string, catalog: Json[], fragment: string, names: string][] = [
  ['no name', [without(read, 'name')], 'tool(s) have no name', 'entry 0'],
  ['an empty name', [write, { ...read, name: ' ' }], 'tool(s) have no name', 'entry 1'],
  [
    'a name that breaks the pattern',
    [{ ...read, name: 'Get-Order' }],
    'names must match ^[a-z][a-z0-9_]{2,63}$',
    '"Get-Order"',
  ],
  ['a short name', [{ ...read, name: 'go' }], 'names must match ^[a-z][a-z0-9_]{2,63}$', 'go'],
  ['a long name', [{ ...read, name: 'a'.repeat(65) }], 'names must match ^[a-z][a-z0-9_]{2,63}$', 'aaaa'],
  ['a name that is a number', [{ ...read, name: 5 }], 'names must match ^[a-z][a-z0-9_]{2,63}$', 'entry 0'],
  ['a name with a line break at its end', [{ ...read, name: 'get_order\n' }], 'names must match', '"get_order\\n"'],
  [
    'the reserved name',
    [{ ...read, name: 'tether_handoff' }],
    'use a name reserved for a capability the engine provides itself',
    'tether_handoff',
  ],
  [
    'no description',
    [without(read, 'description')],
    'no description, so the model would call them at random',
    'get_order',
  ],
  [
    'a blank description',
    [{ ...read, description: ' \n' }],
    'no description, so the model would call them at random',
    'get_order',
  ],
  [
    'a description that is no text',
    [{ ...read, description: ['x'] }],
    'no description, so the model would call them at random',
    'get_order',
  ],
  ['the same name twice', [read, read], 'declared more than once', 'get_order'],
  ['the same name in another case', [read, { ...read, name: 'Get_Order' }], 'declared more than once', 'Get_Order'],
  [
    'no surface',
    [{ ...read, chat_eligible: false, agent_eligible: false }],
    'registered but offered on no surface',
    'get_order',
  ],
  ['a risk on a read', [{ ...read, risk: 'high' }], 'declared a risk level but not declared a write', 'get_order'],
  [
    'a risk on what does not say that it writes',
    [{ ...without(read, 'is_write'), risk: 'elevated' }],
    'declared a risk level but not declared a write',
    'get_order',
  ],
  [
    'an unknown risk',
    [{ ...write, risk: 'severe' }],
    'declared a risk other than low, elevated or high',
    'cancel_order ("severe")',
  ],
  [
    'requires_customer as text',
    [{ ...read, requires_customer: 'true' }],
    'declared requiresCustomer as something other than true or false',
    'get_order',
  ],
  [
    'requires_customer as null',
    [{ ...read, requires_customer: null }],
    'declared requiresCustomer as something other than true or false',
    'get_order',
  ],
  [
    'requires_customer on a proxied tool',
    [{ ...read, requires_customer: true, upstream: true }],
    'require a verified customer but are proxied to an MCP server',
    'get_order',
  ],
  ...[
    'is_write',
    'requires_scope',
    'chat_eligible',
    'agent_eligible',
    'deep_analysis_only',
    'allow_with_image',
    'upstream',
  ].map((name): [string, Json[], string, string] => [
    `${name} as a number`,
    [{ ...read, [name]: 1 }],
    `declared ${name} as something other than true or false`,
    'get_order (1)',
  ]),
  [
    'parameters that are a list',
    [{ ...read, parameters: [] }],
    'have parameters that are not a JSON Schema',
    'must be a JSON Schema object',
  ],
  [
    'parameters of another type',
    [{ ...read, parameters: { type: 'string' } }],
    'have parameters that are not a JSON Schema',
    'parameters.type must be "object"',
  ],
  [
    'an unknown type inside',
    [{ ...read, parameters: { type: 'object', properties: { a: { type: 'float' } } } }],
    'have parameters that are not a JSON Schema',
    'parameters.properties.a.type must be',
  ],
  [
    'a remote reference',
    [{ ...read, parameters: { type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } } }],
    'have parameters that are not a JSON Schema',
    'nothing is fetched',
  ],
  [
    'a broken pattern',
    [{ ...read, parameters: { type: 'object', properties: { a: { pattern: '(' } } } }],
    'have parameters that are not a JSON Schema',
    'the pattern (',
  ],
  [
    'a huge schema',
    [{ ...read, parameters: { type: 'object', description: 'x'.repeat(300_000) } }],
    'have parameters that are not a JSON Schema',
    'larger than 262144',
  ],
  ['a domain that is no text', [{ ...read, domain: 5 }], 'declared a domain that is not a text', 'get_order'],
  [
    'examples that are a list',
    [{ ...read, examples: ['AB-1'] }],
    'have examples that are not an object mapping their own arguments to a non-empty list of values',
    'get_order',
  ],
  [
    'examples of null',
    [{ ...read, examples: null }],
    'have examples that are not an object mapping their own arguments to a non-empty list of values',
    'get_order',
  ],
  [
    'an empty list of examples',
    [{ ...read, examples: { order_id: [] } }],
    'have examples that are not an object mapping their own arguments to a non-empty list of values',
    'order_id',
  ],
  [
    'an example without a list',
    [{ ...read, examples: { order_id: 'AB-1' } }],
    'have examples that are not an object mapping their own arguments to a non-empty list of values',
    'order_id',
  ],
  [
    'examples of another argument',
    [{ ...read, examples: { sku: ['AB-1'] } }],
    'have examples that are not an object mapping their own arguments to a non-empty list of values',
    'sku is no argument',
  ],
  [
    'value_from on a read',
    [{ ...read, value_from: 'order_id' }],
    'declared value_from but not declared a write',
    'get_order',
  ],
  [
    'value_from a missing argument',
    [{ ...write, value_from: 'amount' }],
    'have a value_from that names no argument of their own',
    'cancel_order ("amount")',
  ],
  [
    'value_from that is no name',
    [{ ...write, value_from: 5 }],
    'have a value_from that names no argument of their own',
    'cancel_order (5)',
  ],
  ...(
    [
      {},
      { pick: [] },
      { pick: 'a' },
      { pick: ['a..b'] },
      { max_items: 0 },
      { max_items: 1.5 },
      { max_items: 10_001 },
      { max_item: 5 },
      [],
      null,
    ] as Json[]
  ).map((result): [string, Json[], string, string] => [
    `result ${JSON.stringify(result)}`,
    [{ ...read, result }],
    'have a result that is not {"pick"',
    'get_order',
  ]),
  [
    'http that is no object',
    [{ ...read, http: 'GET /orders' }],
    'have an http binding that cannot be called',
    'http is not an object',
  ],
  [
    'http without a method',
    [{ ...write, http: without(http, 'method') }],
    'have an http binding that cannot be called',
    'method is not one of',
  ],
  [
    'http to another host',
    [{ ...write, http: { ...http, path: '//evil.example/{order_id}' } }],
    'have an http binding that cannot be called',
    'path does not begin with one slash',
  ],
  [
    'http with an argument that the tool lacks',
    [
      {
        ...write,
        http: { ...http, arguments: { order_id: { in: 'path', name: 'order_id' }, sku: { in: 'query', name: 'sku' } } },
      },
    ],
    'have an http binding that cannot be called',
    'arguments.sku is no argument',
  ],
  [
    'http with a path that nothing fills',
    [{ ...write, http: { ...http, arguments: {} } }],
    'have an http binding that cannot be called',
    'path has {order_id}',
  ],
  [
    'http with an unknown place',
    [{ ...write, http: { ...http, arguments: { order_id: { in: 'cloud', name: 'x' } } } }],
    'have an http binding that cannot be called',
    'arguments.order_id is not',
  ],
  [
    'http with another body',
    [{ ...write, http: { ...http, body: 'xml' } }],
    'have an http binding that cannot be called',
    'body is not',
  ],
  ...(
    [
      { 200: 'refused' },
      { 600: 'indeterminate' },
      { '4xx': 'refused' },
      { 404: 'ignored' },
      { '0404': 'refused' },
      [],
      'refused',
      null,
    ] as Json[]
  ).map((outcomes): [string, Json[], string, string] => [
    `outcomes ${JSON.stringify(outcomes)}`,
    [{ ...write, http: { ...http, outcomes } }],
    'have http outcomes that are not ',
    'cancel_order',
  ]),
  [
    'outcomes on a read',
    [{ ...read, http: { ...http, outcomes: { 404: 'refused' } } }],
    'declared http outcomes but not declared a write',
    'get_order',
  ],
  [
    'a 5xx declared refused',
    [{ ...write, http: { ...http, outcomes: { 503: 'refused' } } }],
    'declare a 5xx status refused',
    'cancel_order (503)',
  ],
  ['an entry that is no object', [read, 'cancel_order'], 'are not JSON objects', 'entry 1'],
]

for (const noun of ['precondition', 'verify']) {
  const given = (changes: JsonObject) => guarded(changes, noun)
  const check = (changes: JsonObject) => given({ check: { path: 'state', ...changes } })
  refusals.push(
    [
      `a ${noun} on a read`,
      [{ ...read, [noun]: condition }],
      `declared a ${noun} but not declared a write`,
      'get_order',
    ],
    [
      `a ${noun} that is no object`,
      [read, { ...write, [noun]: 'get_order' }],
      `have a ${noun} that is not an object`,
      'cancel_order',
    ],
    [`a ${noun} of null`, [read, { ...write, [noun]: null }], `have a ${noun} that is not an object`, 'cancel_order'],
    [
      `a ${noun} with an unknown key`,
      given({ message: 'x' }),
      `have a ${noun} with an unknown key`,
      'cancel_order (message)',
    ],
    [
      `a ${noun} with an unknown key in check`,
      check({ equals: 1, not: 2 }),
      `have a ${noun} with an unknown key`,
      'check.not',
    ],
    [
      `a ${noun} without a tool`,
      [read, { ...write, [noun]: without(condition, 'tool') }],
      `have a ${noun} that names no tool`,
      'cancel_order',
    ],
    [
      `a ${noun} naming a missing tool`,
      given({ tool: 'get_orders' }),
      `have a ${noun} that names a tool which is not in the catalog`,
      'get_orders',
    ],
    [`a ${noun} naming a write`, given({ tool: 'cancel_order' }), `have a ${noun} that names a write`, 'cancel_order'],
    [
      `a ${noun} mapping a missing argument`,
      given({ arguments: { order_id: { from: 'order_id' }, sku: { value: 1 } } }),
      `have a ${noun} that maps an argument which its read does not have`,
      'sku of get_order',
    ],
    [
      `a ${noun} mapping from a missing argument`,
      given({ arguments: { order_id: { from: 'id' } } }),
      `have a ${noun} that maps from an argument which the write does not have`,
      'cancel_order (id)',
    ],
    [
      `a ${noun} leaving a required argument unmapped`,
      given({ arguments: { note: { value: 'x' } } }),
      `have a ${noun} that leaves a required argument of its read unmapped`,
      'order_id of get_order',
    ],
    [
      `a ${noun} without arguments for a read that requires one`,
      [read, { ...write, [noun]: without(condition, 'arguments') }],
      `have a ${noun} that leaves a required argument of its read unmapped`,
      'order_id',
    ],
    [
      `a ${noun} with a bare value for an argument`,
      given({ arguments: { order_id: 'AB-1' } }),
      `have a ${noun} whose arguments are not`,
      'order_id',
    ],
    [
      `a ${noun} with from and value`,
      given({ arguments: { order_id: { from: 'order_id', value: 1 } } }),
      `have a ${noun} whose arguments are not`,
      'order_id',
    ],
    [
      `a ${noun} with arguments in a list`,
      given({ arguments: [] }),
      `have a ${noun} whose arguments are not`,
      'cancel_order',
    ],
    [
      `a ${noun} without a check`,
      [read, { ...write, [noun]: without(condition, 'check') }],
      `have a ${noun} without a check`,
      'cancel_order',
    ],
    [
      `a ${noun} with a check that is no object`,
      given({ check: true }),
      `have a ${noun} whose check is not an object`,
      'true',
    ],
    [
      `a ${noun} without a path`,
      given({ check: { equals: 1 } }),
      `have a ${noun} whose check.path is not a dot path`,
      'cancel_order',
    ],
    [
      `a ${noun} with a broken path`,
      given({ check: { path: 'lines..state', equals: 1 } }),
      `have a ${noun} whose check.path is not a dot path`,
      'lines..state',
    ],
    [`a ${noun} that asks nothing`, check({}), `have a ${noun} whose check does not have exactly one of`, 'none'],
    [
      `a ${noun} that asks twice`,
      check({ equals: 1, in: [1] }),
      `have a ${noun} whose check does not have exactly one of`,
      'equals with in',
    ],
    [
      `a ${noun} that mixes equals and gt`,
      check({ equals: 1, gt: 0 }),
      `have a ${noun} whose check does not have exactly one of`,
      'equals with gt',
    ],
    [
      `a ${noun} with an empty in`,
      check({ in: [] }),
      `have a ${noun} whose check.in is not a non-empty list`,
      'an empty list',
    ],
    [
      `a ${noun} with in as a value`,
      check({ in: 'open' }),
      `have a ${noun} whose check.in is not a non-empty list`,
      '"open"',
    ],
    [`a ${noun} with from as a number`, check({ from: 1 }), `have a ${noun} whose check.from is not the name`, '1'],
    [
      `a ${noun} with from a missing argument`,
      check({ from: 'missing' }),
      `have a ${noun} that maps from an argument which the write does not have`,
      'missing',
    ],
    [`a ${noun} with gt as text`, check({ gt: '5' }), `have a ${noun} whose check.gt is not a number`, '"5"'],
    [
      `a ${noun} with lte from a missing argument`,
      check({ lte: { from: 'missing' } }),
      `have a ${noun} that maps from an argument which the write does not have`,
      'missing',
    ],
    [
      `a ${noun} with lt as {value}`,
      check({ lt: { value: 5 } }),
      `have a ${noun} whose check.lt is not a number`,
      'an object',
    ],
  )
}

test('every rejection has its fragment and names the tool', () => {
  assert.ok(
    validateCatalog([read, { ...write, precondition: condition, verify: condition, http }]).ok,
    'the catalog that the table breaks is itself fine',
  )
  for (const [why, catalog, fragment, names] of refusals) {
    const error = errorOf(catalog)
    assert.ok(error.includes(fragment), `${why}: ${error}`)
    assert.ok(error.includes(names), `${why} should name ${names}: ${error}`)
  }
})

test('all problems come in one message', () => {
  const error = errorOf([...refusals.flatMap(([, catalog]) => catalog.filter((tool) => tool !== read)), read])
  const missing = refusals.filter(([, , fragment]) => !error.includes(fragment)).map(([why]) => why)
  assert.deepEqual(missing, [])
})

test('the message names the first ten tools and counts the rest, however many there are', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    ...read,
    name: `tool_${index}`,
    description: '',
    risk: 'high',
    parameters: { type: 'x'.repeat(500) },
  }))
  const error = errorOf(many)
  assert.match(
    error,
    /3000 tool\(s\) have no description, so the model would call them at random: tool_0, .*tool_9 and 2990 more\./,
  )
  assert.ok(error.length < 10_000, `${error.length} characters`)
  assert.ok(errorOf([{ ...read, name: 'x'.repeat(100_000) }]).length < 1_000)
})

test('what is no catalog is refused whole', () => {
  assert.match(errorOf({ tools: [] }), /JSON array of tools; this is an object/)
  for (const value of [null, 'x', 5, true, undefined]) assert.match(errorOf(value), /JSON array of tools/)
  assert.match(errorOf(Array.from({ length: 5_001 }, () => read)), /5001 tools; it may have 5000/)
  assert.match(errorOf([{ ...read, x: 'y'.repeat(9_000_000) }]), /larger than 8 MiB/)
  assert.match(errorOf([{ ...read, x: parseJson(`${'['.repeat(120)}${']'.repeat(120)}`) }]), /nested more than 100/)
  assert.match(errorOf([{ ...read, x: undefined }]), /not JSON/)
  const empty = validateCatalog([])
  assert.ok(empty.ok && empty.toolCount === 0 && empty.writeToolCount === 0)
})

test('defaults are applied, and the object itself is kept as it came', () => {
  const [tool] = toolsOf([{ name: 'get_all', description: 'Lists everything there is in the shop right now.' }])
  assert.ok(tool)
  const { raw, ...view } = tool
  assert.deepEqual(view, {
    name: 'get_all',
    description: 'Lists everything there is in the shop right now.',
    isWrite: false,
    parameters: { type: 'object', properties: {}, required: [] },
    domain: 'general',
    risk: 'low',
    requiresScope: false,
    requiresCustomer: false,
    precondition: null,
    verify: null,
    examples: null,
    chatEligible: true,
    agentEligible: true,
    deepAnalysisOnly: false,
    allowWithImage: true,
    valueFrom: null,
    result: null,
    http: null,
    upstream: false,
  })
  assert.deepEqual(raw, { name: 'get_all', description: 'Lists everything there is in the shop right now.' })
})

test('a full write is read in full', () => {
  const full: JsonObject = {
    ...write,
    risk: 'high',
    domain: 'orders',
    requires_customer: true,
    chat_eligible: false,
    value_from: 'note',
    result: { pick: ['order.state', 'lines.0'], max_items: 5.0 },
    precondition: { ...condition, check: { path: 'total', gte: 1, lt: { from: 'note' } } },
    http: { ...http, method: 'DELETE', outcomes: { 409: 'refused', 502: 'indeterminate' } },
    vendor_note: { kept: true },
  }
  const [, tool] = toolsOf([read, full])
  assert.ok(tool)
  assert.deepEqual(
    [
      tool.isWrite,
      tool.risk,
      tool.domain,
      tool.requiresCustomer,
      tool.chatEligible,
      tool.agentEligible,
      tool.allowWithImage,
      tool.valueFrom,
    ],
    [true, 'high', 'orders', true, false, true, false, 'note'],
  )
  assert.deepEqual(tool.result, {
    pick: [
      ['order', 'state'],
      ['lines', '0'],
    ],
    maxItems: 5,
  })
  assert.deepEqual(tool.precondition?.check, {
    path: ['total'],
    test: {
      kind: 'compare',
      bounds: [
        { operator: 'gte', to: 1 },
        { operator: 'lt', to: { from: 'note' } },
      ],
    },
  })
  assert.deepEqual(tool.http, {
    method: 'DELETE',
    path: '/orders/{order_id}/cancel',
    query: [],
    headers: [],
    body: null,
    arguments: { order_id: { in: 'path', name: 'order_id' } },
    outcomes: { 409: 'refused', 502: 'indeterminate' },
  })
  assert.deepEqual(tool.raw, full)
})

test('what is accepted is written back as it came, long numbers and unknown members included', () => {
  const text = stringifyJson([
    {
      ...read,
      parameters: { ...order, 'x-limit': parseJson('9007199254740993') },
      __proto__x: 1,
      extra: [null, 1.5, { deep: true }],
    },
  ])
  assert.equal(stringifyJson(toolsOf(parseJson(text)).map(({ raw }) => raw)), text)
})

test('arguments are found through references and combinations', () => {
  const parameters = {
    type: 'object',
    $ref: '#/$defs/base',
    allOf: [{ properties: { extra: {} }, required: ['extra'] }],
    anyOf: [{ properties: { either: {} }, required: ['either'] }, {}],
    $defs: { base: { properties: { order_id: { type: 'string' } }, required: ['order_id'] } },
  }
  const reader = { ...read, parameters }
  const guard = (mapped: JsonObject) => [reader, { ...write, precondition: { ...condition, arguments: mapped } }]
  toolsOf(guard({ order_id: { from: 'order_id' }, extra: { value: null }, either: { value: 1 } }))
  assert.match(
    errorOf(guard({ order_id: { from: 'order_id' } })),
    /leaves a required argument of its read unmapped: cancel_order \(extra of get_order\)/,
  )
})

test('edges that are fine', () => {
  for (const catalog of [
    guarded({ check: { path: 'state', equals: null } }),
    guarded({ check: { path: 'lines.0.state', in: [null, 'open'] } }),
    guarded({ check: { path: 'total', gt: 0, lte: { from: 'note' } } }),
    guarded({ check: { path: 'id', from: 'order_id' } }),
    [{ ...read, risk: 'low' }],
    [{ ...read, requires_customer: false, upstream: true }],
    [{ ...read, parameters: {} }],
    [
      {
        ...read,
        parameters: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { a: { items: [{}], additionalItems: false } },
        },
      },
    ],
    [{ ...read, name: `a${'b'.repeat(63)}` }],
    [{ ...read, http: { ...http, outcomes: {} } }],
    [{ ...write, chat_eligible: false }],
  ]) {
    toolsOf(catalog)
  }
})

test('warnings', () => {
  const checked = validateCatalog([
    {
      ...without(read, 'is_write'),
      isWrite: true,
      description: 'Gets one.',
      parameters: {
        type: 'object',
        properties: {
          tenantId: {},
          org: {},
          account_number: {},
          organisation_uuid: {},
          accounting_period: {},
          tenancy: {},
          order_id: { description: 'x'.repeat(20_000) },
        },
      },
    },
    write,
  ])
  assert.ok(checked.ok)
  assert.deepEqual(
    checked.warnings.map(({ tool, parameter, code }) => [tool, parameter, code]),
    [
      ['get_order', null, 'short_description'],
      ['get_order', null, 'undeclared_write'],
      ['get_order', 'tenantId', 'identifier_parameter'],
      ['get_order', 'org', 'identifier_parameter'],
      ['get_order', 'account_number', 'identifier_parameter'],
      ['get_order', 'organisation_uuid', 'identifier_parameter'],
      ['get_order', null, 'large_schema'],
      ['get_order', null, 'misspelled_member'],
    ],
  )
  const many = validateCatalog(
    Array.from({ length: 500 }, (_, index) => ({ ...read, name: `tool_${index}`, description: 'x' })),
  )
  assert.ok(many.ok && many.warnings.length === 201)
  assert.match(many.warnings.at(-1)?.message ?? '', /^300 more/)
})

const memberName = fc.constantFrom(
  'name',
  'description',
  'is_write',
  'parameters',
  'risk',
  'requires_customer',
  'upstream',
  'precondition',
  'verify',
  'tool',
  'arguments',
  'check',
  'path',
  'equals',
  'in',
  'from',
  'gt',
  'value',
  'examples',
  'http',
  'outcomes',
  'method',
  'result',
  'pick',
  'max_items',
  'value_from',
  'properties',
  'type',
  '$ref',
  '404',
  '503',
  '__proto__',
  'constructor',
)
const anyCatalog = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      5,
      '',
      'get_order',
      'cancel_order',
      'object',
      'high',
      '#',
      'order_id',
      'refused',
      [],
      {},
      order,
      condition,
      http,
    ),
    fc.dictionary(memberName, tie('value'), { maxKeys: 6 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.jsonValue({ maxDepth: 1 }),
  ),
})).value

test('validation never throws, on any JSON, and never says both yes and no', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          anyCatalog,
          anyCatalog.map((value) => ({ ...read, ...(typeof value === 'object' ? value : {}) })),
          anyCatalog.map((value) => ({ ...write, precondition: value, http: value, parameters: value })),
        ),
        { maxLength: 4 },
      ),
      (catalog) => {
        const plain = JSON.parse(JSON.stringify(catalog))
        const checked = validateCatalog(plain)
        if (checked.ok) assert.equal(stringifyJson(checked.tools.map(({ raw }) => raw)), JSON.stringify(plain))
        else assert.ok(checked.error.length > 0)
      },
    ),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(fc.anything(), (value) => typeof validateCatalog(value).ok === 'boolean'))
})

test('in turns, the answer is the same and the event loop goes on', async () => {
  const catalog = Array.from({ length: 2_000 }, (_, index) => ({ ...read, name: `tool_${index}` }))
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  const checked = await validateCatalogInTurns(catalog)
  clearInterval(counting)
  assert.deepEqual(checked, validateCatalog(catalog))
  assert.ok(turns > 0)
})

test('catalogs found in the wild are accepted', {
  skip: !existsSync(wild()) && 'the shared corpora are not here',
}, () => {
  for (const file of readdirSync(wild()).filter((name) => name.startsWith('bfcl-'))) {
    const cases = parseJson(readFileSync(new URL(file, wild()), 'utf8'))
    if (!Array.isArray(cases)) continue
    for (const found of cases as JsonObject[]) if (found.catalog !== undefined) toolsOf(found.catalog)
  }
  const retail = validateCatalog(parseJson(readFileSync(new URL('tau-retail/catalog.json', wild()), 'utf8')))
  assert.ok(retail.ok && retail.writeToolCount === 7)
})

function wild(): URL {
  return new URL('../../../../../shared/corpora/function-calling/', import.meta.url)
}

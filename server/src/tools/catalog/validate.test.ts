import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { type JsonObject, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import { httpRefusals } from './fixtures/http-refusals.ts'
import { memberRefusals } from './fixtures/member-refusals.ts'
import { readCheckRefusals } from './fixtures/read-check-refusals.ts'
import { condition, guarded, http, order, read, without, write } from './fixtures/tools.ts'
import { type Tool, validateCatalog, validateCatalogInTurns } from './index.ts'
import { toTool } from './tool-spec.ts'

const refusals = [
  ...memberRefusals,
  ...httpRefusals,
  ...readCheckRefusals('precondition'),
  ...readCheckRefusals('verify'),
]

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
  assert.match(errorOf(Array.from({ length: 5_001 }, () => read)), /5001 tools; 5000 is the most/)
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
    title: null,
    labels: {},
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
    idempotency: 'key',
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

test('a stored tool whose guard cannot be read any more is not served without it', () => {
  for (const broken of [
    { is_write: 'true' },
    { risk: 'severe' },
    { requires_customer: 1 },
    { precondition: { tool: 'get_order' } },
    { requires_customer: null },
    { verify: {} },
  ]) {
    assert.throws(() => toTool({ ...write, ...broken }), /cancel_order has a \w+ that cannot be read/)
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

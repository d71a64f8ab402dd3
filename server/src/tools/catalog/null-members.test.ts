import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kernel/json/index.ts'
import { guarded, http, read, without, write } from './fixtures/tools.ts'
import { type Tool, validateCatalog } from './index.ts'

const errorOf = (catalog: unknown): string => {
  const checked = validateCatalog(catalog)
  return checked.ok ? assert.fail('it was accepted') : checked.error
}
const toolsOf = (catalog: unknown): Tool[] => {
  const checked = validateCatalog(catalog)
  return checked.ok ? checked.tools : assert.fail(checked.error)
}

const OPEN_MEMBERS = [
  'is_write',
  'parameters',
  'domain',
  'risk',
  'requires_scope',
  'precondition',
  'verify',
  'examples',
  'chat_eligible',
  'agent_eligible',
  'deep_analysis_only',
  'allow_with_image',
  'value_from',
  'result',
  'http',
  'upstream',
  'idempotency',
]

test('an optional member that is null is absent, and what was sent is kept with it', () => {
  for (const tool of [read, write]) {
    for (const name of OPEN_MEMBERS) {
      const sent = { ...tool, [name]: null }
      const [nulled, absent] = [toolsOf([sent]), toolsOf([without(tool, name)])]
      assert.deepEqual({ ...nulled[0], raw: {} }, { ...absent[0], raw: {} }, name)
      assert.deepEqual(nulled[0]?.raw, sent)
    }
  }
  const undeclared = validateCatalog([{ ...read, is_write: null }])
  assert.ok(undeclared.ok && undeclared.warnings.some(({ code }) => code === 'undeclared_write'))
  assert.match(
    errorOf([{ ...read, requires_customer: null }]),
    /requiresCustomer as something other than true or false/,
  )
})

test('that holds inside a member, where null is no value of its own', () => {
  const noTest = { in: null, from: null, gt: null, gte: null, lt: null, lte: null }
  const checkOf = (catalog: unknown) => toolsOf(catalog)[1]?.precondition
  for (const test of [{ equals: 'open' }, { equals: null }, { in: ['open'] }, { gte: 1 }] as JsonObject[]) {
    const [nulled, plain] = [
      { path: 'state', ...noTest, ...test },
      { path: 'state', ...test },
    ].map((check) => checkOf(guarded({ check })))
    assert.deepEqual(nulled, plain)
  }
  const arguments_ = { order_id: { from: 'order_id', value: null }, note: { from: null, value: null } }
  assert.match(errorOf(guarded({ arguments: arguments_ })), /whose arguments are not .*order_id/)
  const literal = checkOf(guarded({ arguments: { order_id: { from: null, value: null } } }))
  assert.deepEqual(literal?.arguments, { order_id: { value: null } })
  assert.match(errorOf(guarded({ arguments: null })), /leaves a required argument of its read unmapped/)
  assert.deepEqual(toolsOf([{ ...read, result: { pick: null, max_items: 5 } }])[0]?.result, { pick: null, maxItems: 5 })
  assert.match(errorOf([{ ...read, result: { pick: null, max_items: null } }]), /have a result that is not/)
  const open = { query: null, headers: null, body: null, outcomes: null }
  const [nulled, plain] = [{ ...http, ...open }, http].map((binding) => toolsOf([{ ...write, http: binding }])[0]?.http)
  assert.deepEqual(nulled, plain)
})

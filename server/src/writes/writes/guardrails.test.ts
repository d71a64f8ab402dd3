import assert from 'node:assert/strict'
import test from 'node:test'
import type { Risk } from '@tether/contract'
import { testSettings } from '../../../testkit/house.ts'
import type { JsonObject } from '../../kernel/json/index.ts'
import { validateCatalog } from '../../tools/catalog/index.ts'
import { mustAcknowledge, strictest } from './guardrails.ts'

/** From the least strict to the strictest. */
const RISKS: readonly Risk[] = ['low', 'elevated', 'high']

test('of two risks the stricter counts, whichever was staged', () => {
  for (const [at, lower] of RISKS.entries()) {
    for (const higher of RISKS.slice(at)) {
      assert.equal(strictest(lower, higher), higher, `${lower} raised to ${higher}`)
      assert.equal(strictest(higher, lower), higher, `${higher} lowered to ${lower}`)
    }
  }
})

const guarded = (more: Record<string, string> = {}) =>
  testSettings({ 'AI:ActionGuardrails:Enabled': 'true', 'AI:ActionGuardrails:HighValueThreshold': '100', ...more })

function toolWith(more: object) {
  const parameters = { type: 'object', properties: { amount: { type: 'number' } } }
  const checked = validateCatalog([
    { name: 'refund_order', description: 'Pays an order back.', is_write: true, parameters, ...more },
  ])
  return checked.ok ? (checked.tools[0] ?? assert.fail('no tool')) : assert.fail(checked.error)
}

test('an approver acknowledges the stricter of the staged and the declared risk', () => {
  const reason = (staged: Risk, now: Risk) =>
    mustAcknowledge(guarded(), toolWith({ risk: now }), { risk: staged, arguments: {}, value: null })
  assert.equal(reason('low', 'low'), null)
  assert.match(reason('elevated', 'high') ?? '', /high risk/)
  assert.match(reason('high', 'low') ?? '', /high risk/)
  assert.match(reason('low', 'elevated') ?? '', /elevated risk/)
})

test('an approver acknowledges a value from the threshold on, in either direction, now or when it was staged', () => {
  const tool = toolWith({ value_from: 'amount' })
  const reason = (given: JsonObject, value: string | null, more: Record<string, string> = {}) =>
    mustAcknowledge(guarded(more), tool, { risk: 'low', arguments: given, value })
  assert.equal(reason({ amount: 99 }, '99'), null)
  assert.match(reason({ amount: 100 }, null) ?? '', /value of this write is 100/)
  assert.match(reason({ amount: -100 }, null) ?? '', /value of this write is -100/)
  assert.match(reason({ amount: 1 }, '100') ?? '', /was 100 when it was staged/)
  assert.match(reason({ amount: 1 }, '-100') ?? '', /was -100 when it was staged/)
  assert.match(reason({ amount: 'much' }, null) ?? '', /cannot be read/)
  assert.equal(reason({ amount: 100 }, '100', { 'AI:ActionGuardrails:HighValueThreshold': '0' }), null)
  assert.equal(reason({ amount: 100 }, '100', { 'AI:ActionGuardrails:Enabled': 'false' }), null)
})

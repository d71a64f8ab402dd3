import assert from 'node:assert/strict'
import test from 'node:test'
import { validateCatalog } from '../../tools/catalog/index.ts'
import { summaryOf, titleOf } from './payload.ts'

function toolOf(more: object = {}) {
  const refund = { name: 'refund_order', description: 'Pays an order back.', is_write: true, ...more }
  const checked = validateCatalog([refund])
  return checked.ok ? (checked.tools[0] ?? assert.fail('no tool')) : assert.fail(checked.error)
}

test('a summary is one line that shows what is there, whatever an argument holds', () => {
  const refund = toolOf()
  const cases: [given: Record<string, string>, summary: string][] = [
    [{ number: 'A\u0000-1' }, 'Refund order (number: A[U+0000]-1)'],
    [{ number: 'A\r\n\t\u0085\u2028-1' }, 'Refund order (number: A -1)'],
    [{ to: 'you \u202e001 $\u202c \u2066x\u2069' }, 'Refund order (to: you [U+202E]001 $[U+202C] [U+2066]x[U+2069])'],
    [{ to: 'შოთა 👩‍👩‍👧' }, 'Refund order (to: შოთა 👩‍👩‍👧)'],
    [{ თანხა: '5' }, 'Refund order (თანხა: 5)'],
    [{ 'a\u202e\nb': 'x' }, 'Refund order ("a[U+202E] b": x)'],
    [{ 'amount: 1, note': 'x' }, 'Refund order ("amount: 1, note": x)'],
  ]
  for (const [given, summary] of cases) assert.equal(summaryOf(refund, given), summary)
  assert.ok(summaryOf(refund, { ['n'.repeat(900)]: '1', amount: '7' }).includes('amount: 7'))
  const long = summaryOf(refund, { a: '😀'.repeat(500), b: `x${'😀'.repeat(500)}` })
  assert.ok(long.isWellFormed(), long)
})

test('title and summary are in the words of the business, and in the language of the reader', () => {
  const properties = { number: { type: 'string' }, amount: { type: 'number' }, sku: { type: 'string' } }
  const labels = {
    ka: { title: 'თანხის დაბრუნება', parameters: { sku: 'საქონელი' } },
    en: { parameters: { number: 'Order' } },
  }
  const tool = toolOf({ title: 'Pay back', labels, parameters: { type: 'object', properties } })
  const given = { number: 'A-1', amount: 5, sku: 'cup' }
  assert.equal(titleOf(tool), 'Pay back')
  assert.equal(summaryOf(tool, given), 'Pay back (Order: A-1, amount: 5, sku: cup)')
  assert.equal(summaryOf(tool, given, 'ka'), 'თანხის დაბრუნება (ნომერი: A-1, თანხა: 5, საქონელი: cup)')
})

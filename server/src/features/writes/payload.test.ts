import assert from 'node:assert/strict'
import test from 'node:test'
import { summaryOf } from './payload.ts'

test('a summary is one line that shows what is there, whatever an argument holds', () => {
  const cases: [given: Record<string, string>, summary: string][] = [
    [{ number: 'A\u0000-1' }, 'Refund order (number: A -1)'],
    [{ number: 'A\r\n\t\u0085\u2028-1' }, 'Refund order (number: A -1)'],
    [{ to: 'you \u202e001 $\u202c \u2066x\u2069' }, 'Refund order (to: you 001 $ x )'],
    [{ to: 'შოთა 👩‍👩‍👧' }, 'Refund order (to: შოთა 👩‍👩‍👧)'],
    [{ თანხა: '5' }, 'Refund order (თანხა: 5)'],
    [{ 'a\u202e\nb': 'x' }, 'Refund order (a b: x)'],
    [{ 'amount: 1, note': 'x' }, 'Refund order ("amount: 1, note": x)'],
  ]
  for (const [given, summary] of cases) assert.equal(summaryOf('refund_order', given), summary)
  assert.ok(summaryOf('refund_order', { ['n'.repeat(900)]: '1', amount: '7' }).includes('amount: 7'))
  const long = summaryOf('refund_order', { a: '😀'.repeat(500), b: `x${'😀'.repeat(500)}` })
  assert.ok(long.isWellFormed(), long)
})

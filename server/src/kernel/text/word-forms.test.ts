import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsOf, wordsIn } from './index.ts'

test('splits a text into lower-case words and drops Georgian endings of figures', () => {
  assert.deepEqual(wordsIn('Two INVOICES, of 2026-12-21-ში!'), ['two', 'invoices', 'of', '2026', '12', '21'])
})

test('the forms of a word share a form, and other words do not', () => {
  for (const forms of [
    ['refund', 'refunds', 'refunded', 'refunding'],
    ['delivery', 'deliveries'],
    ['ამანათი', 'ამანათები', 'ამანათის', 'ამანათთან'],
    ['დაბრუნება', 'დავაბრუნო', 'დამიბრუნეთ'],
  ]) {
    const [first = [], ...others] = forms.map(formsOf)
    for (const [at, other] of others.entries()) {
      assert.ok(
        other.some((form) => first.includes(form)),
        `${forms[0]} and ${forms[at + 1]}`,
      )
    }
    assert.ok(!formsOf('invoice').some((form) => first.includes(form)))
  }
})

test('reads a bounded number of words', () => {
  assert.equal(wordsIn('a '.repeat(100_000)).length, 2_000)
})

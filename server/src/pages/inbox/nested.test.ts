import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../kernel/json/index.ts'
import { shown } from './parts.ts'
import { EN } from './words-en.ts'

const page = (json: Json): string => shown({}, json, EN).text
const value = (text: string): string => `<span class="value">${text}</span>`

test('the parts of a value stand beside their names, at every level', () => {
  const lines = [
    { sku: 'cup', gift: true },
    { sku: 'tea', tags: ['a', 'b'] },
  ]
  assert.equal(
    page(lines),
    `<ol class="within"><li><dl class="within"><dt>sku</dt><dd>${value('cup')}</dd><dt>gift</dt><dd>${value('Yes')}</dd></dl></li>` +
      `<li><dl class="within"><dt>sku</dt><dd>${value('tea')}</dd><dt>tags</dt><dd><ol class="within"><li>${value('a')}</li><li>${value('b')}</li></ol></dd></dl></li></ol>`,
  )
})

test('a part cannot pass for markup or for another part', () => {
  assert.equal(
    page({ 'a<dt>': '</dd><dt>total</dt><dd>1' }),
    `<dl class="within"><dt>a&lt;dt&gt;</dt><dd>${value('&lt;/dd&gt;&lt;dt&gt;total&lt;/dt&gt;&lt;dd&gt;1')}</dd></dl>`,
  )
})

test('plain lists read as lines, and what has many parts or nests deep stays one text', () => {
  assert.equal(page(['a', 'b']), value('a\nb'))
  for (const json of [{}, []]) assert.equal(page(json), value(JSON.stringify(json)))
  const many: Json = Array.from({ length: 40 }, (_, at) => ({ at }))
  const deep: Json = { a: { b: { c: { d: 1 } } } }
  for (const json of [many, deep]) assert.ok(!page(json).includes('within'), JSON.stringify(json))
  assert.ok(page({ a: { b: { c: 1 } } }).includes('within'))
})

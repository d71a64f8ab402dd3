import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { needlesOf, searchFor } from './canary.ts'

const key = `tth_${createHash('sha256').update('x').digest('hex').slice(0, 48)}`
const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, place) => place * 7)).toString('base64')}`

const formsIn = (value: string, bytes: Buffer) =>
  searchFor(needlesOf({ name: 'c', value }))(bytes).map(({ form }) => form)

test('a secret is found in every form in which it can be written down', () => {
  assert.deepEqual(formsIn(key, Buffer.from(`{"key":"${key}"}`)), ['as it is'])
  assert.deepEqual(formsIn(key, Buffer.from(key.toUpperCase())), ['in upper case'])
  assert.deepEqual(formsIn(key, Buffer.from(Buffer.from(key).toString('hex'))), ['as hex'])
  assert.deepEqual(formsIn(key, Buffer.from(key, 'utf16le')), ['as UTF-16'])
  assert.ok(formsIn(key, Buffer.from(key.slice(4), 'hex')).includes('decoded from hex'))
  assert.ok(formsIn(secret, Buffer.from(secret.slice(6), 'base64')).includes('decoded from base64'))
  for (const before of ['', 'a', 'ab', 'abc', '{"apiKey":"']) {
    const forms = formsIn(key, Buffer.from(Buffer.from(`${before}${key}"}`).toString('base64')))
    assert.match(forms.join(), /as base64/, before)
  }
})

test('a secret that was cut is found, and its public prefix is no secret', () => {
  assert.deepEqual(formsIn(key, Buffer.from(key.slice(10, 46))), ['as it is'])
  assert.deepEqual(formsIn(key, Buffer.from(key.slice(0, 24))), [])
  assert.deepEqual(formsIn(key, Buffer.from('nothing of it')), [])
})

test('a canary that could be met by chance is refused', () => {
  assert.throws(() => needlesOf({ name: 'c', value: 'short' }))
})

test('many needles are looked for at once, at the edges too', () => {
  const values = Array.from({ length: 500 }, (_, place) => createHash('sha256').update(`${place}`).digest('hex'))
  const search = searchFor(values.flatMap((value, place) => needlesOf({ name: `${place}`, value })))
  const bytes = Buffer.from([values[7], 'between', values[499]].join(''))
  assert.deepEqual([...new Set(search(bytes).map(({ canary }) => canary))].sort(), ['499', '7'])
  assert.deepEqual(search(Buffer.alloc(1)), [])
})

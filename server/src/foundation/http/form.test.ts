import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readForm } from './body.ts'
import { Refusal } from './refusal.ts'

test('a field is a list of what was sent under its name', () => {
  assert.deepEqual(readForm(Buffer.from('a=1&b=%E1%83%90+x&a=2&c')), { a: ['1', '2'], b: ['ა x'], c: [''] })
  assert.deepEqual(readForm(Buffer.from('')), {})
})

test('a sign that no database stores is refused, as it is and as an address writes it', () => {
  for (const form of ['a=%00', 'a=x\0y', 'x\0y=1'])
    assert.throws(
      () => readForm(Buffer.from(form)),
      (error) => error instanceof Refusal && /The form contains a NUL/.test(error.message),
    )
})

test('a form costs what its size costs, and one of very many fields is refused before they are read', () => {
  const started = process.cpuUsage()
  assert.equal(readForm(Buffer.from('a=&'.repeat(4_999))).a?.length, 4_999)
  for (const form of ['a=&'.repeat(300_000), '&'.repeat(1_000_000)]) {
    assert.throws(
      () => readForm(Buffer.from(form)),
      (error) => error instanceof Refusal && /fields/.test(error.message),
    )
  }
  const { user } = process.cpuUsage(started)
  // A copy of the list for each field took minutes.
  assert.ok(user < 1_000_000, `${user / 1000} ms`)
})

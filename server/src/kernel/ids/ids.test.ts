import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isId, isUuid, newId, newKey, newUuid } from './index.ts'

const ones = (size: number): Uint8Array => new Uint8Array(size).fill(255)

test('an id says its kind, has one length and 130 random bits', () => {
  const made = Array.from({ length: 2000 }, () => newId('ses'))
  assert.equal(new Set(made).size, made.length)
  for (const id of made) {
    assert.match(id, /^ses_[0-9a-z]{26}$/)
    assert.ok(isId('ses', id))
  }
  // Each place of the text takes each of the 32 letters: five bits a place.
  const seen = Array.from({ length: 26 }, (_, at) => new Set(made.map((id) => id.charAt(4 + at))).size)
  assert.deepEqual(
    seen,
    Array.from({ length: 26 }, () => 32),
  )
})

test('every letter is equally likely', () => {
  const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value)
  const counts = new Map<string, number>()
  for (let at = 0; at < 256; at += 26) {
    const chunk = Buffer.concat([everyByte.subarray(at, at + 26), Buffer.alloc(26)]).subarray(0, 26)
    for (const letter of newId('req', () => chunk).slice(4, 4 + Math.min(26, 256 - at))) {
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
  }
  assert.deepEqual([...new Set(counts.values())], [8])
})

test('what newId did not make is told apart', () => {
  const id = newId('evt')
  for (const text of [
    '',
    'evt_',
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    `${id.slice(0, -1)}u`,
    `${id.slice(0, -1)}\n`,
    `${id}\n`,
  ]) {
    assert.equal(isId('evt', text), false, text)
  }
  assert.equal(isId('ses', id), false)
})

test('an id of before, with 24 characters, is known as one', () => {
  const older = newId('ses').slice(0, -2)
  assert.ok(isId('ses', older))
  assert.equal(isId('ses', `${older}0`), false)
  assert.equal(isId('ses', older.slice(0, -1)), false)
})

test('a uuid is of version 7: its time first, then 74 random bits', () => {
  const at = Date.UTC(2026, 0, 1)
  assert.equal(
    newUuid(at, (size) => new Uint8Array(size)),
    '019b76da-a800-7000-8000-000000000000',
  )
  assert.equal(newUuid(at, ones), '019b76da-a800-7fff-bfff-ffffffffffff')
  assert.equal(Number.parseInt(newUuid(at).replace('-', '').slice(0, 12), 16), at)
  assert.ok(newUuid(at) < newUuid(at + 1))
  assert.ok(isUuid(newUuid(at)) && isUuid(newUuid(at).toUpperCase()))
  assert.notEqual(newUuid(at), newUuid(at))
})

test('the random source is not written into', () => {
  const given = randomBytes(16)
  const before = given.toString('hex')
  newUuid(1, () => given)
  assert.equal(given.toString('hex'), before)
})

test('what is no uuid is told apart', () => {
  const uuid = newUuid(1)
  for (const text of [
    '',
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `${uuid} `,
    `${uuid}\n`,
    uuid.replace('-', '_'),
    `${uuid}0`,
  ]) {
    assert.equal(isUuid(text), false, text)
  }
})

test('a key is its prefix and 48 hex digits', () => {
  const key = newKey('tth')
  assert.match(key, /^tth_[0-9a-f]{48}$/)
  assert.notEqual(key, newKey('tth'))
  assert.equal(newKey('tck', ones), `tck_${'f'.repeat(48)}`)
  assert.throws(() => newKey('tth_'), /three lower-case letters/)
})

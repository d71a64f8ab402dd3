import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { assertTakesLess } from '../../../../testkit/processor.ts'
import { REDACTED, redactorOf } from './redact.ts'
import { sharedRunsWith } from './shared-runs.ts'

const SECRET = 'sk_live/9f+Q2"x7=Zp8&w3k Y'
const { text, body } = redactorOf([SECRET])

const everyCharacter = (write: (code: number) => string): string =>
  [...SECRET].map((character) => write(character.charCodeAt(0))).join('')
const base64 = (given: string): string => Buffer.from(given).toString('base64')

const WRITTEN: Readonly<Record<string, string>> = {
  'as it is': SECRET,
  'as JSON': JSON.stringify(SECRET),
  'as JSON in JSON': JSON.stringify(JSON.stringify({ token: SECRET })),
  'every character of JSON escaped': everyCharacter((code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'a slash of JSON escaped': SECRET.replaceAll('/', '\\/').replaceAll('"', '\\"'),
  'in an address': encodeURIComponent(SECRET),
  'in an address, in lower case': encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
  'in an address of an address': encodeURIComponent(encodeURIComponent(SECRET)),
  'every character of an address encoded': everyCharacter((code) => `%${code.toString(16)}`),
  'in a form': new URLSearchParams({ key: SECRET }).toString(),
  'in a page': SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in a page, by number': everyCharacter((code) => `&#${code};`),
  'in a page, by number in hex': everyCharacter((code) => `&#x${code.toString(16)};`),
  'in base64': base64(SECRET),
  'in base64url': Buffer.from(SECRET).toString('base64url'),
  'in the base64 of a header': base64(`Bearer ${SECRET}`),
  'in the base64 of a pair': base64(`user:${SECRET}`),
  'in the base64 of a sentence': base64(`The token ${SECRET} is not known here.`),
  'in hex': Buffer.from(SECRET).toString('hex'),
  'in upper-case hex': Buffer.from(SECRET).toString('hex').toUpperCase(),
  'its first half': SECRET.slice(0, 13),
  'its second half': SECRET.slice(-13),
  'its middle, in an address': encodeURIComponent(SECRET.slice(4, 20)),
}

test('a secret is removed in every way in which an answer may write it', () => {
  for (const [how, written] of Object.entries(WRITTEN)) {
    const rest = text(`before ${written} after`)
    assert.ok(rest.includes(REDACTED), how)
    assert.match(rest, /^before .* after$/, how)
    // Of what was written, no more stays than the ends of its encoding, and what stood around it.
    const around = how.includes('sentence') ? 45 : 20
    assert.ok(rest.replace(REDACTED, '').length <= 'before  after'.length + around, `${how}: ${rest}`)
    assert.ok(!rest.includes(written), how)
  }
})

test('what has no secret in it stays as it is, to the byte', () => {
  for (const given of ['', '{"a":1.50,"b":"sk_live"}', 'a\\u0041%41&amp;', JSON.stringify({ text: 'x'.repeat(5000) })])
    assert.equal(text(given), given)
  const bytes = Buffer.from([0xff, 0x00, 0x80, 0x41])
  assert.equal(body(bytes), bytes)
})

test('JSON that had a secret in it is still JSON, and the rest of it is untouched', () => {
  const given = `{"a":[1.50,${JSON.stringify(SECRET)}],"b":9007199254740993, "c":"${SECRET.slice(0, 8)}"}`
  assert.equal(body(Buffer.from(given)).toString(), `{"a":[1.50,"${REDACTED}"],"b":9007199254740993, "c":"sk_live/"}`)
  assert.equal(redactorOf(['12345678']).body(Buffer.from('{"pin":12345678}')).toString(), `"${REDACTED}"`)
})

test('bytes that are no text lose the secret, too, and keep the others', () => {
  const given = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SECRET), Buffer.from([0x80])])
  const expected = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(REDACTED), Buffer.from([0x80])])
  assert.deepEqual(body(given), expected)
})

test('a word that stands in a secret is no secret, nor is the head of a signed token, nor three letters', () => {
  const words = redactorOf(['shop-api-credential'])
  assert.equal(words.text('{"credential":"none"}'), '{"credential":"none"}')
  const [head, claims, seal] = [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiJ0ZXRoZXIifQabcdef',
    'c2lnbmF0dXJlLW9mLXRoaXM',
  ]
  const token = redactorOf([`${head}.${claims}.${seal}`])
  assert.equal(token.text(`${head}.else`), `${head}.else`)
  assert.equal(token.text(`${head}.${claims}.${seal}!`), `${REDACTED}!`)
  assert.equal(token.text(`(${claims}) (${seal})`), `(${REDACTED}) (${REDACTED})`)
  assert.equal(redactorOf(['abc', '']).text('abc'), 'abc')
})

test('of two secrets that overlap nothing stays', () => {
  const both = redactorOf(['user-name-of-shop:p4ssw0rd!!', 'p4ssw0rd!!'])
  assert.equal(both.text('x user-name-of-shop:p4ssw0rd!! y p4ssw0rd!! z'), `x ${REDACTED} y ${REDACTED} z`)
})

test('whatever stands around it, a secret does not come through', () => {
  const arbitrary = fc.tuple(
    fc.string({ minLength: 4, maxLength: 60, unit: 'binary-ascii' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(arbitrary, ([secret, before, after]) => {
      const rest = redactorOf([secret]).text(before + secret + after)
      assert.ok(!rest.replaceAll(REDACTED, '').includes(secret) || REDACTED.includes(secret))
    }),
    { numRuns: 300 },
  )
})

test('runs that overlap or touch are one, however long the secret and the text repeat themselves', () => {
  const runs = sharedRunsWith('a'.repeat(3900))
  const found = [...runs('a'.repeat(250_000), 16)]
  assert.equal(found.length, 1)
  assert.deepEqual(found[0], [0, 250_000])
  const apart = `${'a'.repeat(20)}-${'a'.repeat(15)}-${'a'.repeat(16)}`
  assert.deepEqual(
    [...runs(apart, 16)],
    [
      [0, 20],
      [37, 53],
    ],
  )
  assert.deepEqual([...sharedRunsWith('abcdefgh')('efghabcd', 4)], [[0, 8]])
  assert.deepEqual([...runs('', 16)], [])
})

test('a secret and an answer that repeat themselves cost no more than others', () => {
  const hostile = [
    ['a'.repeat(4000), 'a'.repeat(262_144)],
    ['ab'.repeat(2000), `${'ab'.repeat(7)}c`.repeat(17_000)],
    ['%25'.repeat(1300), '%25'.repeat(87_000)],
    ['\\u0041'.repeat(600), '\\\\u0041'.repeat(32_000)],
  ] as const
  for (const [secret, answer] of hostile)
    assertTakesLess(5_000, () => redactorOf([secret]).text(answer), secret.slice(0, 8))
})

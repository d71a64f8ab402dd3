import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainFields, plainText } from './plain.ts'

const same = (text: string) => text
const plain = (value: unknown): unknown => plainFields({ value }, same).value

test('ordinary values stay what they are', () => {
  const value = { text: 'x', number: 1.5, flag: false, nothing: null, list: [1, 'two', { three: 3 }] }
  assert.deepEqual(plain(value), value)
})

test('values that JSON has no word for become words', () => {
  class Machine {}
  const cases: readonly (readonly [unknown, unknown])[] = [
    [9007199254740993n, '9007199254740993'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), '(invalid date)'],
    [new URL('https://a.example/x'), 'https://a.example/x'],
    [Buffer.from('secret'), '(6 bytes)'],
    [new ArrayBuffer(3), '(3 bytes)'],
    [new Machine(), '(Machine)'],
    [new Map([['a', 1]]), '(Map)'],
    [Symbol('x'), '(symbol)'],
    [() => 'x', '(function)'],
    [[undefined], [null]],
  ]
  for (const [value, expected] of cases) assert.deepEqual(plain(value), expected)
  assert.deepEqual(plainFields({ a: undefined }, same), {})
})

test('of an error only type, message, code, stack and causes are kept, wherever it stands', () => {
  class DatabaseError extends Error {}
  const inner = Object.assign(new DatabaseError('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(a@b)',
    parameters: ['x'],
  })
  inner.name = 'error'
  const outer = Object.assign(new TypeError('failed', { cause: inner }), { request: { body: 'DATA' } })
  const kept = plain([{ deep: outer }])
  const [first] = kept as [{ deep: { stack: string; cause: { stack: string } } }]
  assert.deepEqual(kept, [
    {
      deep: {
        type: 'TypeError',
        message: 'failed',
        stack: outer.stack,
        cause: { type: 'DatabaseError', message: 'duplicate key', code: '23505', stack: inner.stack },
      },
    },
  ])
  assert.match(first.deep.stack, /^TypeError: failed\n {4}at /)
})

test('causes that are no errors, rings of causes, and errors of several', () => {
  const message = (error: Error) =>
    JSON.parse(JSON.stringify(plain(error), (key, value) => (key === 'stack' ? undefined : value)))
  assert.deepEqual(message(new Error('a', { cause: 'words' })), { type: 'Error', message: 'a', cause: 'words' })
  assert.deepEqual(message(new Error('a', { cause: { body: 'DATA' } })), {
    type: 'Error',
    message: 'a',
    cause: '(object)',
  })
  const ring = new Error('ring')
  ring.cause = ring
  assert.ok(JSON.stringify(plain(ring)).length < 20_000)
  const several = new AggregateError([new Error('one'), 'two'], 'both')
  assert.deepEqual(message(several), {
    type: 'AggregateError',
    message: 'both',
    errors: [{ type: 'Error', message: 'one' }, 'two'],
  })
})

test('a name that says it holds a secret hides its value', () => {
  const fields = {
    authorization: 'x',
    'set-cookie': ['a'],
    Password: 'x',
    signingSecret: 'x',
    'x-api-key': 'x',
    apiKey: 'x',
    upstreamToken: 'x',
    credential: { user: 'x' },
    private_key: 'x',
    'X-Service-Signature': 'x',
  }
  for (const value of Object.values(plainFields(fields, same))) assert.equal(value, '(hidden)')
  const open = { maxTokens: 5, hasToken: true, token: 7, secret: null, keyPrefix: 'tth_01234567', tokens: 'x' }
  assert.deepEqual(plainFields(open, same), open)
})

test('no value makes a record without end', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  assert.ok(JSON.stringify(plain(ring)).length < 200)
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, Array(5000).fill('x')]))
  assert.ok(JSON.stringify(plain(wide)).length < 20_000)
  const long = Array.from({ length: 90 }, () => 'x'.repeat(100_000))
  assert.ok(JSON.stringify(plain(long)).length < 100_000)
})

test('a long text is shown to the mask before it is cut', () => {
  const text = `${'x'.repeat(8190)}SECRET${'y'.repeat(100)}`
  const cut = plainText(text, (whole) => whole.replace('SECRET', '***'))
  assert.equal(cut, `${'x'.repeat(8190)}**… (8296 characters)`)
  assert.equal(
    plainText('SECRET', () => 'never'),
    'SECRET',
    'a short one is masked with its line',
  )
})

test('nothing that is logged can throw', () => {
  const throwing = {
    get getter() {
      throw new Error('no')
    },
    error: Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no')
      },
    }),
    revoked: revokedProxy(),
    bare: Object.create(null),
    unnamed: Object.create({ constructor: null }),
  }
  assert.deepEqual(plainFields(throwing, same), {
    getter: '(unreadable)',
    error: '(unreadable)',
    revoked: '(unreadable)',
    bare: {},
    unnamed: '(unreadable)',
  })
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
        withSparseArray: true,
      }),
      (value) => {
        JSON.stringify(plain(value))
      },
    ),
  )
})

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

test('a member called __proto__ stays a member', () => {
  const fields = plainFields(JSON.parse('{"__proto__": {"polluted": true}}'), same)
  assert.deepEqual(Object.keys(fields), ['__proto__'])
  assert.equal(JSON.stringify(fields), '{"__proto__":{"polluted":true}}')
})

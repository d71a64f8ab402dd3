import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { openKeyring, type Place, type SecretFault, SecretUnreadable } from './keyring.ts'

const newKey = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const ring = openKeyring({ key: newKey(1), previous: [] })
const place: Place = { table: 'tenants', column: 'signing_secret', tenantId: 7, row: 'main' }

const refuses = (sealed: string, at: Place, reason: SecretFault, keyring = ring): void =>
  assert.throws(
    () => keyring.open(sealed, at),
    (error: unknown) => error instanceof SecretUnreadable && error.reason === reason,
    `${reason}: ${sealed} at ${JSON.stringify(at)}`,
  )

test('a secret comes back from its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (secret) => {
      const sealed = ring.seal(secret, place)
      assert.match(sealed, /^enc:v1:[0-9a-f]{8}:[\w-]{16}:[\w-]{22,}$/)
      assert.equal(ring.open(sealed, place), secret)
    }),
  )
})

test('a row is the same row as a number and as the text that the driver makes of it', () => {
  assert.equal(ring.open(ring.seal('s', { ...place, row: 12 }), { ...place, row: '12' }), 's')
})

test('a sealed value that is copied to another place does not open', () => {
  const sealed = ring.seal('secret', place)
  for (const elsewhere of [{ table: 'keys' }, { column: 'credential' }, { tenantId: 8 }, { row: 'other' }]) {
    refuses(sealed, { ...place, ...elsewhere }, 'not_authentic')
  }
})

test('no two places are bound in the same way, whatever their names hold', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '"', ',', '|', '\\', ':', '1'), maxLength: 4 })
  const anyPlace = fc.record({ table: part, column: part, tenantId: fc.nat(20), row: part })
  fc.assert(
    fc.property(anyPlace, anyPlace, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      refuses(ring.seal('secret', one), other, 'not_authentic')
    }),
    { numRuns: 300 },
  )
  refuses(
    ring.seal('secret', { ...place, table: 'a', column: 'b|c' }),
    { ...place, table: 'a|b', column: 'c' },
    'not_authentic',
  )
})

test('no flipped bit opens, in whichever part', () => {
  const sealed = ring.seal('a secret', place)
  const [nonce, box] = sealed
    .split(':')
    .slice(3)
    .map((part) => Buffer.from(part, 'base64url'))
  assert.ok(nonce && box)
  for (const part of [nonce, box]) {
    for (let bit = 0; bit < part.length * 8; bit++) {
      flip(part, bit)
      refuses(
        `enc:v1:${ring.keyId}:${nonce.toString('base64url')}:${box.toString('base64url')}`,
        place,
        'not_authentic',
      )
      flip(part, bit)
    }
  }
  assert.equal(ring.open(sealed, place), 'a secret')
})

function flip(bytes: Buffer, bit: number): void {
  const at = bit >> 3
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at)
}

test('no changed character opens: every sealed value has one written form', () => {
  const sealed = ring.seal('a secret', place)
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'aZ09-_:=+/ \n'), (at, letter) => {
      fc.pre(sealed[at] !== letter)
      assert.throws(() => ring.open(sealed.slice(0, at) + letter + sealed.slice(at + 1), place), SecretUnreadable)
    }),
    { numRuns: 500 },
  )
})

test('a truncated tag does not open', () => {
  const [head, box = ''] = split(ring.seal('a secret', place))
  const bytes = Buffer.from(box, 'base64url')
  for (let cut = 1; cut <= bytes.length; cut++) {
    const short = bytes.subarray(0, bytes.length - cut).toString('base64url')
    assert.throws(() => ring.open(`${head}:${short}`, place), SecretUnreadable, `cut by ${cut}`)
  }
})

const split = (sealed: string): string[] => [
  sealed.slice(0, sealed.lastIndexOf(':')),
  sealed.slice(sealed.lastIndexOf(':') + 1),
]

test('what is not a sealed value is refused as such', () => {
  const sealed = ring.seal('secret', place)
  for (const text of [
    '',
    'whsec_plain',
    `${sealed}=`,
    ` ${sealed}`,
    sealed.replace('v1', 'v2'),
    `${sealed}\n`,
    sealed.toUpperCase(),
  ]) {
    refuses(text, place, 'malformed')
  }
})

test('after a rotation the old key still opens, and what it sealed asks to be sealed again', () => {
  const old = openKeyring({ key: newKey(1), previous: [] })
  const rotated = openKeyring({ key: newKey(2), previous: [newKey(1)] })
  const sealed = old.seal('secret', place)
  assert.equal(rotated.open(sealed, place), 'secret')
  assert.equal(rotated.needsReseal(sealed), true)
  const again = rotated.seal('secret', place)
  assert.equal(rotated.needsReseal(again), false)
  assert.equal(rotated.open(again, place), 'secret')
  refuses(again, place, 'unknown_key', old)
})

test('neither the error nor the keyring shows a secret', () => {
  const sealed = ring.seal('the plaintext', place)
  const [, , , nonce = '', box = ''] = sealed.split(':')
  try {
    ring.open(sealed, { ...place, row: 'other' })
    assert.fail('it opened')
  } catch (error) {
    const shown = inspect(error, { depth: null }) + JSON.stringify(error) + String(error)
    for (const part of [sealed, nonce, box, 'the plaintext']) assert.ok(!shown.includes(part))
    assert.match(shown, /could not be decrypted/)
  }
  const shown = inspect(ring, { depth: null, showHidden: true }) + JSON.stringify(ring)
  assert.ok(!shown.includes(newKey(1)) && !shown.includes(Buffer.alloc(32, 1).toString('hex')))
})

test('a key that is no key is refused, and not repeated', () => {
  const short = Buffer.alloc(31, 9).toString('base64')
  for (const key of ['', short, `${newKey(1)}\n`, newKey(1).slice(0, -1), Buffer.alloc(33).toString('base64')]) {
    assert.throws(() => openKeyring({ key, previous: [] }), /exactly 32 bytes/)
    assert.throws(() => openKeyring({ key: newKey(1), previous: [key] }), /exactly 32 bytes/)
  }
  assert.throws(
    () => openKeyring({ key: short, previous: [] }),
    (error: Error) => !error.message.includes(short),
  )
})

test('text that UTF-8 cannot hold is refused before it is lost', () => {
  assert.throws(() => ring.seal('\ud800', place), TypeError)
})

test('derived keys differ by use and by key', () => {
  const rotated = openKeyring({ key: newKey(2), previous: [newKey(1)] })
  const exported = [...rotated.derive('a'), ...rotated.derive('b')].map((key) => key.export().toString('hex'))
  assert.equal(new Set(exported).size, 4)
  assert.equal(ring.derive('a')[0]?.export().toString('hex'), exported[1])
})

test('a value of a key that the ring does not have names that key, in the error and to whoever listens', () => {
  const missed: string[] = []
  const behind = openKeyring({ key: newKey(1), previous: [newKey(3)], onMissingKey: (keyId) => missed.push(keyId) })
  const ahead = openKeyring({ key: newKey(2), previous: [newKey(1)] })
  const sealed = ahead.seal('secret', place)
  assert.throws(
    () => behind.open(sealed, place),
    (error: unknown) =>
      error instanceof SecretUnreadable &&
      error.keyId === ahead.keyId &&
      error.message.includes(`the key ${ahead.keyId}, which this process does not have`),
  )
  assert.deepEqual(missed, [ahead.keyId])
  assert.throws(() => behind.open('whsec_plain', place), SecretUnreadable)
  assert.throws(() => behind.open(behind.seal('secret', place), { ...place, tenantId: 8 }), SecretUnreadable)
  assert.deepEqual(missed, [ahead.keyId], 'only a missing key is reported')
  assert.deepEqual(ahead.keyIds, [ahead.keyId, behind.keyId])
})

test('an instance that has the new key as a previous one opens what the others already seal with it', () => {
  const instanceBeforeItsTurn = openKeyring({ key: newKey(1), previous: [newKey(2)] })
  const instanceAfter = openKeyring({ key: newKey(2), previous: [newKey(1)] })
  for (const [seals, opens] of [
    [instanceAfter, instanceBeforeItsTurn],
    [instanceBeforeItsTurn, instanceAfter],
  ] as const)
    assert.equal(opens.open(seals.seal('secret', place), place), 'secret')
})

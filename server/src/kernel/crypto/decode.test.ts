import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBase64, decodeBase64url } from './decode.ts'

const decoders = [
  ['base64', decodeBase64],
  ['base64url', decodeBase64url],
] as const

for (const [encoding, decode] of decoders) {
  test(`${encoding}: what was encoded comes back`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        assert.deepEqual(decode(Buffer.from(bytes).toString(encoding)), Buffer.from(bytes))
      }),
    )
  })

  test(`${encoding}: a text is refused or it is the one form of its bytes`, () => {
    const near = fc.string({ unit: fc.constantFrom(...'abAB019+/-_= \n.é?'), maxLength: 12 })
    fc.assert(
      fc.property(near, (text) => {
        const bytes = decode(text)
        assert.ok(bytes === null || bytes.toString(encoding) === text)
      }),
      { numRuns: 1000 },
    )
  })
}

test('what Node would drop, pad or round is refused', () => {
  for (const text of ['Zg', 'Zg=', 'Zh==', 'Zg==\n', ' Zg==', 'Zg==Zg==', 'Z_==', 'Z?g==', 'Zg==?']) {
    assert.equal(decodeBase64(text), null, text)
  }
  for (const text of ['Zg==', 'Zh', 'Z', 'Z/8', 'Zg ', 'Z?g', 'Zg\0']) assert.equal(decodeBase64url(text), null, text)
})

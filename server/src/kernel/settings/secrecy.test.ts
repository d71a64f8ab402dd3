import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeFaults, describeSettings } from './describe.ts'
import { everySetting } from './schema.ts'
import { faultsOf, KEY, load, PRODUCTION, warningsOf } from './testing.ts'

test('Encryption:Key is needed in Development, too, and its wrong value is never shown', () => {
  assert.match(faultsOf(load({ Encryption__Key: undefined }))[0] ?? '', /^Encryption:Key is missing/)
  const [message] = faultsOf(load({ Encryption__Key: 'c29tZXRoaW5nIHRvbyBzaG9ydA==' }))
  assert.equal(
    message,
    'Encryption:Key is a hidden value of 28 characters (from the environment variable Encryption__Key), but it must be a base64 text of exactly 32 bytes.',
  )
})

const secretNames = everySetting
  .filter(({ setting }) => setting.shape.secret)
  .map(({ name }) => name.replace(':', '__'))

test('no secret value, right or wrong, appears in what is printed', () => {
  assert.ok(secretNames.length >= 7)
  fc.assert(
    fc.property(
      fc.constantFrom(...secretNames),
      fc.stringMatching(/^[!-~]{6,60}$/),
      fc.boolean(),
      (name, text, url) => {
        const marked = `S3CR3T${text}`
        const scheme = name.startsWith('Redis') ? 'redis' : 'postgres'
        const loaded = load({ [name]: url ? `${scheme}://user:${marked}@host/db` : marked })
        const printed = [describeSettings(loaded), describeFaults(loaded), ...warningsOf(loaded)].join('\n')
        assert.ok(!printed.includes('S3CR3T'), printed)
      },
    ),
    { numRuns: 300 },
  )
})

test('the log is told every secret, the password inside an address included', () => {
  const loaded = load({
    ...PRODUCTION,
    Database__Url: 'postgres://app:p%40ss-word-1@db/x',
    Encryption__PreviousKeys: KEY,
  })
  assert.ok(loaded.ok)
  for (const secret of [
    KEY,
    PRODUCTION.Operator__ApiKey,
    PRODUCTION.Signup__IpHashSalt,
    'p%40ss-word-1',
    'p@ss-word-1',
  ]) {
    assert.ok(loaded.secrets.includes(secret), secret)
  }
  assert.ok(!loaded.secrets.includes('127.0.0.1') && !loaded.secrets.includes(''))
})

// The operator's secrets. Development makes its own; in Production the operator sets them.
import { section } from '../setting.ts'
import { keyOf32Bytes, listOf, text } from '../shapes.ts'

const FEW_CHARACTERS = 8

/** Catches what people type to get past a check (`aaaa…`, `0000…`). Random text has many different characters. */
export const notRandom = (make: string, least = 0) => ({
  when: least > 0 ? `it has fewer than ${least} characters or is not random` : 'it is not random',
  why: (secret: string | undefined) =>
    secret !== undefined && (secret.length < least || new Set(secret).size < FEW_CHARACTERS)
      ? `It is too easy to guess. Make one with \`${make}\`.`
      : undefined,
})

export const operator = section('Operator', 'The person who runs the service.', {
  apiKey: text({ min: 32, max: 512, secret: true })
    .optional()
    .describe('The key of the operator routes. While it is unset, they answer 401 to every key.', {
      development: (random) => random(24).toString('hex'),
      unsafe: notRandom('openssl rand -hex 32'),
      advise: (key) =>
        key === undefined
          ? 'The operator routes answer 401 to every key. To use them, set it to the output of `openssl rand -hex 32`.'
          : undefined,
    }),
})

export const encryption = section('Encryption', 'How stored secrets are sealed.', {
  key: keyOf32Bytes.required().describe('The key that seals every stored secret. If you lose it, you lose them.', {
    needed: { make: 'Set it to the output of `openssl rand -base64 32`.' },
    development: (random) => random(32).toString('base64'),
    unsafe: notRandom('openssl rand -base64 32'),
  }),
  previousKeys: listOf(keyOf32Bytes, 'base64 texts of exactly 32 bytes')
    .default([])
    .describe('Earlier keys, which still open what they sealed until `npm run rotate-encryption` has resealed it.'),
})

import { createSecretKey, type KeyObject } from 'node:crypto'
import { decodeBase64 } from './decode.ts'
import { hmacSha256, sha256Hex, type TextOrBytes } from './digest.ts'
import { type Random, systemRandom } from './random.ts'

/** One request to sign. `timestamp` is in Unix seconds; `body` is exactly what goes over the wire. */
type SignableRequest = { id: string; timestamp: number; body: TextOrBytes }

/** Our own pair, and the three of Standard Webhooks (standardwebhooks.com) for receivers that use its libraries. */
export type SignatureHeaders = {
  'X-Service-Signature': string
  'X-Service-Timestamp': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

const prefix = 'whsec_'

export const newSigningSecret = (random: Random = systemRandom): string =>
  prefix + Buffer.from(random(32)).toString('base64')

/** A signing secret ready for use. Keep it if you sign often, because making a key costs more than a signature. */
export type SigningKey = {
  /** Made from the secret's whole text, for our own header. */
  readonly whole: KeyObject
  /** Made from the bytes that the base64 after the prefix stands for, as the standard says. */
  readonly standard: KeyObject
}

export function signingKey(secret: string): SigningKey {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : null
  if (!bytes?.length)
    throw new TypeError('A signing secret must be "whsec_" followed by base64. Rotate it to get a new one.')
  return { whole: createSecretKey(Buffer.from(secret)), standard: createSecretKey(bytes) }
}

/**
 * `previous` is the secret before the last rotation, if it is still valid. Only the standard's header has room for two.
 */
export function signRequest(key: SigningKey, request: SignableRequest, previous?: SigningKey): SignatureHeaders {
  const { timestamp, body } = request
  if (!Number.isSafeInteger(timestamp) || timestamp < 0)
    throw new TypeError('The timestamp must be a whole number of Unix seconds.')
  const id = webhookId(request.id)
  const standard = standardSignature(key, { id, timestamp, body })
  return {
    'X-Service-Signature': `sha256=${hmacSha256(key.whole, `${timestamp}.`, body).toString('hex')}`,
    'X-Service-Timestamp': `${timestamp}`,
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature':
      previous === undefined ? standard : `${standard} ${standardSignature(previous, { id, timestamp, body })}`,
  }
}

// The standard signs "id.timestamp.body", so an id with a dot could be read in two ways, and a header may hold visible
// ASCII only. A caller's idempotency key may hold anything; then its digest is the id, which is the same on every
// attempt.
const webhookId = (id: string): string => (/^[!-\-/-~]{1,200}$/.test(id) ? id : sha256Hex(id))

const standardSignature = ({ standard }: SigningKey, { id, timestamp, body }: SignableRequest): string =>
  `v1,${hmacSha256(standard, `${id}.${timestamp}.`, body).toString('base64')}`

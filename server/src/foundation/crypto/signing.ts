import { createSecretKey, type KeyObject } from 'node:crypto'
import { decodeBase64 } from './decode.ts'
import { type Bytes, hmacSha256, sha256Hex } from './digest.ts'
import { type Random, systemRandom } from './random.ts'

/** One attempt of one delivery. `timestamp` is in Unix seconds; `body` is exactly what goes over the wire. */
export type Delivery = { id: string; timestamp: number; body: Bytes }

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

/** A signing secret made ready: whoever signs often keeps this, because making a key costs more than a signature. */
export type SigningKey = {
  /** Over the whole text, for our own header. */
  readonly whole: KeyObject
  /** By the standard's rule: over what the base64 behind the prefix stands for. */
  readonly standard: KeyObject
}

export function signingKey(secret: string): SigningKey {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : null
  if (!bytes?.length) throw new TypeError('A signing secret is "whsec_" and base64. Rotate it to get a new one.')
  return { whole: createSecretKey(Buffer.from(secret)), standard: createSecretKey(bytes) }
}

/** The secret before the last rotation, where it still counts, signs too: only the standard's header has room for it. */
export function signDelivery(key: SigningKey, delivery: Delivery, previous?: SigningKey): SignatureHeaders {
  const { timestamp, body } = delivery
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new TypeError('A timestamp is whole Unix seconds.')
  const id = webhookId(delivery.id)
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

// The standard signs "id.timestamp.body", so an id with a dot could be read in two ways, and a header carries visible
// ASCII only. A caller's own idempotency key may hold anything: then its digest is the id, the same on every attempt.
const webhookId = (id: string): string => (/^[!-\-/-~]{1,200}$/.test(id) ? id : sha256Hex(id))

const standardSignature = ({ standard }: SigningKey, { id, timestamp, body }: Delivery): string =>
  `v1,${hmacSha256(standard, `${id}.${timestamp}.`, body).toString('base64')}`

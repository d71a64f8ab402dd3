import { type Bytes, equalBytes, fromBase64, fromHex, joined, utf8 } from './bytes.ts'
import { header, type ReceivedHeaders } from './headers.ts'
import { hmacSha256 } from './hmac.ts'

export type SignatureCheck = {
  /** The signing secret, `whsec_…`. */
  secret?: string | undefined
  /** The new and the old secret, while you rotate it. Empty entries are ignored. */
  secrets?: readonly (string | undefined)[]
  headers: ReceivedHeaders
  /** The body exactly as it came over the wire, before any parser. */
  body: string | Uint8Array | ArrayBuffer
  /** How far the clocks may differ. The default is 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970. The default is the system's clock. */
  now?: number
}

export type SignatureResult =
  | { ok: true; header: 'X-Service-Signature' | 'webhook-signature'; timestamp: number }
  | { ok: false; reason: SignatureFault; message: string }

export type SignatureFault = keyof typeof messages

const messages = {
  secret_missing: 'No signing secret was given. Pass the whsec_… text as "secret".',
  secret_malformed: 'The signing secret is not in the form whsec_<base64>. Pass the whole text, as it was shown.',
  body_not_raw: 'The body is not text or bytes. Pass the raw body, before a JSON parser has read it.',
  signature_missing: 'The request has neither X-Service-Signature nor webhook-signature. Refuse it.',
  signature_malformed: 'The signature header is not in a known form, or came more than once. Refuse the request.',
  timestamp_missing:
    'The request has no timestamp (or no webhook-id without a dot beside its webhook-signature). Refuse it.',
  timestamp_malformed: 'The timestamp is not Unix seconds, or came more than once. Refuse the request.',
  mismatch: 'The signature does not match. Check that the secret is the current one and that the body is the raw one.',
  too_old: 'The signature is valid, but too old. It is a replay, or the clock of this machine is ahead.',
  too_new: 'The signature is valid, but from the future. The clock of this machine is behind.',
}

/** One signature header, with everything needed to check it. */
type SignedHeader = {
  header: 'X-Service-Signature' | 'webhook-signature'
  timestamp: string | undefined
  signatures: readonly Bytes[]
  /** The signed text, up to the body. */
  before: string
  keyOf: (secret: Secret) => Bytes
}

type Secret = { text: Bytes; decoded: Bytes }

/**
 * Checks that the service sent this request. It looks at `X-Service-Signature` and at the Standard Webhooks header, and one
 * valid signature is enough. It never throws because of what came over the wire.
 */
export async function verifySignature(check: SignatureCheck): Promise<SignatureResult> {
  const texts = [check.secret, ...(check.secrets ?? [])].flatMap((text) => (text ? [text] : []))
  if (texts.length === 0) return fault('secret_missing')
  const secrets = texts.map(readSecret).filter((secret) => secret !== null)
  if (secrets.length < texts.length) return fault('secret_malformed')
  const body = readBody(check.body)
  if (!body) return fault('body_not_raw')

  const signed = [serviceHeader(check.headers), standardHeader(check.headers)].filter((one) => one !== null)
  const results = await Promise.all(signed.map((one) => checkHeader(one, secrets, body, check)))
  // A valid signature with a wrong time tells more than the other header's mismatch.
  const telling = results.find((result) => !result.ok && /^too_/.test(result.reason))
  return results.find((result) => result.ok) ?? telling ?? results[0] ?? fault('signature_missing')
}

/** What is wrong with the secrets themselves, before anything has come. */
export function faultOfSecrets(texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.flatMap((text) => (text ? [text] : []))
  if (given.length === 0) return messages.secret_missing
  return given.every(readSecret) ? undefined : messages.secret_malformed
}

function readSecret(text: string): Secret | null {
  const decoded = text.startsWith('whsec_') ? fromBase64(text.slice('whsec_'.length)) : null
  return decoded?.length ? { text: utf8(text), decoded } : null
}

function readBody(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return utf8(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  // `instanceof` would fail on a test runner's bytes from another realm.
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : null
}

function serviceHeader(headers: ReceivedHeaders): SignedHeader | null {
  const value = header(headers, 'x-service-signature')
  if (value === undefined) return null
  const timestamp = header(headers, 'x-service-timestamp')
  const signature = value.startsWith('sha256=') ? fromHex(value.slice('sha256='.length)) : null
  return {
    header: 'X-Service-Signature',
    timestamp,
    signatures: signature ? [signature] : [],
    before: `${timestamp}.`,
    keyOf: (secret) => secret.text,
  }
}

function standardHeader(headers: ReceivedHeaders): SignedHeader | null {
  const value = header(headers, 'webhook-signature')
  if (value === undefined) return null
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const ours = value.split(' ').filter((one) => /^v1,./.test(one))
  return {
    header: 'webhook-signature',
    // A dot in it would let what was signed be cut in another place: the end of the id, the time and the body would be others.
    timestamp: id === undefined || id.includes('.') ? undefined : timestamp,
    signatures: ours.map((one) => fromBase64(one.slice('v1,'.length))).filter((bytes) => bytes !== null),
    before: `${id}.${timestamp}.`,
    keyOf: (secret) => secret.decoded,
  }
}

async function checkHeader(
  signed: SignedHeader,
  secrets: readonly Secret[],
  body: Uint8Array,
  { toleranceSeconds = 300, now = Date.now() }: SignatureCheck,
): Promise<SignatureResult> {
  if (signed.timestamp === undefined) return fault('timestamp_missing')
  if (!/^\d{1,12}$/.test(signed.timestamp)) return fault('timestamp_malformed')
  if (signed.signatures.length === 0) return fault('signature_malformed')
  const message = joined(utf8(signed.before), body)
  const expected = await Promise.all(secrets.map((secret) => hmacSha256(signed.keyOf(secret), message)))
  const holds = expected.some((mac) => signed.signatures.some((signature) => equalBytes(mac, signature)))
  if (!holds) return fault('mismatch')

  const timestamp = Number(signed.timestamp)
  const age = Math.floor(now / 1000) - timestamp
  // Written so that a tolerance or a time that is not a number refuses the request.
  if (!(Math.abs(age) <= toleranceSeconds)) return fault(age < 0 ? 'too_new' : 'too_old')
  return { ok: true, header: signed.header, timestamp }
}

const fault = (reason: SignatureFault): SignatureResult => ({ ok: false, reason, message: messages[reason] })

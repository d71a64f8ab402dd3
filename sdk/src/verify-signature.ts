import { type Bytes, equalBytes, fromBase64, fromHex, joined, utf8 } from './bytes.ts'
import { header, type ReceivedHeaders } from './headers.ts'
import { hmacSha256 } from './hmac.ts'

export type SignatureCheck = {
  /** The signing secret, `whsec_…`. */
  secret?: string | undefined
  /** Instead of one: the new and the old secret, while a rotation is under way. Empty entries are passed over. */
  secrets?: readonly (string | undefined)[]
  headers: ReceivedHeaders
  /** The body exactly as it came over the wire, before any parser. */
  body: string | Uint8Array | ArrayBuffer
  /** How far the clocks may be apart. 300 unless told. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; the system's clock unless told. */
  now?: number
}

export type SignatureResult =
  | { ok: true; header: 'X-Service-Signature' | 'webhook-signature'; timestamp: number }
  | { ok: false; reason: SignatureFault; message: string }

export type SignatureFault = keyof typeof messages

const messages = {
  secret_missing: 'No signing secret was given. Pass the whsec_… text as "secret".',
  secret_malformed: 'The signing secret is not in the form whsec_<base64>. Pass the whole text, as it was shown.',
  body_not_raw: 'The body is not text or bytes. Pass what came over the wire, before a JSON parser has had it.',
  signature_missing: 'Neither X-Service-Signature nor webhook-signature came with the request.',
  signature_malformed: 'The signature header is not in a known form, or came more than once.',
  timestamp_missing: 'The timestamp (and, beside webhook-signature, the webhook-id) did not come with the request.',
  timestamp_malformed: 'The timestamp is not Unix seconds, or came more than once.',
  mismatch: 'The signature does not match. Check that the secret is the one in force and that the body is the raw one.',
  too_old: 'The signature is true, but too old: a replay, or a clock of this machine that runs ahead.',
  too_new: 'The signature is true, but from the future: the clock of this machine runs behind.',
}

/** One signature header, with what it takes to check it. */
type Claim = {
  header: 'X-Service-Signature' | 'webhook-signature'
  timestamp: string | undefined
  signatures: readonly Bytes[]
  /** What was signed, up to the body. */
  before: string
  keyOf: (secret: Secret) => Bytes
}

type Secret = { text: Bytes; decoded: Bytes }

/**
 * Did the service send this? Looks at `X-Service-Signature` and at the Standard Webhooks header; one true signature is
 * enough. It never throws on what came over the wire.
 */
export async function verifySignature(check: SignatureCheck): Promise<SignatureResult> {
  const texts = [check.secret, ...(check.secrets ?? [])].flatMap((text) => (text ? [text] : []))
  if (texts.length === 0) return fault('secret_missing')
  const secrets = texts.map(readSecret).filter((secret) => secret !== null)
  if (secrets.length < texts.length) return fault('secret_malformed')
  const body = readBody(check.body)
  if (!body) return fault('body_not_raw')

  const claims = [serviceClaim(check.headers), standardClaim(check.headers)].filter((claim) => claim !== null)
  const results = await Promise.all(claims.map((claim) => judge(claim, secrets, body, check)))
  // A true signature with a wrong time says more than the other header's mismatch.
  const telling = results.find((result) => !result.ok && /^too_/.test(result.reason))
  return results.find((result) => result.ok) ?? telling ?? results[0] ?? fault('signature_missing')
}

function readSecret(text: string): Secret | null {
  const decoded = text.startsWith('whsec_') ? fromBase64(text.slice('whsec_'.length)) : null
  return decoded?.length ? { text: utf8(text), decoded } : null
}

function readBody(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return utf8(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  // Not `instanceof`: a test runner's bytes may be of another realm.
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : null
}

function serviceClaim(headers: ReceivedHeaders): Claim | null {
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

function standardClaim(headers: ReceivedHeaders): Claim | null {
  const value = header(headers, 'webhook-signature')
  if (value === undefined) return null
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const ours = value.split(' ').filter((one) => /^v1,./.test(one))
  return {
    header: 'webhook-signature',
    timestamp: id === undefined ? undefined : timestamp,
    signatures: ours.map((one) => fromBase64(one.slice('v1,'.length))).filter((bytes) => bytes !== null),
    before: `${id}.${timestamp}.`,
    keyOf: (secret) => secret.decoded,
  }
}

async function judge(
  claim: Claim,
  secrets: readonly Secret[],
  body: Uint8Array,
  { toleranceSeconds = 300, now = Date.now() }: SignatureCheck,
): Promise<SignatureResult> {
  if (claim.timestamp === undefined) return fault('timestamp_missing')
  if (!/^\d{1,12}$/.test(claim.timestamp)) return fault('timestamp_malformed')
  if (claim.signatures.length === 0) return fault('signature_malformed')
  const message = joined(utf8(claim.before), body)
  const expected = await Promise.all(secrets.map((secret) => hmacSha256(claim.keyOf(secret), message)))
  const holds = expected.some((mac) => claim.signatures.some((signature) => equalBytes(mac, signature)))
  if (!holds) return fault('mismatch')

  const timestamp = Number(claim.timestamp)
  const age = Math.floor(now / 1000) - timestamp
  // Written so that a tolerance or a time that is no number refuses.
  if (!(Math.abs(age) <= toleranceSeconds)) return fault(age < 0 ? 'too_new' : 'too_old')
  return { ok: true, header: claim.header, timestamp }
}

const fault = (reason: SignatureFault): SignatureResult => ({ ok: false, reason, message: messages[reason] })

import { decodeBase64url } from './decode.ts'
import { readJsonObject } from './strict-json.ts'

/** A compact JWS that has the right form. Nothing in it is proven. */
export type Unproven = { alg: string; payload: Buffer }

export type Hs256 =
  | { ok: true; payload: Buffer }
  | { ok: false; reason: 'malformed' | 'unsupported_algorithm' | 'invalid_signature' }

const longestToken = 8192

// Members that would have the signature or the payload read in another way, or a key taken from the token itself. The
// algorithm and the key are ours to say: `kid` and whatever else stands there is not looked at.
const refusedMembers = ['crit', 'b64', 'zip', 'enc', 'jku', 'jwk', 'x5u', 'x5c']

/**
 * The form, before any key is touched: three parts of canonical base64url (the library behind this takes spaces and
 * unused bits), a header that is one JSON object without tricks. Otherwise null.
 */
export function readCompact(token: string): Unproven | null {
  if (token.length > longestToken) return null
  const [head, body, tail, ...more] = token.split('.')
  if (head === undefined || body === undefined || tail === undefined || more.length > 0) return null
  const headBytes = decodeBase64url(head)
  const payload = decodeBase64url(body)
  const header = headBytes && readJsonObject(headBytes)
  if (!header || !payload?.length || !decodeBase64url(tail)) return null
  if (refusedMembers.some((member) => Object.hasOwn(header, member))) return null
  return typeof header.alg === 'string' ? { alg: header.alg, payload } : null
}

// Loaded with the first token: a start does not wait for it.
let loading: Promise<typeof import('jose')> | undefined
const jose = () => (loading ??= import('jose'))

/** Exactly HS256, with exactly this key. No token makes this throw; an empty key does. */
export async function verifyHs256(token: string, key: Uint8Array): Promise<Hs256> {
  const read = readCompact(token)
  if (!read) return { ok: false, reason: 'malformed' }
  if (read.alg !== 'HS256') return { ok: false, reason: 'unsupported_algorithm' }
  const { compactVerify, errors } = await jose()
  try {
    await compactVerify(token, key, { algorithms: ['HS256'] })
    return { ok: true, payload: read.payload }
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return { ok: false, reason: 'invalid_signature' }
    if (cause instanceof errors.JOSEError) return { ok: false, reason: 'malformed' }
    throw cause
  }
}

import { decodeBase64url } from './decode.ts'
import { readJsonObject } from './strict-json.ts'

/** A compact JWS of the right form, whose signature has not been checked. */
type Unproven = { alg: string; payload: Buffer }

export type Hs256 =
  | { ok: true; payload: Buffer }
  | { ok: false; reason: 'malformed' | 'unsupported_algorithm' | 'invalid_signature' }

const longestToken = 8192

// These members ask us to read the signature or the payload differently, or to take a key from the token itself. We
// choose the algorithm and the key, so we ignore `kid` and all other members.
const refusedMembers = ['crit', 'b64', 'zip', 'enc', 'jku', 'jwk', 'x5u', 'x5c']

/**
 * Checks the form before any key is used: three parts of canonical base64url (the library behind this accepts spaces
 * and unused bits) and a header that is a plain JSON object. Returns null for anything else.
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

/** Accepts HS256 with this key only. It never throws because of a token, but it does for an empty key. */
export async function verifyHs256(token: string, key: Uint8Array): Promise<Hs256> {
  const read = readCompact(token)
  if (!read) return { ok: false, reason: 'malformed' }
  if (read.alg !== 'HS256') return { ok: false, reason: 'unsupported_algorithm' }
  // The first token loads the package, so that a start does not wait for it.
  const { compactVerify, errors } = await import('jose')
  try {
    await compactVerify(token, key, { algorithms: ['HS256'] })
    return { ok: true, payload: read.payload }
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return { ok: false, reason: 'invalid_signature' }
    if (cause instanceof errors.JOSEError) return { ok: false, reason: 'malformed' }
    throw cause
  }
}

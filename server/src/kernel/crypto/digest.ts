import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Text stands for its UTF-8 bytes. */
export type TextOrBytes = string | Uint8Array

export const sha256 = (data: TextOrBytes): Buffer => hash('sha256', data, 'buffer')

export const sha256Hex = (data: TextOrBytes): string => hash('sha256', data, 'hex')

/** Signs the parts as one text, with nothing between them. */
export function hmacSha256(key: TextOrBytes | KeyObject, ...parts: readonly TextOrBytes[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

// `timingSafeEqual` throws on unequal lengths, so we compare digests: they always have 32 bytes, and the time taken
// reveals neither the secret's length nor where the first difference is.

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(sha256(left), sha256(right))

/** Both must be digests of the same kind, so that their length reveals nothing. */
export const equalDigests = (left: Uint8Array, right: Uint8Array): boolean => timingSafeEqual(left, right)

/**
 * Hashes an address that we must recognise but never read back. There are only 2^32 IPv4 addresses, so the salt is a
 * secret in the settings, outside the database that it protects. `kind` separates e-mail addresses from IP addresses.
 */
export function saltedHash(salt: string, kind: string, value: string): string {
  if (salt === '') throw new TypeError('The salt is empty. Set it before you hash an address.')
  return hmacSha256(salt, JSON.stringify([kind, value])).toString('hex')
}

import { hmacSha256 } from './digest.ts'

/**
 * Hashes an address that we must recognise but never read back. There are only 2^32 IPv4 addresses, so the salt is a
 * secret in the settings, outside the database that it protects. `kind` separates e-mail addresses from IP addresses.
 */
export function saltedHash(salt: string, kind: string, value: string): string {
  if (salt === '') throw new TypeError('The salt is empty. Set it before you hash an address.')
  return hmacSha256(salt, JSON.stringify([kind, value])).toString('hex')
}

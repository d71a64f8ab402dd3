import { hmacSha256 } from './digest.ts'

/**
 * An address that must be recognised and never read back. There are only 2^32 IPv4 addresses, so the salt is a secret of
 * the settings, kept out of the database that it protects. `kind` keeps an e-mail address and a caller's apart.
 */
export function saltedHash(salt: string, kind: string, value: string): string {
  if (salt === '') throw new TypeError('The salt is empty: set it before addresses are hashed.')
  return hmacSha256(salt, JSON.stringify([kind, value])).toString('hex')
}

import type { IncomingHttpHeaders } from 'node:http'
import { KEY_SHAPE } from '@tether/contract'
import { equalDigests, sha256 } from '../../kernel/crypto/index.ts'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import type { House } from '../context/index.ts'
import { openCredentials, textOfHash } from './credentials.ts'
import { tenantsNamed } from './key-text.ts'
import type { LastUsed } from './last-used.ts'
import type { CredentialRow } from './queries.ts'
import { openStrangers } from './strangers.ts'
import { tooMany } from './too-many.ts'

export type Identity =
  | { readonly kind: 'operator'; readonly hash: Buffer }
  | { readonly kind: 'tenant'; readonly hash: Buffer; readonly row: CredentialRow }
  | { readonly kind: 'nobody'; readonly refusal: Refusal }

const missingKey = (): Identity => ({
  kind: 'nobody',
  refusal: refuse('missing_api_key', 'Provide a key in the X-Api-Key header (or as Authorization: Bearer).'),
})

// Unknown, revoked, expired and misspelt keys get the same answer, so that nobody learns which keys once existed.
const invalidKey = (): Identity => ({
  kind: 'nobody',
  refusal: refuse('invalid_api_key', 'This key is not valid. Check it, or ask for a new one.'),
})

/** The address counts only for keys that are not known. */
export type Identify = (headers: IncomingHttpHeaders, addressBucket: string) => Promise<Identity>

/**
 * Finds out whose key a request carries. It looks on every request, so that a revoked key is refused from the next one
 * on.
 */
export function openIdentify(
  { db, keyring, settings }: Pick<House, 'db' | 'keyring' | 'settings'>,
  lastUsed: LastUsed,
  now: () => number = () => performance.now(),
): Identify {
  const operatorKey = settings.operator.apiKey
  const operatorHash = operatorKey === undefined ? null : sha256(operatorKey)

  const credentialOf = openCredentials(db)
  const strangers = openStrangers(settings.rateLimit.anonymousPerMinute, now)

  /** In divided tables the key itself says where to look. Only one that names another tenant, or none, is looked for among all of them. */
  async function rowOf(key: string, hash: Buffer): Promise<CredentialRow | undefined> {
    if (!settings.database.dividedByTenant) return await credentialOf(hash)
    const owner = strangers.ownerOf(textOfHash(hash))
    if (owner !== undefined) return await credentialOf(hash, owner)
    for (const tenantId of tenantsNamed(keyring, key)) {
      const row = await credentialOf(hash, tenantId)
      if (row !== undefined) return row
    }
    return await credentialOf(hash)
  }

  return async (headers, addressBucket) => {
    const key = presentedKey(headers)
    if (key === null) return missingKey()
    const hash = sha256(key)
    if (operatorHash !== null && equalDigests(hash, operatorHash)) return { kind: 'operator', hash }
    if (!KEY_SHAPE.test(key)) return invalidKey()
    const looked = await strangers.look(textOfHash(hash), addressBucket, () => rowOf(key, hash))
    if (looked.refused !== null) return { kind: 'nobody', refusal: tooMany(looked.refused) }
    const row = looked.found
    if (row === undefined) return invalidKey()
    lastUsed.note(hash, row)
    return { kind: 'tenant', hash, row }
  }
}

/** The key in `X-Api-Key` or `Authorization: Bearer`, or null if there is none. */
function presentedKey(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key']
  if (typeof own === 'string' && own.trim() !== '') return own.trim()
  const [scheme, token, ...rest] = (headers.authorization ?? '').trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null
  return token
}

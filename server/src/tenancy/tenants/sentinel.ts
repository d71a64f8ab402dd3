import { type Place, SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { House } from '../context/index.ts'
import { placeSentinel, readSentinel, replaceSentinel } from './seal-queries.ts'

const SENTINEL_PLACE: Place = { table: 'encryption_sentinel', column: 'sealed', tenantId: 0, row: 'one' }
const SENTINEL_TEXT = 'the stored secrets open'

/**
 * Opens one sealed value at start. A wrong key must not stop the service (most of it works without the secrets), but
 * the operator must hear of it at once, and not from a customer.
 */
export async function checkSentinel({ db, keyring, log }: Pick<House, 'db' | 'keyring' | 'log'>): Promise<boolean> {
  // The first start of an installation seals it. Every later start only reads.
  const row = (await db.one(readSentinel)) ?? (await seal({ db, keyring }))
  try {
    if (row !== undefined && keyring.open(row.sealed, SENTINEL_PLACE) === SENTINEL_TEXT) return true
  } catch (error) {
    log.error({ error }, 'THE STORED SECRETS DO NOT OPEN with this encryption key. Calls that need one will fail.')
    return false
  }
  log.error({}, 'THE STORED SECRETS DO NOT OPEN with this encryption key. Calls that need one will fail.')
  return false
}

/** Another process may have sealed it first, so this answers what is stored. */
async function seal({ db, keyring }: Pick<House, 'db' | 'keyring'>): Promise<{ sealed: string } | undefined> {
  await db.run(placeSentinel, { sealed: keyring.seal(SENTINEL_TEXT, SENTINEL_PLACE) })
  return await db.one(readSentinel)
}

/** Seals it with the current key. It then says that every stored secret is sealed with that key. */
export const renewSentinel = ({ db, keyring }: Pick<House, 'db' | 'keyring'>): Promise<number> =>
  db.run(replaceSentinel, { sealed: keyring.seal(SENTINEL_TEXT, SENTINEL_PLACE) })

type SentinelResult = { readonly opens: true } | { readonly opens: false; readonly missingKeyId: string | undefined }

/** Opens if the current keys belong to this database. A database that has sealed nothing yet accepts any. */
export async function openSentinel({ db, keyring }: Pick<House, 'db' | 'keyring'>): Promise<SentinelResult> {
  const row = await db.one(readSentinel)
  if (row === undefined) return { opens: true }
  try {
    if (keyring.open(row.sealed, SENTINEL_PLACE) === SENTINEL_TEXT) return { opens: true }
  } catch (error) {
    if (error instanceof SecretUnreadable) return { opens: false, missingKeyId: error.keyId }
    throw error
  }
  return { opens: false, missingKeyId: undefined }
}

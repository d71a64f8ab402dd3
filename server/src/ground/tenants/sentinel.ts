import type { Place } from '../../foundation/crypto/index.ts'
import type { House } from '../context/index.ts'
import { placeSentinel, readSentinel } from './queries.ts'

export const SENTINEL_PLACE: Place = { table: 'encryption_sentinel', column: 'sealed', tenantId: 0, row: 'one' }
const WORDS = 'the stored secrets open'

/**
 * Opens one sealed value at start. A wrong key must not stop the service (most of it works without the secrets), but the
 * operator hears of it at once and not from a customer.
 */
export async function checkSentinel({ db, keyring, log }: Pick<House, 'db' | 'keyring' | 'log'>): Promise<boolean> {
  // There is one from the first start on, so the others write nothing.
  const row = (await db.one(readSentinel)) ?? (await place({ db, keyring }))
  try {
    if (row !== undefined && keyring.open(row.sealed, SENTINEL_PLACE) === WORDS) return true
  } catch (error) {
    log.error({ error }, 'THE STORED SECRETS DO NOT OPEN with this encryption key. Calls that need one will fail.')
    return false
  }
  log.error({}, 'THE STORED SECRETS DO NOT OPEN with this encryption key. Calls that need one will fail.')
  return false
}

/** Answers the one that is there then: another process may have been sooner. */
async function place({ db, keyring }: Pick<House, 'db' | 'keyring'>): Promise<{ sealed: string } | undefined> {
  await db.run(placeSentinel, { sealed: keyring.seal(WORDS, SENTINEL_PLACE) })
  return await db.one(readSentinel)
}

/** Whether the keys at hand are of this database at all; one that has sealed nothing yet takes any. */
export async function opensSentinel({ db, keyring }: Pick<House, 'db' | 'keyring'>): Promise<boolean> {
  const row = await db.one(readSentinel)
  if (row === undefined) return true
  try {
    return keyring.open(row.sealed, SENTINEL_PLACE) === WORDS
  } catch {
    return false
  }
}

export const sentinelText = WORDS

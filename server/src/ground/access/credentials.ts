import type { Database } from '../../foundation/db/index.ts'
import { type CredentialRow, findCredentials } from './queries.ts'

/** The keys of requests that came in one turn of the event loop, and what one query finds for all of them. */
type KeyBatch = { readonly hashes: Map<string, Buffer>; readonly found: Promise<Map<string, CredentialRow>> }

const MOST_AT_ONCE = 100

/**
 * Looks up keys. A single request does not wait for others; for requests that come together, one query finds each key
 * once. The query begins after the requests came, so it does not find a key that was revoked before.
 */
export function openCredentials(db: Pick<Database, 'rows'>): (hash: Buffer) => Promise<CredentialRow | undefined> {
  let gathering: KeyBatch | undefined

  function gather(): KeyBatch {
    const hashes = new Map<string, Buffer>()
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, CredentialRow>>()
    const batch: KeyBatch = { hashes, found: promise }
    // This runs once everything that has arrived has been read.
    setImmediate(() => {
      if (gathering === batch) gathering = undefined
      db.rows(findCredentials, { hashes: [...hashes.values()] }).then(
        (rows) => resolve(new Map(rows.map((row) => [textOfHash(row.hash), row]))),
        reject,
      )
    })
    return batch
  }

  return async (hash) => {
    if (gathering === undefined || gathering.hashes.size >= MOST_AT_ONCE) gathering = gather()
    const name = textOfHash(hash)
    const { hashes, found } = gathering
    hashes.set(name, hash)
    return (await found).get(name)
  }
}

export const textOfHash = (hash: Buffer): string => hash.toString('latin1')

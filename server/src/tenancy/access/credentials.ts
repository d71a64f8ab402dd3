import type { Database } from '../../kernel/db/index.ts'
import { type CredentialRow, findCredentials, findCredentialsOf } from './queries.ts'

/** The keys of requests that came in one turn of the event loop, and what one query finds for all of them. */
type KeyBatch = { readonly hashes: Map<string, Buffer>; readonly found: Promise<Map<string, CredentialRow>> }

const MOST_AT_ONCE = 100

/** Instead of a tenant: the key is looked up among those of all of them. */
const ANYBODY = 0

/** Without a tenant the key is looked up among those of all of them. */
type FindCredential = (hash: Buffer, tenantId?: number) => Promise<CredentialRow | undefined>

/**
 * Looks up keys. A single request does not wait for others; for requests that come together, one query finds each key
 * once, or one of each tenant that is named. The query begins after the requests came, so it does not find a key that was revoked before.
 */
export function openCredentials(db: Pick<Database, 'rows'>): FindCredential {
  const gathering = new Map<number, KeyBatch>()

  const rowsOf = (tenantId: number, hashes: readonly Buffer[]) =>
    tenantId === ANYBODY ? db.rows(findCredentials, { hashes }) : db.rows(findCredentialsOf, { tenantId, hashes })

  function gather(tenantId: number): KeyBatch {
    const hashes = new Map<string, Buffer>()
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, CredentialRow>>()
    const batch: KeyBatch = { hashes, found: promise }
    // This runs once everything that has arrived has been read.
    setImmediate(() => {
      if (gathering.get(tenantId) === batch) gathering.delete(tenantId)
      rowsOf(tenantId, [...hashes.values()]).then(
        (rows) => resolve(new Map(rows.map((row) => [textOfHash(row.hash), row]))),
        reject,
      )
    })
    gathering.set(tenantId, batch)
    return batch
  }

  return async (hash, tenantId = ANYBODY) => {
    const waiting = gathering.get(tenantId)
    const { hashes, found } = waiting === undefined || waiting.hashes.size >= MOST_AT_ONCE ? gather(tenantId) : waiting
    const name = textOfHash(hash)
    hashes.set(name, hash)
    return (await found).get(name)
  }
}

export const textOfHash = (hash: Buffer): string => hash.toString('latin1')

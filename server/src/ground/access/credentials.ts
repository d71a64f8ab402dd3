import type { Database } from '../../foundation/db/index.ts'
import { type CredentialRow, findCredentials } from './queries.ts'

/** The requests that came in one turn of the event loop, and what one query finds for all of them. */
type Asked = { readonly hashes: Map<string, Buffer>; readonly found: Promise<Map<string, CredentialRow>> }

const MOST_AT_ONCE = 100

/**
 * Looks keys up. A request alone waits for nobody; of those that come together each key is asked for once, in one query.
 * The query begins after the request came: a key that was revoked before is not found.
 */
export function openCredentials(db: Pick<Database, 'rows'>): (hash: Buffer) => Promise<CredentialRow | undefined> {
  let gathering: Asked | undefined

  function gather(): Asked {
    const hashes = new Map<string, Buffer>()
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, CredentialRow>>()
    const asked: Asked = { hashes, found: promise }
    // Runs when everything that has arrived was read.
    setImmediate(() => {
      if (gathering === asked) gathering = undefined
      db.rows(findCredentials, { hashes: [...hashes.values()] }).then(
        (rows) => resolve(new Map(rows.map((row) => [nameOf(row.hash), row]))),
        reject,
      )
    })
    return asked
  }

  return async (hash) => {
    if (gathering === undefined || gathering.hashes.size >= MOST_AT_ONCE) gathering = gather()
    const name = nameOf(hash)
    const { hashes, found } = gathering
    hashes.set(name, hash)
    return (await found).get(name)
  }
}

const nameOf = (hash: Buffer): string => hash.toString('latin1')

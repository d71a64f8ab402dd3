// What the database says when nobody serves it any more.
import { createHash } from 'node:crypto'
import { openDatabase, unlisted } from '../../src/kernel/db/index.ts'

export type Remains = {
  readonly keys: number
  readonly tenants: number
  /** Of the hashes that were asked about, those of live keys. */
  readonly living: number
  readonly keysWithoutOneEvent: number
  readonly eventsWithoutKey: number
  readonly tenantsHalfMade: number
}

const count = unlisted<Remains, { hashes: Buffer[] }>(
  'proof.remains',
  `select (select count(*)::int from keys) as keys,
      (select count(*)::int from tenants) as tenants,
      (select count(*)::int from keys where hash = any($hashes::bytea[]) and revoked_at is null) as living,
      (select count(*)::int from keys k where 1 <> (
        select count(*) from account_events e
        where e.tenant_id = k.tenant_id and e.key_prefix = k.prefix and e.type = 'key.issued' and e.detail like k.kind || '%'
      )) as "keysWithoutOneEvent",
      (select count(*)::int from account_events e where not exists (
        select from keys k where k.tenant_id = e.tenant_id and k.prefix = e.key_prefix
      )) as "eventsWithoutKey",
      (select count(*)::int from tenants t where t.signing_secret is null or not exists (
        select from keys k where k.tenant_id = t.tenant_id and k.kind = 'secret'
      )) as "tenantsHalfMade"`,
)

export async function readRemains(directory: string, keys: readonly string[]): Promise<Remains> {
  const database = await openDatabase({ at: { directory }, statementTimeoutMs: 0, warn: () => undefined })
  try {
    const hashes = keys.map((key) => createHash('sha256').update(key).digest())
    const remains = await database.one(count, { hashes })
    if (remains === undefined) throw new Error('The database did not answer.')
    return remains
  } finally {
    await database.close()
  }
}

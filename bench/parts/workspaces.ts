// Workspaces and keys to ask with. Key number i has a text that PostgreSQL and this process both work out from i, so a
// million of them need no list.
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Database } from '../../server/src/foundation/db/index.ts'
import { migrate, readMigrations } from '../../server/src/foundation/db/index.ts'
import { getRequest } from '../load.ts'
import { ROOT } from './child.ts'

export const KEYS_PER_WORKSPACE = 4

export const keyText = (number: number): string =>
  `tth_${createHash('sha256').update(String(number)).digest('hex').slice(0, 48)}`

const fill = (keys: number): string => `
  insert into tenants (tenant_id, name, email_confirmed_at)
    select i, 'Workspace ' || i, now() from generate_series(1, ${Math.ceil(keys / KEYS_PER_WORKSPACE)}) as i;
  select setval('tenant_ids', ${keys});
  insert into keys (tenant_id, hash, prefix, kind)
    select (i - 1) / ${KEYS_PER_WORKSPACE} + 1, sha256(convert_to(key, 'UTF8')), substr(key, 1, 12), 'secret'
      from (select i, 'tth_' || substr(encode(sha256(convert_to(i::text, 'UTF8')), 'hex'), 1, 48) as key
              from generate_series(1, ${keys}) as i) as made;`

/** Migrates an empty database and gives it workspaces with four keys each. */
export async function fillWithKeys(database: Database, keys: number): Promise<void> {
  await migrate(database, await readMigrations(path.join(ROOT, 'server/migrations')))
  await database.transaction((tx) => tx.script(fill(keys)), { unlimited: true })
  await database.script('vacuum (analyze) tenants')
  await database.script('vacuum (analyze) keys')
}

/** `GET /v1/account`, once for each key. */
export const accountRequests = (keyNumbers: readonly number[]): Buffer[] =>
  keyNumbers.map((number) => getRequest('/v1/account', { 'x-api-key': keyText(number) }))

// Workspaces and keys to ask with. Key number i has a text that PostgreSQL and this process both work out from i, so a
// million of them need no list.
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Database } from '../../server/src/kernel/db/index.ts'
import { migrate, readMigrations } from '../../server/src/kernel/db/index.ts'
import { getRequest } from '../load.ts'
import { ROOT } from './child.ts'

export const keyText = (number: number): string =>
  `tth_${createHash('sha256').update(String(number)).digest('hex').slice(0, 48)}`

const fill = (count: number): string => `
  insert into tenants (tenant_id, name, email_confirmed_at)
    select i, 'Workspace ' || i, now() from generate_series(1, ${count}) as i;
  select setval('tenant_ids', ${count});
  insert into keys (tenant_id, hash, prefix, kind)
    select i, sha256(convert_to(key, 'UTF8')), substr(key, 1, 12), 'secret'
      from (select i, 'tth_' || substr(encode(sha256(convert_to(i::text, 'UTF8')), 'hex'), 1, 48) as key
              from generate_series(1, ${count}) as i) as made`

/** Migrates an empty database and gives it workspaces 1 to `count`, each with the key of its number. */
export async function fillWithKeys(database: Database, count: number): Promise<void> {
  await migrate(database, await readMigrations(path.join(ROOT, 'server/migrations')))
  await database.transaction((tx) => tx.script(fill(count)), { unlimited: true })
  await database.script('vacuum (analyze) tenants')
  await database.script('vacuum (analyze) keys')
}

/** `GET /v1/account`, once for each key. */
export const accountRequests = (keyNumbers: readonly number[]): Buffer[] =>
  keyNumbers.map((number) => getRequest('/v1/account', { 'x-api-key': keyText(number) }))

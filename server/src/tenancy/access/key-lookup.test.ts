// A key is looked up by its hash before its tenant is known, although the primary key of `keys` also contains the tenant.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../testkit/database.ts'
import { type Database, isUniqueViolation, unlisted } from '../../kernel/db/index.ts'
import { findCredentials } from './queries.ts'

// Naming the folder keeps the tables whole: in a divided one each part is so small that its rows are read without an index.
const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const TENANTS = 20
const KEYS_EACH = 50

async function withKeys(t: TestContext): Promise<Database> {
  const { database, close } = await freshDatabase({ migrations })
  t.after(close)
  await database.script(`
    insert into tenants (tenant_id, name) select t, 'Shop ' || t from generate_series(1, ${TENANTS}) t;
    insert into keys (hash, tenant_id, prefix, kind)
    select sha256(('key ' || t || ' ' || k)::bytea), t, 'sk_' || k, 'secret'
      from generate_series(1, ${TENANTS}) t, generate_series(1, ${KEYS_EACH}) k`)
  return database
}

const hashOf = (tenant: number, key: number) => createHash('sha256').update(`key ${tenant} ${key}`).digest()

const insertKey = unlisted<unknown, { hash: Buffer }>(
  'key_test.insert_key',
  `insert into keys (tenant_id, hash, prefix, kind) values (1, $hash::bytea, 'sk_again', 'secret')`,
)

test('finds each key by its hash alone', async (t) => {
  const database = await withKeys(t)
  for (let tenant = 1; tenant <= TENANTS; tenant++) {
    const rows = await database.rows(findCredentials, { hashes: [hashOf(tenant, 1), hashOf(tenant, KEYS_EACH)] })
    assert.deepEqual(
      rows.map(({ tenantId }) => tenantId),
      [tenant, tenant],
    )
  }
  assert.deepEqual(await database.rows(findCredentials, { hashes: [hashOf(TENANTS + 1, 1)] }), [])
  await assert.rejects(database.run(insertKey, { hash: hashOf(1, 1) }), (error) =>
    isUniqueViolation(error, 'keys_pkey'),
  )
})

test('a key is looked up in the index however many there are', async (t) => {
  const database = await withKeys(t)
  await database.script('analyze keys')
  const text = findCredentials.text.replace('$1', `array['\\x${hashOf(3, 3).toString('hex')}']`)
  const plan = await database.rows(unlisted<Record<string, string>>('key_test.explain', `explain ${text}`))
  assert.match(plan.map((row) => Object.values(row)[0]).join('\n'), /Index (Only )?Scan using keys_pkey on keys/)
})

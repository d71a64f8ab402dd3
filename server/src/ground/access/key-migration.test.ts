// The primary key of `keys` gained the tenant while builds that knew it by the hash alone were running.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../testkit/database.ts'
import { type Database, isUniqueViolation, migrate, readMigrations, unlisted } from '../../foundation/db/index.ts'
import { findCredentials } from './queries.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const TENANTS = 20
const KEYS_EACH = 50

/** A database as the build before left it, with tenants and keys in it. */
async function ofTheBuildBefore(t: TestContext): Promise<Database> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-before-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const before = (await readdir(migrations)).filter((name) => name < '0010')
  for (const name of before) await cp(path.join(migrations, name), path.join(folder, name))
  const { database, close } = await freshDatabase({ migrations: folder })
  t.after(close)
  await database.script(`
    insert into tenants (tenant_id, name) select t, 'Shop ' || t from generate_series(1, ${TENANTS}) t;
    insert into keys (hash, tenant_id, prefix, kind)
    select sha256(('key ' || t || ' ' || k)::bytea), t, 'sk_' || k, 'secret'
      from generate_series(1, ${TENANTS}) t, generate_series(1, ${KEYS_EACH}) k`)
  return database
}

const hashOf = (tenant: number, key: number) => createHash('sha256').update(`key ${tenant} ${key}`).digest()

// What the build before says, word for word as far as the key is concerned.
const before = {
  find: unlisted<{ tenantId: number }, { hashes: Buffer[] }>(
    'before.find_credentials',
    `select k.tenant_id as "tenantId", t.name from keys k join tenants t on t.tenant_id = k.tenant_id
      where k.hash = any($hashes::bytea[]) and k.revoked_at is null and t.deleted_at is null`,
  ),
  touch: unlisted<unknown, { hashes: Buffer[]; times: Date[] }>(
    'before.touch_keys',
    `update keys k set last_used_at = used.at from unnest($hashes::bytea[], $times::timestamptz[]) as used (hash, at)
      where k.hash = used.hash and (k.last_used_at is null or k.last_used_at < used.at)`,
  ),
  insert: unlisted<unknown, { tenantId: number; hash: Buffer; prefix: string }>(
    'before.insert_key',
    `insert into keys (tenant_id, hash, prefix, kind, expires_at)
     values ($tenantId::int, $hash::bytea, $prefix::text, 'action', now() - interval '1 day')`,
  ),
  forget: unlisted<{ forgotten: number }, { limit: number }>(
    'before.forget_tokens',
    `with old as (
       select hash from keys where kind = 'action' and expires_at <= now()
        order by expires_at limit $limit::int for update skip locked
     ), gone as (
       delete from keys k using old where k.hash = old.hash returning k.hash
     )
     select count(*)::int as forgotten from gone`,
  ),
}
const count = unlisted<{ keys: number; used: number }>(
  'key_test.count',
  'select count(*)::int as keys, count(last_used_at)::int as used from keys',
)
const primaryKey = unlisted<{ columns: string }>(
  'key_test.primary_key',
  `select string_agg(a.attname, ', ' order by k.place) as columns
     from pg_index i
     cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = 'keys'::regclass and i.indisprimary`,
)

test('a database of the build before keeps every key, and each is found by its hash alone', async (t) => {
  const database = await ofTheBuildBefore(t)
  assert.deepEqual(await database.one(primaryKey), { columns: 'hash' })
  assert.deepEqual((await migrate(database, await readMigrations(migrations))).slice(0, 2), [
    '0010_keys_by_hash_and_tenant.sql',
    '0011_keys_hold_their_tenant.sql',
  ])
  assert.deepEqual(await database.one(primaryKey), { columns: 'hash, tenant_id' })
  for (let tenant = 1; tenant <= TENANTS; tenant++) {
    const rows = await database.rows(findCredentials, { hashes: [hashOf(tenant, 1), hashOf(tenant, KEYS_EACH)] })
    assert.deepEqual(
      rows.map(({ tenantId }) => tenantId),
      [tenant, tenant],
    )
  }
  assert.deepEqual(await database.rows(findCredentials, { hashes: [hashOf(TENANTS + 1, 1)] }), [])
  const again = { tenantId: 1, hash: hashOf(1, 1), prefix: 'sk_again' }
  await assert.rejects(database.run(before.insert, again), (error) => isUniqueViolation(error, 'keys_pkey'))
})

test('a key is looked up in the index however many there are', async (t) => {
  const database = await ofTheBuildBefore(t)
  await migrate(database, await readMigrations(migrations))
  await database.script('analyze keys')
  const text = findCredentials.text.replace('$1', `array['\\x${hashOf(3, 3).toString('hex')}']`)
  const plan = await database.rows(unlisted<Record<string, string>>('key_test.explain', `explain ${text}`))
  assert.match(plan.map((row) => Object.values(row)[0]).join('\n'), /Index (Only )?Scan using keys_pkey on keys/)
})

test('the build before goes on while the key changes under it, and afterwards', async (t) => {
  const database = await ofTheBuildBefore(t)
  // No instance may run beside 0110: it locks the tables of all tenants at once.
  const steps = (await readMigrations(migrations)).filter(({ name }) => name < '0110')
  let made = 0
  const work = async () => {
    const hash = hashOf((made % TENANTS) + 1, 1)
    const found = await database.rows(before.find, { hashes: [hash] })
    assert.equal(found[0]?.tenantId, (made % TENANTS) + 1)
    await database.run(before.touch, { hashes: [hash], times: [new Date()] })
    const token = createHash('sha256').update(`token ${made}`).digest()
    assert.equal(await database.run(before.insert, { tenantId: 1, hash: token, prefix: `at_${made++}` }), 1)
  }
  // Each statement is known to its connection before the migration, as in a process that has been running.
  for (let turn = 0; turn < 10; turn++) await work()
  let done = false
  const migrating = migrate(database, steps).finally(() => {
    done = true
  })
  for (let after = 0; after < 20; ) {
    await work()
    if (done) after++
  }
  await migrating
  assert.deepEqual(await database.one(count), { keys: TENANTS * KEYS_EACH + made, used: TENANTS })
  assert.deepEqual(await database.one(before.forget, { limit: made + 1 }), { forgotten: made })
})

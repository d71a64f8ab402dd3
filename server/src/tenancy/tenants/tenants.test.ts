import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openKeyring } from '../../kernel/crypto/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { resealRows } from '../sealing/index.ts'
import {
  checkSentinel,
  eraseTenant,
  readCustomerTokenKey,
  readSigningSecrets,
  renewSentinel,
  sealedTenants,
  TENANT_TABLES,
} from './index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

// Whole or divided, but not the parts of a divided one.
const OWN_TABLE = `c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
const tablesWithTenant = statement<{ name: string }>(
  'test.tables_with_tenant',
  `select c.relname::text as name from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
    where ${OWN_TABLE}`,
)
const allTables = statement<{ name: string }>(
  'test.all_tables',
  `select c.relname::text as name from pg_class c where ${OWN_TABLE}`,
)
const keysWithoutTenant = statement<{ key: string }>(
  'test.keys_without_tenant',
  `select i.indexrelid::regclass::text as key
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relnamespace = current_schema()::regnamespace
     join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
    where i.indisunique and t.attnum <> all (i.indkey)
    order by key`,
)
const wholeRow = statement<{ row: string }, { tenantId: number }>(
  'test.whole_tenant',
  'select to_jsonb(t)::text as row from tenants t where tenant_id = $tenantId::int',
)
const sealedColumns = statement<{ signingSecret: string; customerTokenKey: string | null }, { tenantId: number }>(
  'test.sealed_columns',
  `select signing_secret as "signingSecret", customer_token_key as "customerTokenKey"
     from tenants where tenant_id = $tenantId::int`,
)
const moveSecret = statement<unknown, { from: number; to: number }>(
  'test.move_secret',
  `update tenants set signing_secret = (select signing_secret from tenants where tenant_id = $from::int)
    where tenant_id = $to::int`,
)

test('the list of what a deletion empties is the list of tables that belong to a tenant', async () => {
  const { database } = house.database
  const found = (await database.rows(tablesWithTenant)).map(({ name }) => name)
  assert.deepEqual(found.sort(), [...TENANT_TABLES, 'tenants'].sort())
})

const tablesToScan = statement<{ name: string }>(
  'test.tables_to_scan',
  `select c.relname::text as name from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
    where ${OWN_TABLE} and not exists (
          select from pg_index i where i.indrelid = c.oid and i.indkey[0] = t.attnum and i.indpred is null)`,
)

test('a deletion finds the rows of its tenant by an index in every table, and reads nobody else’s', async () => {
  const { database } = house.database
  assert.deepEqual(await database.rows(tablesToScan), [])
  await database.script('create table strays (id int, tenant_id int, primary key (id, tenant_id))')
  try {
    assert.deepEqual(await database.rows(tablesToScan), [{ name: 'strays' }])
  } finally {
    await database.script('drop table strays')
  }
})

test('every table belongs to a tenant, or stands here with its reason', async () => {
  const GLOBAL: Record<string, string> = {
    schema_migrations: 'which migrations the database has seen',
    signup_ledger: 'what is counted per address, by salted hashes alone; a deletion must not give a second chance',
    recovery_requests: 'salted hashes of addresses that asked for a link, for the seconds until they are answered',
    console_requests: 'salted hashes of addresses that asked for a link, for the seconds until they are answered',
    sign_in_requests:
      'addresses that asked for a link, for the seconds until they are answered; nobody knows yet of which tenant',
    sandbox_tally: 'what is counted of sandboxes per address, by salted hashes alone; it outlives each of them',
    encryption_sentinel: 'one value that proves the encryption key at start',
    deployment_spend: 'what all tenants together have spent in a day or month: sums, and nobody’s rows',
  }
  const { database } = house.database
  const names = (await database.rows(allTables)).map(({ name }) => name)
  const owned = new Set<string>([...TENANT_TABLES, 'tenants'])
  assert.deepEqual(names.filter((name) => !owned.has(name)).sort(), Object.keys(GLOBAL).sort())
})

test('every primary and unique key of a tenant’s table holds the tenant', async () => {
  const { database } = house.database
  assert.deepEqual(await database.rows(keysWithoutTenant), [])
  await database.script(
    'create table strays (tenant_id int, id int primary key, name text, unique (name), unique (tenant_id, name))',
  )
  try {
    assert.deepEqual(await database.rows(keysWithoutTenant), [{ key: 'strays_name_key' }, { key: 'strays_pkey' }])
  } finally {
    await database.script('drop table strays')
  }
})

test('after a deletion nothing of the tenant is in the database but an empty tombstone', async () => {
  const { database } = house.database
  const made = await house.ask<{ tenantId: number; apiKey: string }>('POST', '/v1/tenants', {
    key: house.operatorKey,
    body: { name: 'Canary shop', email: 'canary@shop.example' },
  })
  const { tenantId, apiKey } = made.body
  await house.ask('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'agent', label: 'Canary label' } })
  await house.ask('POST', '/v1/account/customer-token-key', { key: apiKey })
  await house.ask('PUT', '/v1/account/intent', { key: apiKey, body: { intent: 'answers' } })
  assert.equal(await eraseTenant(house.app.house, tenantId), true)
  for (const name of [...TENANT_TABLES, 'tenants']) {
    const all = statement<{ row: string }>(`test.dump_${name}`, `select to_jsonb(t)::text as row from ${name} t`)
    const rows = (await database.rows(all)).filter(({ row }) => JSON.parse(row).tenant_id === tenantId)
    if (name === 'tenants') assert.equal(rows.length, 1)
    else assert.equal(rows.length, 0, name)
  }
  const left = JSON.parse((await database.one(wholeRow, { tenantId }))?.row ?? '{}')
  const { tenant_id, count_hash, created_at, deleted_at, ...rest } = left
  assert.equal(tenant_id, tenantId)
  assert.match(count_hash, /^[0-9a-f]{64}$/)
  assert.ok(created_at && deleted_at)
  for (const [column, value] of Object.entries(rest)) {
    const empty = value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
    assert.ok(
      empty || ['plan', 'moderation', 'email_confirmed_at'].includes(column),
      `${column} still holds ${JSON.stringify(value)}`,
    )
  }
  assert.equal(await eraseTenant(house.app.house, tenantId), false, 'a second deletion finds nothing')
})

test('stored secrets are sealed, open as what was issued, and open in their own row only', async () => {
  const [one, other] = [await house.tenant(), await house.tenant()]
  const token = await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: one.apiKey,
  })
  const { database } = house.database
  const sealed = await database.one(sealedColumns, { tenantId: one.tenantId })
  assert.match(sealed?.signingSecret ?? '', /^enc:v1:[0-9a-f]{8}:/)
  assert.match(sealed?.customerTokenKey ?? '', /^enc:v1:/)
  assert.equal((await readSigningSecrets(house.app.house, one.tenantId)).signingSecret, one.signingSecret)
  assert.equal(await readCustomerTokenKey(house.app.house, one.tenantId), token.body.customerTokenKey)
  await database.run(moveSecret, { from: one.tenantId, to: other.tenantId })
  await assert.rejects(readSigningSecrets(house.app.house, other.tenantId), /could not be decrypted/)
})

test('for a day after a rotation the previous signing secret is still known; after a compromise it is not', async () => {
  const { apiKey, tenantId, signingSecret } = await house.tenant()
  const { body } = await house.ask<{ signingSecret: string }>('POST', '/v1/account/signing-secret/rotate', {
    key: apiKey,
  })
  assert.deepEqual(await readSigningSecrets(house.app.house, tenantId), {
    signingSecret: body.signingSecret,
    previousSigningSecret: signingSecret,
  })
  const after = await house.ask<{ signingSecret: string }>('POST', '/v1/account/compromise', {
    key: apiKey,
    body: { rotateSigningSecret: true },
  })
  assert.deepEqual(await readSigningSecrets(house.app.house, tenantId), {
    signingSecret: after.body.signingSecret,
    previousSigningSecret: null,
  })
})

async function resealAll(parts: Parameters<typeof resealRows>[0]): Promise<number> {
  let resealed = 0
  for (const rows of sealedTenants) resealed += (await resealRows(parts, rows)).resealed
  await renewSentinel(parts)
  return resealed
}

test('a new encryption key opens the old values until they are sealed again, and then stands alone', async () => {
  const { tenantId, signingSecret } = await house.tenant()
  const { db, log } = house.app.house
  const old = house.settings.encryption.key
  const fresh = randomBytes(32).toString('base64')
  const alone = { ...house.app.house, keyring: openKeyring({ key: fresh, previous: [] }) }
  assert.equal(await checkSentinel(house.app.house), true)
  await assert.rejects(readSigningSecrets(alone, tenantId), /could not be decrypted/)
  assert.equal(await checkSentinel(alone), false, 'a wrong key is noticed at start')
  const both = { ...house.app.house, keyring: openKeyring({ key: fresh, previous: [old] }) }
  assert.equal((await readSigningSecrets(both, tenantId)).signingSecret, signingSecret)
  const first = await resealAll({ db, log, keyring: both.keyring })
  assert.ok(first > 0)
  const again = await resealAll({ db, log, keyring: both.keyring })
  assert.equal(again, 0)
  assert.equal((await readSigningSecrets(alone, tenantId)).signingSecret, signingSecret)
  assert.equal(await checkSentinel(alone), true)
  await resealAll({ db, log, keyring: openKeyring({ key: old, previous: [fresh] }) })
})

import assert from 'node:assert/strict'
import test from 'node:test'
import { compileSql } from '../server/src/kernel/db/named-values.ts'
import { tablesAfter } from './sql-tree.ts'
import { joinFaults, looksOnly, wallFaults } from './tenant-wall.ts'

const tables = new Set(['keys', 'events', 'tenants'])

test('tables and their columns are read from a migration', () => {
  const migration =
    'create table keys (hash bytea primary key, tenant_id integer not null); create index k on keys (hash);'
  assert.deepEqual(tablesAfter([migration]), [{ name: 'keys', columns: ['hash', 'tenant_id'] }])
})

test('a table like another one has its columns', () => {
  const migration =
    'create table keys (tenant_id int, id int); create table old_keys (like keys including all, gone_at date)'
  assert.deepEqual(tablesAfter([migration]).at(-1), { name: 'old_keys', columns: ['tenant_id', 'id', 'gone_at'] })
})

test('a table that a later migration drops is no longer there', () => {
  const migrations = ['create table old (id int); create table keys (hash bytea)', 'drop table old, public.keys']
  assert.deepEqual(tablesAfter(migrations), [])
  assert.deepEqual(tablesAfter([...migrations, 'create table keys (id int); drop sequence keys']), [
    { name: 'keys', columns: ['id'] },
  ])
})

const walled = [
  'select 1 from settings',
  'select prefix from keys where tenant_id = $tenantId::int',
  'select prefix from keys where prefix = $x and $tenantId::int = tenant_id',
  'select 1 from keys k join tenants t on t.tenant_id = $tenantId where k.tenant_id = $tenantId',
  'select 1 from keys k, tenants t where t.tenant_id = k.tenant_id and k.tenant_id = $tenantId and t.tenant_id = $tenantId',
  'select 1 from keys k left join tenants t on t.tenant_id = $tenantId where k.tenant_id = $tenantId',
  'select 1 from tenants t right join keys k on t.tenant_id = $tenantId where k.tenant_id = $tenantId',
  'select 1 from keys k join (tenants t join events e on e.tenant_id = $tenantId and t.tenant_id = $tenantId) on true where k.tenant_id = $tenantId',
  'update keys k set prefix = $x from tenants t where k.tenant_id = $tenantId and t.tenant_id = $tenantId',
  'delete from keys where tenant_id = $tenantId',
  'insert into keys (tenant_id, prefix) values ($tenantId::int, $x)',
  'insert into events (type, tenant_id) select $x, tenant_id from keys where tenant_id = $tenantId',
  'insert into events (type, tenant_id) select $x, $tenantId::int from settings',
  'with gone as (delete from keys where tenant_id = $tenantId returning tenant_id) insert into events (tenant_id) select tenant_id from gone',
  'with gone as (delete from keys where tenant_id = $tenantId returning tenant_id) insert into events (tenant_id) select tenant_id from gone union all select tenant_id from gone',
  'with gone as (select prefix from keys where tenant_id = $tenantId) delete from events e using gone where e.tenant_id = $tenantId and e.type = gone.prefix',
  'select (select count(*) from keys where tenant_id = $tenantId) from settings',
  'select 1 from tenants t where t.tenant_id = $tenantId and exists (select 1 from keys k where k.tenant_id = $tenantId)',
  'insert into events (tenant_id) select tenant_id from (select tenant_id from keys where tenant_id = $tenantId union all select tenant_id from tenants where tenant_id = $tenantId) as rows',
  'insert into events (tenant_id) values ($tenantId) on conflict (tenant_id) do update set type = excluded.type',
  'select $tenantId::int as tenant_id, k.tenant_id as other from keys k where k.tenant_id = $tenantId',
]
const breached = [
  'select prefix from keys',
  'select prefix from keys where prefix = $tenantId',
  'select prefix from keys where tenant_id = $shopId',
  'select prefix from keys where tenant_id = 7',
  'select prefix from keys where tenant_id = $tenantId or prefix = $x',
  'select prefix from keys where not (tenant_id = $tenantId)',
  'select prefix from keys where tenant_id <> $tenantId',
  'select prefix from keys where tenant_id = any($tenantId)',
  'select prefix from keys where tenant_id = tenant_id',
  'select prefix from keys tablesample system (1)',
  // Beside something that is bound, and not bound itself.
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id where k.tenant_id = $tenantId',
  'select 1 from keys k, tenants t where t.tenant_id = k.tenant_id and t.tenant_id = $tenantId',
  'update keys k set prefix = $x from tenants t where k.tenant_id = $tenantId and t.tenant_id = k.tenant_id',
  'select 1 from tenants t where t.tenant_id = $tenantId and exists (select 1 from keys k where k.tenant_id = t.tenant_id)',
  'with living as (select tenant_id from tenants where tenant_id = $tenantId) update keys k set prefix = $x from living l where k.tenant_id = l.tenant_id',
  'with gone as (delete from keys where tenant_id = $tenantId returning tenant_id) delete from events e using gone g where e.tenant_id = g.tenant_id',
  'select 1 from keys where (tenant_id, prefix) in (select tenant_id, type from events where tenant_id = $tenantId)',
  'select 1 from keys k join tenants t using (tenant_id) where k.tenant_id = $tenantId',
  'select 1 from keys natural join tenants where tenant_id = $tenantId',
  // The condition of an outer join keeps no row of its outer side away.
  'select 1 from keys k left join settings s on k.tenant_id = $tenantId',
  'select 1 from settings s right join keys k on k.tenant_id = $tenantId',
  'select 1 from keys k full join tenants t on k.tenant_id = $tenantId and t.tenant_id = $tenantId',
  'select 1 from keys k join tenants t on true where k.tenant_id = $tenantId',
  'update keys set prefix = $x',
  'update keys k set prefix = t.type from events t where k.tenant_id = $tenantId',
  'delete from keys where prefix = $x',
  'delete from keys k using events e where e.tenant_id = $tenantId',
  'insert into keys (prefix) values ($x)',
  'insert into keys (tenant_id, prefix) values (1, $x)',
  'insert into keys (tenant_id, prefix) values ($x, $tenantId)',
  'insert into keys (tenant_id) values ($tenantId), (2)',
  'insert into events (tenant_id) select tenant_id from keys',
  'with gone as (delete from keys returning tenant_id) insert into events (tenant_id) select tenant_id from gone',
  'select (select count(*) from keys) from tenants where tenant_id = $tenantId',
  'select 1 from tenants where tenant_id = $tenantId union all select 1 from tenants',
  'select 1 from settings union all select 2 from settings order by (select count(*) from keys)',
  'select 1 from settings limit (select count(*) from keys)',
  'select 1 from (select * from keys) as k where k.tenant_id = $tenantId',
  'insert into events (tenant_id) select tenant_id from (select tenant_id from keys) as rows',
  'with keys as (select 1) select prefix from public.keys',
  // A row of another tenant's, by another name.
  'update keys set tenant_id = $x where tenant_id = $tenantId',
  'insert into events (tenant_id) values ($tenantId) on conflict (type) do update set tenant_id = 2',
  'with own as (select owner as tenant_id from tenants where tenant_id = $tenantId) insert into events (tenant_id) select tenant_id from own',
  'with own as (update tenants set owner = 1 where tenant_id = $tenantId returning owner as tenant_id) insert into events (tenant_id) select tenant_id from own',
  'with own (tenant_id) as (select owner from tenants where tenant_id = $tenantId) insert into events (tenant_id) select tenant_id from own',
  'insert into events (tenant_id) select tenant_id from (select owner from tenants where tenant_id = $tenantId) as own (tenant_id)',
  'with own as (select tenant_id from keys where tenant_id = $tenantId union all select owner from tenants where tenant_id = $tenantId) insert into events (tenant_id) select tenant_id from own',
  // Beyond what the wall reads.
  'merge into keys k using settings s on k.tenant_id = $tenantId when matched then delete',
  'truncate keys',
]

for (const text of walled) {
  test(`walled: ${text}`, () => assert.deepEqual(wallFaults(compileSql(text), tables), []))
}
for (const text of breached) {
  test(`breached: ${text}`, () => assert.notDeepEqual(wallFaults(compileSql(text), tables), []))
}

test('a look changes nothing and locks nothing, however deep', () => {
  assert.equal(looksOnly('with a as (select 1 from keys) select * from a'), true)
  assert.equal(looksOnly('select 1 from (select 1 from keys for share) as k'), false)
  assert.equal(looksOnly('with a as (delete from keys returning 1) select * from a'), false)
  assert.equal(looksOnly('update keys set prefix = 1'), false)
})

const joined = [
  'select 1 from keys',
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id',
  'select 1 from keys k, tenants t where k.tenant_id = t.tenant_id and k.prefix = $x',
  'select 1 from keys k left join tenants p on p.tenant_id = k.provider_tenant_id',
  'select 1 from (select tenant_id from keys where prefix = $x limit 1) k join tenants t on t.tenant_id = k.tenant_id',
  'select 1 from keys k where exists (select 1 from events e where e.tenant_id = k.tenant_id)',
  'select (select count(*) from events e join tenants t on t.tenant_id = e.tenant_id where e.tenant_id = k.tenant_id) from keys k',
  'select 1 from keys union all select 1 from events',
  'with used as (select tenant_id from keys) update tenants t set used = true from used u where t.tenant_id = u.tenant_id',
  'insert into keys (tenant_id) select r."tenantId" from json_to_recordset($rows::json) as r ("tenantId" int) join tenants t on t.tenant_id = r."tenantId"',
]
const unjoined = [
  'select 1 from keys k join tenants t on t.sandbox',
  'select 1 from keys k cross join tenants t',
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id or t.sandbox',
  'select 1 from keys k join tenants t on t.tenant_id > k.tenant_id',
  'select 1 from keys k join tenants t on t.tenant_id = t.tenant_id',
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id join events e on e.prefix = k.prefix',
  'select 1 from (select tenant_id from keys) k join tenants t on true',
  'select 1 from keys k where exists (select 1 from events e where e.prefix = k.prefix)',
  'select 1 from keys k where k.prefix in (select e.prefix from events e join tenants t on t.tenant_id = e.tenant_id)',
  'with used as (select tenant_id from keys) update tenants t set used = true from used u where t.name = u.name',
]
for (const text of joined) {
  test(`joined across tenants: ${text}`, () => assert.deepEqual(joinFaults(compileSql(text), tables), []))
}
for (const text of unjoined) {
  test(`not joined across tenants: ${text}`, () => assert.notDeepEqual(joinFaults(compileSql(text), tables), []))
}

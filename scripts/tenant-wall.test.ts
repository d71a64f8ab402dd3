import assert from 'node:assert/strict'
import test from 'node:test'
import { tenantTablesOf, wallFaults } from './tenant-wall.ts'

const tables = tenantTablesOf([
  'create table keys (hash bytea primary key, tenant_id integer not null, prefix text); create table tenants (tenant_id int);',
  'create table settings (name text); create table events (tenant_id int, type text);',
])

test('the tables of tenants are read from the migrations', () => {
  assert.deepEqual([...tables].sort(), ['events', 'keys', 'tenants'])
})

const walled = [
  'select 1 from settings',
  'select prefix from keys where tenant_id = $1::int',
  'select prefix from keys where prefix = $2 and $1::int = tenant_id',
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id where k.tenant_id = $1',
  'select 1 from keys k, tenants t where t.tenant_id = k.tenant_id and t.tenant_id = $1',
  'update keys k set prefix = $2 from tenants t where k.tenant_id = $1 and t.tenant_id = k.tenant_id',
  'delete from keys where tenant_id = $1',
  'insert into keys (tenant_id, prefix) values ($1::int, $2)',
  'insert into events (type, tenant_id) select $2, tenant_id from keys where tenant_id = $1',
  'with gone as (delete from keys where tenant_id = $1 returning tenant_id) insert into events (tenant_id) select tenant_id from gone',
  'with gone as (delete from keys where tenant_id = $1 returning tenant_id) insert into events (tenant_id) select tenant_id from gone union all select tenant_id from gone',
  'select (select count(*) from keys where tenant_id = $1) from settings',
  'select 1 from tenants t where t.tenant_id = $1 and exists (select 1 from keys k where k.tenant_id = t.tenant_id)',
  'insert into events (tenant_id) select tenant_id from (select tenant_id from keys where tenant_id = $1 union all select tenant_id from tenants where tenant_id = $1) as rows',
]
const breached = [
  'select prefix from keys',
  'select prefix from keys where prefix = $1',
  'select prefix from keys where tenant_id = $1 or prefix = $2',
  'select prefix from keys where not (tenant_id = $1)',
  'select prefix from keys where tenant_id <> $1',
  'select prefix from keys where tenant_id = any($1)',
  'select prefix from keys where tenant_id = tenant_id',
  'select 1 from keys k join tenants t on true where k.tenant_id = $1',
  'select 1 from keys k join tenants t on t.tenant_id = k.tenant_id',
  'update keys set prefix = $1',
  'update keys k set prefix = t.type from events t where k.tenant_id = $1',
  'delete from keys where prefix = $1',
  'delete from keys k using events e where e.tenant_id = $1',
  'insert into keys (prefix) values ($1)',
  'insert into keys (tenant_id, prefix) values (1, $1)',
  'insert into keys (tenant_id) values ($1), (2)',
  'insert into events (tenant_id) select tenant_id from keys',
  'with gone as (delete from keys returning tenant_id) insert into events (tenant_id) select tenant_id from gone',
  'select (select count(*) from keys) from tenants where tenant_id = $1',
  'select 1 from tenants where tenant_id = $1 union all select 1 from tenants',
  'select 1 from tenants t where t.tenant_id = $1 and exists (select 1 from keys k where k.prefix = $2)',
  'select 1 from (select * from keys) as k where k.tenant_id = $1',
  'insert into events (tenant_id) select tenant_id from (select tenant_id from keys) as rows',
]

for (const text of walled) {
  test(`walled: ${text}`, () => assert.deepEqual(wallFaults(text, tables), []))
}
for (const text of breached) {
  test(`breached: ${text}`, () => assert.notDeepEqual(wallFaults(text, tables), []))
}

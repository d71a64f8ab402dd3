// Migration 0110 on a database of the build before it, which could be one of several.
import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { freshDatabase } from '../../../testkit/database.ts'
import { type Database, migrate, readMigrations, unlisted } from '../../foundation/db/index.ts'

const OWN = path.join(import.meta.dirname, '../../../migrations')
const NAME = '0110_one_database.sql'
const DONE = `insert into tenant_moves (moved_tenant, from_name, to_name, state) values (1, 'two', 'first', 'done');`

/** Objects that only served several databases. Partitions repeat the triggers of their table. */
const leftovers = unlisted<{ name: string }>(
  'test.leftovers_of_several_databases',
  `select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relname in ('tenant_moves', 'database_place', 'moves_underway')
   union all
   select p.proname from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.proname like 'refuse\\_%'
   union all
   select t.tgname || ' on ' || c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and t.tgname in ('moving_refused', 'closing_refused')
   union all
   select a.attname from pg_attribute a where a.attrelid = 'tenants'::regclass and a.attname like 'moving%'
   order by 1`,
)

/** A database as the build before left it, with two tenants in it, and `state` on top. */
async function databaseBefore(t: TestContext, state: string) {
  const all = await readMigrations(OWN)
  const folder = await mkdtemp(path.join(tmpdir(), 'tether-one-database-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const { name } of all) if (name < NAME) await symlink(path.join(OWN, name), path.join(folder, name))
  const { database, close } = await freshDatabase({ migrations: folder })
  t.after(close)
  await database.script(`insert into tenants (tenant_id, name) values (1, 'One'), (2, 'Two'); ${state}`)
  return { database, all: all.filter(({ name }) => name <= NAME) }
}

const namesOf = async (database: Database) => (await database.rows(leftovers)).map(({ name }) => name)

test('drops everything that served several databases, and keeps the tenants', async (t) => {
  const { database, all } = await databaseBefore(
    t,
    `${DONE} insert into account_events (tenant_id, type) values (1, 'database.changed'), (1, 'key.issued');`,
  )
  const before = await namesOf(database)
  for (const name of ['tenant_moves', 'moves_underway', 'refuse_moving', 'moving_refused on keys', 'moving_by'])
    assert.ok(before.includes(name), name)
  assert.deepEqual(await migrate(database, all), [NAME])
  assert.deepEqual(await namesOf(database), [])
  const kept = unlisted<{ tenants: number; events: string }>(
    'test.kept_by_one_database',
    `select (select count(*)::int from tenants) as tenants, (select string_agg(type, ' ') from account_events) as events`,
  )
  assert.deepEqual(await database.one(kept), { tenants: 2, events: 'key.issued' })
  await database.script(
    `update tenants set name = 'Renamed' where tenant_id = 1; delete from tenants where tenant_id = 2`,
  )
})

test('accepts a deployment from which all other databases were taken out', async (t) => {
  const { database, all } = await databaseBefore(t, place('first', '{first}'))
  assert.deepEqual(await migrate(database, all), [NAME])
})

const place = (name: string, names: string) =>
  `insert into database_place (deployment, name, names) values (gen_random_uuid(), '${name}', '${names}');`

const REFUSED: readonly (readonly [title: string, state: string, says: RegExp])[] = [
  [
    'on the first of two databases',
    place('first', '{first,two}'),
    /several \(database_place: first, two\): with the previous/,
  ],
  [
    'on the second of two databases',
    place('two', '{first,two}'),
    /several \(database_place: first, two\): with the previous/,
  ],
  ['where the names of the other databases were never recorded', place('two', '{}'), /several \(database_place: two\)/],
  [
    'while a move is copying',
    `${DONE} insert into tenant_moves (moved_tenant, from_name, to_name, state) values (2, 'first', 'two', 'copying');`,
    /the move of tenant 2 has not ended/,
  ],
  [
    'after a move has switched and not ended',
    `insert into tenant_moves (moved_tenant, from_name, to_name, state) values (1, 'first', 'two', 'switched');`,
    /the move of tenant 1 has not ended/,
  ],
  ...['closing', 'leaving', 'arriving', 'moved'].map(
    (mark) =>
      [
        `where a tenant is marked as ${mark}`,
        `${DONE} update tenants set moving = '${mark}' where tenant_id = 2;`,
        new RegExp(`tenant 2 is marked as moving to another database \\(tenants.moving: ${mark}\\)`),
      ] as const,
  ),
]

for (const [title, state, says] of REFUSED)
  test(`refuses ${title}, and changes nothing`, async (t) => {
    const { database, all } = await databaseBefore(t, state)
    const before = await namesOf(database)
    await assert.rejects(migrate(database, all), says)
    assert.deepEqual(await namesOf(database), before)
  })

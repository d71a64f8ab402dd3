// A test's database was another test's before, and what that one left would hide faults or make some.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase, unlisted } from '../src/kernel/db/index.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

const folder = (at: string): string => fileURLToPath(new URL(at, import.meta.url))

const run = (process.env.TEST_DATABASE_URL ?? '') === '' ? 'embedded' : randomUUID()

/** Nobody else's migrations, so that no other test takes what is given back here. On a server that stays, an earlier run is somebody else. */
async function migrationsOfOurOwn(t: TestContext, from: string, number: string): Promise<string> {
  const own = await mkdtemp(path.join(tmpdir(), 'tether-test-'))
  t.after(() => rm(own, { recursive: true, force: true }))
  await cp(from, own, { recursive: true })
  await writeFile(path.join(own, `${number}_lent.sql`), `create table of_database_lent_test (x integer); -- ${run}\n`)
  return own
}

const idOf = unlisted<{ id: string }>(
  'lent_test.id',
  `select concat(oid, ' ', pg_postmaster_start_time()) as id from pg_database where datname = current_database()`,
)
const identity = async ({ database }: FreshDatabase): Promise<string> => (await database.one(idOf))?.id ?? ''

/** A row in every table that takes one of made-up values, and a step of every sequence. */
const USE_EVERYTHING = `do $$
declare
  one record;
begin
  set local session_replication_role = replica;
  for one in
    select c.oid::regclass as name, string_agg(format('%I', a.attname), ', ' order by attnum) as columns,
      string_agg(case
        when a.atttypid::regtype::text like '%[]' then '''{}'''
        when a.atttypid = 'jsonb'::regtype then '''{}'''
        when a.atttypid in ('timestamptz'::regtype, 'date'::regtype) then 'now()'
        when a.atttypid = 'uuid'::regtype then 'gen_random_uuid()'
        when a.atttypid = 'boolean'::regtype then 'true'
        else '''7''' end, ', ' order by attnum) as made
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
     group by c.oid
  loop
    begin
      execute format('insert into %s (%s) overriding system value values (%s)', one.name, one.columns, one.made);
    exception when others then null;
    end;
  end loop;
  for one in select format('%I.%I', schemaname, sequencename) as name from pg_sequences loop
    perform nextval(one.name);
  end loop;
end $$`

const listTables = unlisted<{ name: string }>(
  'lent_test.list_tables',
  `select c.oid::regclass::text as name from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
)
const listSequences = unlisted<Record<string, unknown>>(
  'lent_test.list_sequences',
  'select sequencename::text as name, last_value, start_value from pg_sequences order by 1',
)

type Contents = { readonly tables: Record<string, unknown[]>; readonly sequences: unknown[] }

async function contentsOf(database: Database): Promise<Contents> {
  const tables: Record<string, unknown[]> = {}
  for (const { name } of await database.rows(listTables)) {
    const rows = unlisted<{ row: unknown }>(`lent_test.${name}`, `select to_jsonb(t) as row from ${name} t order by 1`)
    tables[name] = (await database.rows(rows)).map(({ row }) => row)
  }
  return { tables, sequences: await database.rows(listSequences) }
}

const filled = ({ tables }: Contents): string[] => Object.keys(tables).filter((name) => tables[name]?.length !== 0)

test('nothing that the last test wrote is in a database that comes back', async (t) => {
  const migrations = await migrationsOfOurOwn(t, folder('../migrations'), '9999')
  const first = await freshDatabase({ migrations, neighbour: true })
  const [used, untouched] = [await identity(first), await contentsOf(first.database)]
  await first.database.script(USE_EVERYTHING)
  const left = await contentsOf(first.database)
  assert.ok(untouched.tables.schema_migrations?.length && untouched.tables.users?.length === 3)
  assert.ok(filled(left).length > filled(untouched).length + 10, `only ${filled(left).join(', ')}`)
  assert.notDeepEqual(left.sequences, untouched.sequences)
  await first.database.script("delete from schema_migrations where name like '1001%'")
  await first.database.script('update users set active = not active; delete from mails')
  await first.close()

  const lent = await freshDatabase({ migrations, neighbour: true })
  const fresh = await freshDatabase({ migrations, neighbour: true })
  t.after(() => Promise.all([lent.close(), fresh.close()]))
  assert.equal(await identity(lent), used)
  assert.notEqual(await identity(fresh), used)
  assert.deepEqual(await contentsOf(lent.database), await contentsOf(fresh.database))
})

// The embedded database is a cluster of its own. Each change costs it an engine, so the others are tried on a server only.
const EMBEDDED_CHANGES = ['create role of_a_test', 'grant select on shops to public', 'analyze shops']
const SERVER_CHANGES = [
  'create table of_a_test (x integer)',
  'alter table shops add column of_a_test integer',
  "alter table shops alter column name set default 'of a test'",
  'alter table shops set (fillfactor = 50)',
  'alter table shops disable trigger all',
  'create index of_a_test on shops (name)',
  'create function of_a_test() returns integer language sql return 1',
  'grant select on shops to public',
  'create schema of_a_test',
  'create publication of_a_test for table shops',
  "do $$ begin execute format('alter database %I set work_mem = ''5MB''', current_database()); end $$",
  // What the planner knows of other rows than the next test's.
  'analyze shops',
  'truncate orders',
]

test('a database with more changes than rows does not come back', async (t) => {
  const migrations = await migrationsOfOurOwn(t, folder('../src/kernel/db/fixtures/shops'), '9998')
  const first = await freshDatabase({ migrations })
  let last = await identity(first)
  await first.close()
  for (const change of first.url === undefined ? EMBEDDED_CHANGES : SERVER_CHANGES) {
    const lent = await freshDatabase({ migrations })
    const used = await identity(lent)
    // Otherwise nothing would have come back in any case.
    assert.equal(used, last, `before ${change}`)
    await lent.database.script(change)
    await lent.close()
    const next = await freshDatabase({ migrations })
    last = await identity(next)
    assert.notEqual(last, used, change)
    await next.close()
  }
})

const showAutovacuum = unlisted<{ autovacuum: string }>('lent_test.show_autovacuum', 'show autovacuum')

test('no autovacuum worker changes a database that waits for its next test', async (t) => {
  const { database, close, url } = await freshDatabase()
  t.after(close)
  if (url === undefined) return
  // Each new database changes pg_database, and a worker that analyzes it writes to pg_statistic of the database it is connected to.
  const help = 'Set autovacuum=off at the server in TEST_DATABASE_URL.'
  assert.equal((await database.one(showAutovacuum))?.autovacuum, 'off', help)
})

test('a database that somebody is still connected to does not come back', async (t) => {
  const migrations = await migrationsOfOurOwn(t, folder('../src/kernel/db/fixtures/shops'), '9997')
  const first = await freshDatabase({ migrations })
  if (first.url === undefined) return void (await first.close())
  const at = { url: first.url, poolSize: 1, prepared: true }
  const other = await openDatabase({ at, statementTimeoutMs: 1_000, warn: () => undefined })
  const used = await identity(first)
  const work = other.transaction(async (tx) => {
    await tx.one(idOf)
    await first.close()
    return tx.one(idOf)
  })
  await assert.rejects(work)
  const next = await freshDatabase({ migrations })
  t.after(() => next.close())
  assert.notEqual(await identity(next), used)
  await other.close()
})

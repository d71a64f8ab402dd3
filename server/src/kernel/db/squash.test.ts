// A database that ran the migrations before the squash goes on with the files that replaced them.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { freshDatabase } from '../../../testkit/database.ts'
import { OLD_ROWS, oldChain } from '../../../testkit/old-chain.ts'
import {
  adoptSquash,
  type Database,
  type Migrations,
  migrate,
  openDatabase,
  readMigrations,
  schemaState,
  type Transaction,
  unlisted,
} from './index.ts'
import type { Squash } from './migrations.ts'
import { readSchema } from './squash.ts'

const OLD = oldChain()
let own: Migrations
let squash: Squash
/** Without migrations that came after the squash. */
let squashed: Migrations
before(async () => {
  own = await readMigrations(path.join(import.meta.dirname, '../../../migrations'))
  assert.ok(own.squash)
  squash = own.squash
  squashed = { files: own.files.filter(({ name }) => name <= squash.last), squash }
})

async function emptyDatabase(t: TestContext): Promise<{ database: Database; url: string | undefined }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-squash-'))
  t.after(() => rm(folder, { recursive: true }))
  const { database, url, close } = await freshDatabase({ migrations: folder })
  t.after(close)
  return { database, url }
}

async function oldDatabase(t: TestContext) {
  const opened = await emptyDatabase(t)
  await migrate(opened.database, OLD)
  await opened.database.script(OLD_ROWS)
  return opened
}

const listTables = unlisted<{ name: string }>(
  'squash_test.list_tables',
  `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
)
const listSequences = unlisted<{ line: string }>(
  'squash_test.list_sequences',
  `select format('%s %s', sequencename, last_value) as line from pg_sequences order by 1`,
)

/** All rows, including the records of migrations, and the position of each sequence. */
async function contentsOf(database: Database): Promise<Record<string, readonly string[]>> {
  const contents: Record<string, readonly string[]> = {
    sequences: (await database.rows(listSequences)).map(({ line }) => line),
  }
  for (const { name } of await database.rows(listTables)) {
    const rows = unlisted<{ row: string }>(
      `squash_test.${name}`,
      `select to_jsonb(t)::text as row from ${name} t order by 1`,
    )
    contents[name] = (await database.rows(rows)).map(({ row }) => row)
  }
  return contents
}

const namesIn = (rows: readonly string[] | undefined): string[] =>
  (rows ?? []).map((row) => /"name": ?"([^"]+)"/.exec(row)?.[1] ?? '')

const schemaOf = async (database: Database) => {
  const { 'table schema_migrations': _records, ...schema } = Object.fromEntries(await readSchema(database))
  return schema
}

test('the old chain of the fixture is the one that is recognized', () => {
  assert.deepEqual(Object.fromEntries(OLD.files.map(({ name, checksum }) => [name, checksum])), squash.checksums)
})

test('the old and the new migrations make the same schema', async (t) => {
  for (const migrations of [OLD, squashed]) {
    const { database } = await emptyDatabase(t)
    await migrate(database, migrations)
    assert.deepEqual(await schemaOf(database), squash.schema)
  }
})

test('adopts a database with rows in it and changes nothing but the records of migrations', async (t) => {
  const { database } = await oldDatabase(t)
  const state = await schemaState(database, own)
  assert.ok(state.kind === 'replaced')
  assert.match(state.message, /Run: npm run migrate$/)
  const { schema_migrations: records, ...rows } = await contentsOf(database)
  assert.deepEqual(await migrate(database, squashed), [])
  assert.deepEqual(await schemaState(database, squashed), { kind: 'current' })
  const { schema_migrations: now, schema_migrations_before: kept, ...others } = await contentsOf(database)
  assert.deepEqual(others, rows)
  assert.deepEqual(kept, records)
  assert.deepEqual(
    namesIn(now).sort(),
    squashed.files.map(({ name }) => name),
  )
  assert.equal(await adoptSquash(database, own), false)
  const older = await schemaState(database, OLD)
  assert.equal(older.kind, 'newer')
})

test('applies later migrations after the adoption', async (t) => {
  const { database } = await oldDatabase(t)
  const later = { name: '9000_later.sql', text: 'create table later (x integer);', checksum: 'later' }
  const migrations = { files: [...squashed.files, later], squash }
  assert.deepEqual(await migrate(database, migrations), [later.name])
  assert.deepEqual(await schemaState(database, migrations), { kind: 'current' })
})

test('two migrators adopt a database once', async (t) => {
  const { database, url } = await oldDatabase(t)
  const other = url === undefined ? database : await openSecond(t, url)
  const adopted = await Promise.all([adoptSquash(database, squashed), adoptSquash(other, squashed)])
  assert.deepEqual(adopted.sort(), [false, true])
  assert.deepEqual(await schemaState(database, squashed), { kind: 'current' })
})

async function openSecond(t: TestContext, url: string): Promise<Database> {
  const at = { url, poolSize: 1, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 10_000, warn: () => undefined })
  t.after(() => database.close())
  return database
}

/** A database whose process dies after `survives` statements of a transaction. */
function dyingAfter(database: Database, survives: number): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        let left = survives
        const counted = async <Result>(result: Promise<Result>): Promise<Result> => {
          const value = await result
          if (left-- === 0) throw new Error('killed')
          return value
        }
        const dying: Transaction = {
          rows: (statement, ...values) => counted(tx.rows(statement, ...values)),
          one: (statement, ...values) => counted(tx.one(statement, ...values)),
          run: (statement, ...values) => counted(tx.run(statement, ...values)),
          script: (text) => counted(tx.script(text)),
        }
        return work(dying)
      }, options),
  }
}

test('a process that is killed after any statement leaves the database as it was', async (t) => {
  const { database } = await oldDatabase(t)
  const contents = await contentsOf(database)
  let points = 0
  for (; ; points++) {
    const result = await adoptSquash(dyingAfter(database, points), squashed).catch((error: Error) => error.message)
    if (result !== 'killed') break
    assert.deepEqual(await contentsOf(database), contents, `after statement ${points + 1}`)
  }
  // Lock, table, records, schema, copy, delete, and a record for each file.
  assert.equal(points, 6 + squashed.files.length)
  assert.deepEqual(await schemaState(database, squashed), { kind: 'current' })
})

const REFUSED: readonly (readonly [title: string, change: string, undo: string, message: RegExp])[] = [
  [
    'the last migration is missing',
    `delete from schema_migrations where name like '0111%'`,
    `insert into schema_migrations select '0111_frames_on_shards.sql', checksum from records where name like '0111%'`,
    /lacks the migration 0111_frames_on_shards\.sql, which this build replaced\. Deploy and migrate with the version of commit [0-9a-f]{8} first\.$/,
  ],
  [
    'a migration in the middle is missing',
    `delete from schema_migrations where name like '0062%'`,
    `insert into schema_migrations select * from records where name like '0062%'`,
    /lacks the migration 0062_daily_counts\.sql, .* commit [0-9a-f]{8} first\.$/,
  ],
  [
    'a checksum differs',
    `update schema_migrations set checksum = 'other' where name like '0001%'`,
    `update schema_migrations m set checksum = r.checksum from records r where r.name = m.name`,
    /edited after they had been applied: 0001_tenants\.sql/,
  ],
  [
    'there is a further migration',
    `insert into schema_migrations (name, checksum) values ('0112_more.sql', 'x')`,
    `delete from schema_migrations where name = '0112_more.sql'`,
    /does not know: 0112_more\.sql\. Deploy the newer build first\.$/,
  ],
  [
    'a column has another type',
    'alter table actions alter column staged_for type varchar(9)',
    'alter table actions alter column staged_for type text',
    /table actions lacks "column staged_for text" and has "column staged_for character varying\(9\)"\. Nothing was changed\. Undo this and run npm run migrate again\.$/,
  ],
  [
    'a column is missing',
    'alter table sessions drop column told_actions',
    'alter table sessions add column told_actions uuid[]',
    /table sessions lacks "column told_actions uuid\[\]"\./,
  ],
  [
    'a column was added',
    'alter table users add column phone text',
    'alter table users drop column phone',
    /table users has "column phone text"\./,
  ],
  [
    'an index is missing',
    'alter index keys_revoked rename to keys_revoked_old',
    'alter index keys_revoked_old rename to keys_revoked',
    /table keys lacks "CREATE INDEX keys_revoked ON public\.keys/,
  ],
  [
    'a trigger is switched off',
    'alter table audit_events disable trigger audit_keep',
    'alter table audit_events enable trigger audit_keep',
    /table audit_events lacks "CREATE TRIGGER audit_keep BEFORE .* has "CREATE TRIGGER audit_keep .* enabled D"/,
  ],
  [
    'a function was replaced',
    `create or replace function owns_trail(trail oid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as 'select true'`,
    `do $$ begin execute (select definition from functions); end $$`,
    /function owns_trail\(trail oid\) lacks "returns boolean sql s /,
  ],
  [
    'a table is missing',
    'alter table previews rename to previews_old',
    'alter table previews_old rename to previews',
    /there is no table previews\./,
  ],
]

test('refuses a database that differs, says how, and changes nothing', async (t) => {
  const { database } = await oldDatabase(t)
  await database.script(`create table records as table schema_migrations;
    create table functions as select pg_get_functiondef('owns_trail'::regproc) as definition`)
  for (const [title, change, undo, message] of REFUSED) {
    await database.script(change)
    const contents = await contentsOf(database)
    await assert.rejects(migrate(database, squashed), message, title)
    assert.deepEqual(await contentsOf(database), contents, title)
    await database.script(undo)
  }
  assert.equal(await adoptSquash(database, squashed), true)
})

test('tables and indexes that an operator added do not prevent the adoption', async (t) => {
  const { database } = await oldDatabase(t)
  await database.script(`create table notes (x integer); create index actions_by_tool on actions (tenant_id, tool);
    alter table tool_calls set (fillfactor = 90)`)
  assert.equal(await adoptSquash(database, squashed), true)
})

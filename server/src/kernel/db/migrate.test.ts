import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { citusWorkers } from '../../../testkit/citus.ts'
import { freshDatabase } from '../../../testkit/database.ts'
import { open } from '../../../testkit/server-admin.ts'
import { type Database, migrate, openDatabase, readMigrations, schemaState, unlisted } from './index.ts'

const first = 'create table shops (shop_id integer primary key);\n'
const second = "insert into shops values (1);\nalter table shops add name text default 'none';\n"

function folder(t: TestContext, files: Record<string, string>): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-migrations-'))
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(directory, name), text)
  return directory
}

const read = (t: TestContext, files: Record<string, string>) => readMigrations(folder(t, files))

type Empty = { database: Database; url: string | undefined }

/** A database that no migration has touched. */
async function empty(t: TestContext): Promise<Empty> {
  const { database, url, close } = await freshDatabase({ migrations: folder(t, {}) })
  t.after(close)
  return { database, url }
}

const shops = unlisted<object>('migrate_test.shops', 'select * from shops')

test('what is missing is named with the command to run, is applied in order, and only once', async (t) => {
  const { database } = await empty(t)
  const migrations = await read(t, { '0002_names.sql': second, '0001_shops.sql': first, 'notes.md': 'not one' })
  const before = await schemaState(database, migrations)
  assert.ok(before.kind === 'behind')
  assert.deepEqual(before.missing, ['0001_shops.sql', '0002_names.sql'])
  assert.equal(before.message, 'The database has no tables yet. Run: npm run migrate')
  assert.deepEqual(await migrate(database, migrations), ['0001_shops.sql', '0002_names.sql'])
  assert.deepEqual(await schemaState(database, migrations), { kind: 'current' })
  assert.deepEqual(await migrate(database, migrations), [])
  assert.deepEqual(await database.rows(shops), [{ shop_id: 1, name: 'none' }])
})

test('of a few missing ones each is named, and of many both ends', async (t) => {
  const { database } = await empty(t)
  const more = (numbers: readonly number[]) =>
    Object.fromEntries(numbers.map((number) => [`000${number}_more.sql`, `create table more_${number} (id integer);`]))
  await migrate(database, await read(t, more([1])))
  const saidOf = async (numbers: readonly number[]) => {
    const state = await schemaState(database, await read(t, more([1, ...numbers])))
    return state.kind === 'behind' ? state.message : state.kind
  }
  const run = 'Run: npm run migrate'
  assert.equal(await saidOf([2]), `The database lacks the migration 0002_more.sql. ${run}`)
  assert.equal(await saidOf([2, 3]), `The database lacks 2 migrations: 0002_more.sql, 0003_more.sql. ${run}`)
  assert.equal(
    await saidOf([2, 3, 4, 5]),
    `The database lacks 4 migrations, from 0002_more.sql to 0005_more.sql. ${run}`,
  )
})

test('a migration that fails leaves nothing of itself, says where, and keeps those before it', async (t) => {
  const { database } = await empty(t)
  const broken = 'insert into shops values (9);\ncreate table more (x integer);\nselect nonsense;\n'
  const migrations = await read(t, { '0001_shops.sql': first, '0002_broken.sql': broken })
  await assert.rejects(migrate(database, migrations), /0002_broken\.sql failed.*"nonsense" does not exist \(line 3\)/)
  assert.deepEqual(await database.rows(shops), [])
  const state = await schemaState(database, migrations)
  assert.ok(state.kind === 'behind')
  assert.deepEqual(state.missing, ['0002_broken.sql'])
  const mended = await read(t, { '0001_shops.sql': first, '0002_broken.sql': second })
  assert.deepEqual(await migrate(database, mended), ['0002_broken.sql'])
})

test('an applied migration that was edited is refused', async (t) => {
  const { database } = await empty(t)
  await migrate(database, await read(t, { '0001_shops.sql': first }))
  const edited = await read(t, { '0001_shops.sql': `${first}-- changed`, '0002_names.sql': second })
  const state = await schemaState(database, edited)
  assert.ok(state.kind === 'altered')
  assert.match(state.message, /0001_shops\.sql.*new migration/)
  await assert.rejects(migrate(database, edited), /edited after they had been applied/)
  assert.deepEqual(await database.rows(shops), [])
})

test('other line ends are not an edit', async (t) => {
  const { database } = await empty(t)
  await migrate(database, await read(t, { '0001_shops.sql': first }))
  const state = await schemaState(database, await read(t, { '0001_shops.sql': first.replaceAll('\n', '\r\n') }))
  assert.deepEqual(state, { kind: 'current' })
})

test('a database of a newer build is refused', async (t) => {
  const { database } = await empty(t)
  await migrate(database, await read(t, { '0001_shops.sql': first, '0002_names.sql': second }))
  const older = await read(t, { '0001_shops.sql': first })
  const state = await schemaState(database, older)
  assert.ok(state.kind === 'newer')
  assert.deepEqual(state.unknown, ['0002_names.sql'])
  assert.match(state.message, /Deploy the newer build first/)
  await assert.rejects(migrate(database, older), /Deploy the newer build first/)
})

test('a migration that slipped in before applied ones is refused', async (t) => {
  const { database } = await empty(t)
  await migrate(database, await read(t, { '0001_shops.sql': first, '0003_names.sql': second }))
  const late = await read(t, { '0001_shops.sql': first, '0002_late.sql': 'select 1;', '0003_names.sql': second })
  const state = await schemaState(database, late)
  assert.ok(state.kind === 'altered')
  assert.match(state.message, /come before 0003_names\.sql.*0002_late\.sql.*next free numbers/)
  await assert.rejects(migrate(database, late), /0002_late/)
})

test('files that cannot be migrations are refused when they are read', async (t) => {
  await assert.rejects(read(t, { '1_shops.sql': first }), /Name it like/)
  await assert.rejects(read(t, { '0001_a.sql': first, '0001_b.sql': second }), /same number/)
  await assert.rejects(read(t, { '0001_a.sql': `${first}commit;\n` }), /"commit;".*already runs in a transaction/)
  const body = 'create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend;\n$$;'
  assert.equal((await read(t, { '0001_a.sql': body })).files.length, 1)
})

test('several migrators at the same time apply each migration once', async (t) => {
  const { database, url } = await empty(t)
  const slow = (name: string) => `create table ${name} (x integer); select pg_sleep(0.05);`
  const files = Object.fromEntries(['a', 'b', 'c'].map((name, at) => [`000${at + 1}_${name}.sql`, slow(name)]))
  const migrations = await read(t, files)
  const at = { url: url ?? '', poolSize: 1, prepared: true }
  const others = url === undefined ? [database, database] : await Promise.all([1, 2].map(() => opened(t, at)))
  const done = await Promise.all([database, ...others].map((one) => migrate(one, migrations)))
  assert.deepEqual(done.flat().sort(), Object.keys(files))
})

async function opened(t: TestContext, at: { url: string; poolSize: number; prepared: boolean }): Promise<Database> {
  const database = await openDatabase({ at, statementTimeoutMs: 100, warn: () => undefined })
  t.after(() => database.close())
  return database
}

const skip = citusWorkers().length === 0 ? 'There is no Citus: npm run test:citus has one.' : false

test('on Citus, a migration of several commands alters distributed tables, and an error names its line', {
  skip,
}, async (t) => {
  const { url = '' } = await empty(t)
  // The database of the tests sends commands one by one. A deployment has this one.
  const database = await open(url, 1)
  t.after(() => database.close())
  await migrate(database, await read(t, { '0001_shops.sql': first }))
  await database.script(`select create_distributed_table('shops', 'shop_id')`)
  const indexed = `alter table shops add name text;\ncreate index shops_name on shops (name);\n`
  const both = { '0001_shops.sql': first, '0002_names.sql': indexed }
  assert.deepEqual(await migrate(database, await read(t, both)), ['0002_names.sql'])
  const faulty = { ...both, '0003_faulty.sql': `alter table shops add city text;\n\nselect nothing;` }
  await assert.rejects(
    migrate(database, await read(t, faulty)),
    /0003_faulty\.sql failed .*"nothing" does not exist \(line 3\)/,
  )
})

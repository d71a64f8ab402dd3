import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database, Queries } from './database.ts'
import { statement } from './statement.ts'

export type Migration = { readonly name: string; readonly text: string; readonly checksum: string }

/** How the schema of a database stands to the migrations of this build. */
export type SchemaState =
  | { readonly kind: 'current' }
  | { readonly kind: 'behind'; readonly missing: readonly string[]; readonly message: string }
  | { readonly kind: 'newer'; readonly unknown: readonly string[]; readonly message: string }
  | { readonly kind: 'altered'; readonly names: readonly string[]; readonly message: string }

type Applied = { name: string; checksum: string }

const nameShape = /^\d{4}_[a-z0-9_]+\.sql$/

// Any number, as long as every migrator takes the same.
const migratorLock = 7_303_014_551

const ensureTable = `create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

const tableExists = statement<{ present: boolean }>(
  'db.migrations_table_exists',
  `select to_regclass('schema_migrations') is not null as present`,
)
const listApplied = statement<Applied>(
  'db.list_migrations',
  'select name, checksum from schema_migrations order by name',
)
const waitForTurn = statement<unknown, [key: number]>('db.lock_migrations', 'select pg_advisory_xact_lock($1::bigint)')
const record = statement<unknown, [name: string, checksum: string]>(
  'db.record_migration',
  'insert into schema_migrations (name, checksum) values ($1::text, $2::text)',
)

export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  for (const name of names) {
    if (!nameShape.test(name)) throw new Error(`Migration ${name}: name it like 0007_what_it_does.sql.`)
  }
  refuseTwins(names)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(directory, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Compares what the database has with what this build has. */
export async function schemaState(database: Queries, migrations: readonly Migration[]): Promise<SchemaState> {
  return compare(await applied(database), migrations)
}

/** Applies what is missing, each in a transaction of its own, and returns the names. Safe to run twice at once. */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  const done: string[] = []
  for (;;) {
    const name = await applyNext(database, migrations)
    if (name === undefined) return done
    done.push(name)
  }
}

function applyNext(database: Database, migrations: readonly Migration[]): Promise<string | undefined> {
  return database.transaction(
    async (tx) => {
      await tx.run(waitForTurn, [migratorLock])
      await tx.script(ensureTable)
      const state = compare(await tx.rows(listApplied, []), migrations)
      if (state.kind === 'current') return undefined
      if (state.kind !== 'behind') throw new Error(state.message)
      const next = migrations.find(({ name }) => name === state.missing[0])
      if (next === undefined) return undefined
      await tx.script(next.text)
      await tx.run(record, [next.name, next.checksum])
      return next.name
    },
    { unlimited: true },
  )
}

async function applied(database: Queries): Promise<Applied[]> {
  const table = await database.one(tableExists, [])
  return table?.present === true ? database.rows(listApplied, []) : []
}

function compare(had: readonly Applied[], migrations: readonly Migration[]): SchemaState {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const names = had
    .filter(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
    .map(({ name }) => name)
  if (names.length > 0) {
    const message = `Migrations were edited after they had been applied: ${names.join(', ')}. Restore them and put the change into a new migration.`
    return { kind: 'altered', names, message }
  }
  const unknown = had.map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const message = `The database has migrations that this build does not know: ${unknown.join(', ')}. Deploy the newer build first.`
    return { kind: 'newer', unknown, message }
  }
  const present = new Set(had.map(({ name }) => name))
  const missing = migrations.map(({ name }) => name).filter((name) => !present.has(name))
  if (missing.length === 0) return { kind: 'current' }
  return {
    kind: 'behind',
    missing,
    message: `The database lacks migrations: ${missing.join(', ')}. Run: npm run migrate`,
  }
}

function refuseTwins(names: readonly string[]): void {
  names.forEach((name, at) => {
    const twin = names[at + 1]
    if (twin?.slice(0, 4) === name.slice(0, 4))
      throw new Error(`Migrations ${name} and ${twin} have the same number: renumber one.`)
  })
}

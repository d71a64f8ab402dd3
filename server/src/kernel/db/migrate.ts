import { splitCommands } from './commands.ts'
import type { Database, Queries, Transaction } from './database.ts'
import { sqlErrorAt } from './errors.ts'
import type { AppliedMigration, Migration, Migrations, Squash } from './migrations.ts'
import { replaceRecords } from './squash.ts'
import { statement } from './statement.ts'

/** How a database's schema compares with the migrations of this build. */
type SchemaState =
  | { readonly kind: 'current' }
  | { readonly kind: 'behind'; readonly missing: readonly string[]; readonly message: string }
  /** The database has exactly the migrations that the first files of this build replaced. */
  | { readonly kind: 'replaced'; readonly message: string }
  /** It lacks some of those, so only an earlier build can migrate it. */
  | { readonly kind: 'outdated'; readonly missing: readonly string[]; readonly message: string }
  | { readonly kind: 'newer'; readonly unknown: readonly string[]; readonly message: string }
  | { readonly kind: 'altered'; readonly names: readonly string[]; readonly message: string }

// Any number will do, as long as every migrator uses the same one.
const migratorLock = 7_303_014_551
// A change that waits for a lock blocks everybody behind it, so it gives up and the operator runs it again later.
const lockTimeout = '15s'

const ensureTable = `create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`
const findTable = statement<{ present: boolean }>(
  'db.find_migrations_table',
  `select to_regclass('schema_migrations') is not null as present`,
)
const listApplied = statement<AppliedMigration>(
  'db.list_migrations',
  'select name, checksum from schema_migrations order by name collate "C"',
)
const waitForTurn = statement<unknown, { key: number }>(
  'db.lock_migrations',
  'select pg_advisory_xact_lock($key::bigint)',
)
const findCitus = statement<{ present: boolean }>(
  'db.find_citus',
  `select exists (select from pg_extension where extname = 'citus') as present`,
)
const recordMigration = statement<unknown, { name: string; checksum: string }>(
  'db.record_migration',
  'insert into schema_migrations (name, checksum) values ($name::text, $checksum::text)',
)

/** Compares the database's migrations with those of this build. */
export async function schemaState(database: Queries, migrations: Migrations): Promise<SchemaState> {
  const table = await database.one(findTable)
  return compareSchema(table?.present === true ? await database.rows(listApplied) : [], migrations)
}

/**
 * Applies each missing migration in its own transaction and returns their names. Several processes may run it at the
 * same time. It refuses a schema that does not fit this build.
 */
export async function migrate(database: Database, migrations: Migrations): Promise<string[]> {
  await adoptSquash(database, migrations)
  const done: string[] = []
  for (;;) {
    const name = await database.transaction((tx) => applyNext(tx, migrations), { unlimited: true })
    if (name === undefined) return done
    done.push(name)
  }
}

/** Lets a database go on with the files that replaced its migrations. Returns false if there is nothing to do. */
export async function adoptSquash(database: Database, migrations: Migrations): Promise<boolean> {
  const { files, squash } = migrations
  if (squash === undefined) return false
  return await database.transaction(
    async (tx) => {
      if ((await lockedState(tx, migrations)).kind !== 'replaced') return false
      await replaceRecords(tx, squash, files, ({ name, checksum }) => tx.run(recordMigration, { name, checksum }))
      return true
    },
    { unlimited: true },
  )
}

/** Waits until no other migrator runs. Throws if no migration of this build may be applied. */
async function lockedState(tx: Transaction, migrations: Migrations): Promise<SchemaState> {
  await tx.run(waitForTurn, { key: migratorLock })
  await tx.script(`set local lock_timeout = '${lockTimeout}'; ${ensureTable}`)
  const state = compareSchema(await tx.rows(listApplied), migrations)
  if (state.kind === 'newer' || state.kind === 'altered' || state.kind === 'outdated') throw new Error(state.message)
  return state
}

async function applyNext(tx: Transaction, migrations: Migrations): Promise<string | undefined> {
  const state = await lockedState(tx, migrations)
  const next = state.kind === 'behind' ? migrations.files.find(({ name }) => name === state.missing[0]) : undefined
  if (next === undefined) return undefined
  await applyCommands(tx, next)
  await tx.run(recordMigration, { name: next.name, checksum: next.checksum })
  return next.name
}

async function applyCommands(tx: Transaction, { name, text }: Migration): Promise<void> {
  // Citus sends the whole script to its workers, which refuse several commands in one message.
  const isOnCitus = (await tx.one(findCitus))?.present === true
  let start = 0
  for (const command of isOnCitus ? splitCommands(text) : [text]) {
    await tx.script(command).catch((error: unknown) => {
      const reason = sqlErrorAt(error, text, start)
      throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error })
    })
    start += command.length
  }
}

function compareSchema(had: readonly AppliedMigration[], { files, squash }: Migrations): SchemaState {
  const isReplaced = squash !== undefined && had.some(({ name }) => Object.hasOwn(squash.checksums, name))
  const known = new Map(
    isReplaced ? Object.entries(squash.checksums) : files.map(({ name, checksum }) => [name, checksum]),
  )
  const edited = had.filter(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
  if (edited.length > 0) {
    const advice = 'Restore them and put the change into a new migration.'
    return altered(
      edited.map(({ name }) => name),
      'were edited after they had been applied',
      advice,
    )
  }
  const unknown = had.map(({ name }) => name).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const message = `The database has migrations that this build does not know: ${unknown.join(', ')}. Deploy the newer build first.`
    return { kind: 'newer', unknown, message }
  }
  const applied = new Set(had.map(({ name }) => name))
  const missing = [...known.keys()].filter((name) => !applied.has(name))
  if (isReplaced) return compareReplaced(missing, squash)
  const last = had.at(-1)?.name ?? ''
  const late = missing.filter((name) => name < last)
  if (late.length > 0)
    return altered(late, `come before ${last}, which has already been applied`, 'Give them the next free numbers.')
  if (missing.length === 0) return { kind: 'current' }
  return {
    kind: 'behind',
    missing,
    message: `${had.length === 0 ? 'The database has no tables yet' : `The database lacks ${someOf(missing)}`}. Run: npm run migrate`,
  }
}

function compareReplaced(missing: readonly string[], { commit }: Squash): SchemaState {
  if (missing.length === 0)
    return {
      kind: 'replaced',
      message:
        'The migrations of the database were replaced by fewer files that make the same schema. Run: npm run migrate',
    }
  const message = `The database lacks ${someOf(missing)}, which this build replaced. Deploy and migrate with the version of commit ${commit} first.`
  return { kind: 'outdated', missing, message }
}

/** What a person reads of a list of migrations: all the names of a few, and both ends of many. */
export function someOf(names: readonly string[]): string {
  if (names.length === 1) return `the migration ${names[0]}`
  if (names.length <= 3) return `${names.length} migrations: ${names.join(', ')}`
  return `${names.length} migrations, from ${names[0]} to ${names.at(-1)}`
}

function altered(names: readonly string[], what: string, advice: string): SchemaState {
  return { kind: 'altered', names, message: `Migrations ${what}: ${names.join(', ')}. ${advice}` }
}

import type { Database, Statement } from '../src/foundation/db/index.ts'

/** What tells an untouched database from one that was used and emptied. */
export type Survey = {
  readonly tables: readonly string[]
  /** A hash over everything that a schema change leaves behind. */
  readonly schema: string
  /** The tables that the migrations filled. */
  readonly seeded: readonly string[]
  readonly seeds: string
}

const own = `(select oid from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema')`

const listTables = plain<{ name: string }>(
  'list_tables',
  `select c.oid::regclass::text as name from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ${own} order by 1`,
)

const hashSchema = plain<{ hash: string }>(
  'hash_schema',
  `select md5(string_agg(line, '\n' order by line)) as hash from (
    select format('%s %s %s', oid, relname, relkind) from pg_class where relnamespace in ${own}
    union all
    select format('%s %s %s %s %s', attrelid, attname, atttypid, attnotnull, atthasdef)
      from pg_attribute join pg_class c on c.oid = attrelid where c.relnamespace in ${own}
    union all select format('%s %s %s', oid, proname, md5(prosrc)) from pg_proc where pronamespace in ${own}
    union all select format('%s %s %s', oid, tgname, tgenabled) from pg_trigger
    union all select format('%s %s', oid, conname) from pg_constraint where connamespace in ${own}
    union all select nspname from pg_namespace where nspname not like 'pg\\_%'
  ) as lines (line)`,
)

const rewindSequences = plain<object>(
  'rewind_sequences',
  `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where last_value is not null`,
)

export async function survey(database: Database): Promise<Survey> {
  const tables = (await database.rows(listTables, [])).map(({ name }) => name)
  const seeded = await filledAmong(database, tables)
  return { tables, schema: await schemaOf(database), seeded, seeds: await rowsOf(database, seeded) }
}

/** Takes out what a test put in; false when it changed more than rows, and the database is not to be used again. */
export async function emptyAgain(database: Database, untouched: Survey): Promise<boolean> {
  const filled = await filledAmong(database, untouched.tables)
  const mine = filled.filter((name) => !untouched.seeded.includes(name))
  await database.transaction(async (tx) => {
    // Without triggers: an append-only table is emptied too, and foreign keys do not dictate an order.
    await tx.script('set local session_replication_role = replica')
    if (mine.length > 0) await tx.script(mine.map((name) => `delete from ${name}`).join(';'))
    await tx.rows(rewindSequences, [])
  })
  if ((await schemaOf(database)) !== untouched.schema) return false
  return (await rowsOf(database, untouched.seeded)) === untouched.seeds
}

async function filledAmong(database: Database, tables: readonly string[]): Promise<string[]> {
  if (tables.length === 0) return []
  const probes = tables.map((name) => `select '${name}' as name where exists (select from ${name})`)
  return (await database.rows(plain<{ name: string }>('filled', probes.join(' union all ')), [])).map(
    ({ name }) => name,
  )
}

async function schemaOf(database: Database): Promise<string> {
  return (await database.one(hashSchema, []))?.hash ?? ''
}

async function rowsOf(database: Database, tables: readonly string[]): Promise<string> {
  const hashes = tables.map(
    (name) => `select md5(string_agg(t::text, '\n' order by t::text)) as hash from ${name} as t`,
  )
  if (hashes.length === 0) return ''
  const rows = await database.rows(plain<{ hash: string }>('seeds', hashes.join(' union all ')), [])
  return rows.map(({ hash }) => hash).join(' ')
}

// Not declared like the server's own statements: the check that reads those must not meet the testkit's.
function plain<Row>(name: string, text: string): Statement<Row, []> {
  return { name: `testkit.${name}`, text }
}

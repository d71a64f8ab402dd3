import { type Database, type Statement, unlisted } from '../src/foundation/db/index.ts'

/** What tells an untouched database from one that was used and emptied. */
export type Survey = {
  readonly tables: readonly string[]
  /** A hash over everything that a schema change leaves behind. */
  readonly schema: string
  /** The tables that the migrations filled, with their rows. */
  readonly seeds: ReadonlyMap<string, string>
  readonly sequences: readonly string[]
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

/** Where each sequence stands, as the command that puts it there again. */
const listSequences = plain<{ command: string }>(
  'list_sequences',
  `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
    coalesce(last_value, start_value), last_value is not null) as command
  from pg_sequences order by 1`,
)

export async function survey(database: Database): Promise<Survey> {
  const tables = (await database.rows(listTables)).map(({ name }) => name)
  const seeds = new Map<string, string>()
  for (const name of await filledAmong(database, tables)) seeds.set(name, await rowsOf(database, name))
  return { tables, schema: await schemaOf(database), seeds, sequences: await sequencesOf(database) }
}

/** Takes out what a test put in; false when it changed more than rows, and the database is not to be used again. */
export async function emptyAgain(database: Database, untouched: Survey): Promise<boolean> {
  if ((await schemaOf(database)) !== untouched.schema) return false
  const commands: string[] = []
  for (const name of await filledAmong(database, untouched.tables)) {
    if (!untouched.seeds.has(name)) commands.push(`delete from ${name}`)
  }
  for (const [name, rows] of untouched.seeds) {
    if ((await rowsOf(database, name)) !== rows) commands.push(`delete from ${name}`, restore(name, rows))
  }
  const standing = await sequencesOf(database)
  commands.push(...untouched.sequences.filter((command) => !standing.includes(command)))
  if (commands.length === 0) return true
  await database.transaction(async (tx) => {
    // Without triggers: an append-only table is emptied too, and foreign keys do not dictate an order.
    await tx.script('set local session_replication_role = replica')
    await tx.script(commands.join(';'))
  })
  return true
}

async function filledAmong(database: Database, tables: readonly string[]): Promise<string[]> {
  if (tables.length === 0) return []
  const probes = tables.map((name) => `select '${name}' as name where exists (select from ${name})`)
  return (await database.rows(plain<{ name: string }>('filled', probes.join(' union all ')))).map(({ name }) => name)
}

async function schemaOf(database: Database): Promise<string> {
  return (await database.one(hashSchema))?.hash ?? ''
}

async function sequencesOf(database: Database): Promise<string[]> {
  return (await database.rows(listSequences)).map(({ command }) => command)
}

/** The rows of a table as one JSON text, always in the same order. */
async function rowsOf(database: Database, table: string): Promise<string> {
  const text = `select coalesce(jsonb_agg(r order by r), '[]')::text as rows from (select to_jsonb(t) as r from ${table} as t) as all_rows`
  return (await database.one(plain<{ rows: string }>(`rows_of_${table}`, text)))?.rows ?? ''
}

function restore(table: string, rows: string): string {
  const literal = `'${rows.replaceAll("'", "''")}'::jsonb`
  return `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, ${literal})`
}

function plain<Row>(name: string, text: string): Statement<Row> {
  return unlisted(`testkit.${name}`, text)
}

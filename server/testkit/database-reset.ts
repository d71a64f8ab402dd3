import { createHash } from 'node:crypto'
import { type Database, type Statement, unlisted } from '../src/kernel/db/index.ts'

/** What tells an untouched database from one that was used and emptied. It goes as JSON to other processes. */
export type Survey = {
  /** Changes with everything that a test may change besides rows. */
  readonly catalogs: string
  /** The tables that were filled before any test, with their rows as JSON and the digest of these rows. */
  readonly seeds: Readonly<Record<string, { readonly rows: string; readonly digest: string }>>
  readonly sequences: readonly string[]
}

// Emptied by `delete`, tables keep their size, and whoever has them next would read through it.
const mostBytes = 16 * 1024 * 1024

const own = `(select oid from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema')`

/** Tables without partitions of their own. One that nobody ever wrote to has no size. */
const listWritten = plain<{ name: string; bytes: number }>(
  'list_written',
  `select c.oid::regclass::text as name, pg_relation_size(c.oid)::int as bytes from pg_class c
  where c.relkind = 'r' and c.relnamespace in ${own} and pg_relation_size(c.oid) > 0 order by 1`,
)

/** Whatever describes a schema, its rights, its settings, and what the planner was told of its rows. */
const CATALOGS = `pg_attrdef pg_attribute pg_class pg_constraint pg_default_acl pg_enum pg_event_trigger
  pg_extension pg_index pg_inherits pg_largeobject_metadata pg_policy pg_proc pg_publication pg_publication_rel pg_rewrite
  pg_sequence pg_statistic pg_statistic_ext pg_trigger pg_type`.split(/\s+/)

// The newest id of a transaction in a table. `xmin` itself has no order; its distance to the next id has one, which is
// the largest integer for rows that are as old as the cluster.
const NEWEST = `3 + age('3'::xid) - nullif(min(age(xmin)), 2147483647)`

/** Each change of a catalog writes a row with a newer `xmin`, or takes one away. A copy of a database keeps them as they are. */
const stampOfAll = (name: string, catalogs: readonly string[]): Statement<{ stamp: string }> =>
  plain(
    name,
    `select string_agg(line, ' ' order by line) as stamp from (
    ${catalogs.map((one) => `select format('${one} %s %s', count(*), ${NEWEST}) from ${one}`).join(' union all ')}
    union all select format('%s %s %s', nspname, nspowner, nspacl) from pg_namespace where oid in ${own}
    union all select format('planned %s', sum(reltuples::numeric)) from pg_class where relkind = 'r' and relnamespace in ${own}
    union all select format('settings %s', count(*)) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()
  ) as lines (line)`,
  )

// Roles belong to all databases of a server, where other tests make some meanwhile.
const stampCatalogs = {
  server: stampOfAll('stamp_catalogs', CATALOGS),
  embedded: stampOfAll('stamp_cluster', [...CATALOGS, 'pg_authid', 'pg_auth_members']),
}

/** Where each sequence stands, as the command that puts it there again. */
const listSequences = plain<{ command: string }>(
  'list_sequences',
  `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
    coalesce(last_value, start_value), last_value is not null) as command
  from pg_sequences order by 1`,
)

/** Surveys can be compared if they were made by the same questions. */
export const surveyForm = [listWritten, stampCatalogs.server, listSequences, digestOf(['a_table'])]
  .map(({ text }) => text)
  .join('\n')

export async function survey(database: Database): Promise<Survey> {
  const names = (await database.rows(listWritten)).map(({ name }) => name)
  const digests = await digestsOf(database, names)
  const seeds: Record<string, { rows: string; digest: string }> = {}
  for (const name of names) seeds[name] = { rows: await rowsOf(database, name), digest: digests.get(name) ?? '' }
  return { seeds, catalogs: await stampOf(database), sequences: await sequencesOf(database) }
}

/** Takes out what a test put in; false when it changed more than rows, and the database is not to be used again. */
export async function emptyAgain(database: Database, untouched: Survey): Promise<boolean> {
  if ((await stampOf(database)) !== untouched.catalogs) return false
  const written = await database.rows(listWritten)
  if (written.some(({ bytes }) => bytes > mostBytes)) return false
  const commands: string[] = []
  for (const { name } of written) if (untouched.seeds[name] === undefined) commands.push(`delete from ${name}`)
  const digests = await digestsOf(database, Object.keys(untouched.seeds))
  for (const [name, { rows, digest }] of Object.entries(untouched.seeds)) {
    if (digests.get(name) !== digest) commands.push(`delete from ${name}`, restore(name, rows))
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

async function stampOf(database: Database): Promise<string> {
  return (await database.one(stampCatalogs[database.engine]))?.stamp ?? ''
}

async function sequencesOf(database: Database): Promise<string[]> {
  return (await database.rows(listSequences)).map(({ command }) => command)
}

/** The digest of the rows of each table. A single query without a sort, because every test waits for it. */
function digestOf(tables: readonly string[]): Statement<{ name: string; digest: string }> {
  const text = tables
    .map(
      (name) =>
        `select '${name}' as name, concat(count(*), ' ', sum(hashtextextended(t::text, 0))) as digest from ${name} as t`,
    )
    .join(' union all ')
  return plain(`digest_of_${tables.length}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`, text)
}

async function digestsOf(database: Database, tables: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (tables.length === 0) return new Map()
  return new Map((await database.rows(digestOf(tables))).map(({ name, digest }) => [name, digest]))
}

/** The rows of a table as one JSON text. */
async function rowsOf(database: Database, table: string): Promise<string> {
  const text = `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} as t`
  return (await database.one(plain<{ rows: string }>(`rows_of_${table}`, text)))?.rows ?? ''
}

function restore(table: string, rows: string): string {
  const literal = `'${rows.replaceAll("'", "''")}'::jsonb`
  return `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, ${literal})`
}

function plain<Row>(name: string, text: string): Statement<Row> {
  return unlisted(`testkit.${name}`, text)
}

// The migrations up to 0111 were replaced by a few files that make the same schema. This lets a database that ran the old files go on
// with the new ones.
import type { Queries, Transaction } from './database.ts'
import type { AppliedMigration, Squash } from './migrations.ts'
import { statement } from './statement.ts'

/** The lines that describe each table, sequence and function, by its name such as `table keys`. */
type Schema = ReadonlyMap<string, readonly string[]>

// Not included: column order, because no code relies on it; privileges, because roles differ between deployments; storage parameters,
// because operators tune them; not-null constraints, which only PostgreSQL 18 lists, because their columns say the same.
const listSchema = statement<{ object: string; line: string }>(
  'db.list_schema',
  `with relation as (select * from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
   select 'table ' || r.relname as object,
          concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
            'default ' || pg_get_expr(d.adbin, d.adrelid), 'identity ' || nullif(a.attidentity::text, ''),
            case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end) as line
     from relation r
     join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
   union all
   select 'table ' || relname, 'unlogged' from relation where relpersistence = 'u'
   union all
   select 'table ' || relname, 'partition ' || pg_get_expr(relpartbound, oid) from relation where relispartition
   union all
   select 'table ' || r.relname, format('constraint %s %s', k.conname, pg_get_constraintdef(k.oid))
     from relation r join pg_constraint k on k.conrelid = r.oid and k.contype <> 'n'
   union all
   select 'table ' || r.relname, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
     from relation r join pg_index i on i.indrelid = r.oid
    where not exists (select from pg_constraint where conindid = i.indexrelid)
   union all
   select 'table ' || r.relname, pg_get_triggerdef(g.oid) || case g.tgenabled when 'O' then '' else ' enabled ' || g.tgenabled::text end
     from relation r join pg_trigger g on g.tgrelid = r.oid and not g.tgisinternal
   union all
   select 'sequence ' || c.relname, format('%s from %s by %s', format_type(s.seqtypid, null), s.seqstart, s.seqincrement)
     from pg_class c join pg_sequence s on s.seqrelid = c.oid where c.relnamespace = 'public'::regnamespace
   union all
   select format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
          concat_ws(' ', 'returns', format_type(p.prorettype, null), l.lanname, p.provolatile, case when p.prosecdef then 'security definer' end,
            array_to_string(p.proconfig, ' '), encode(sha256(convert_to(p.prosrc, 'UTF8')), 'hex'))
     from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace
   order by 1, 2`,
)

export async function readSchema(database: Queries): Promise<Schema> {
  const lines = Map.groupBy(await database.rows(listSchema), ({ object }) => object)
  return new Map([...lines].map(([object, rows]) => [object, rows.map(({ line }) => line)]))
}

/**
 * Records the files that replaced the old ones, and keeps the old records in `schema_migrations_before`. Throws if the live schema is
 * not the one that both make. The caller holds the migrators' lock and has compared the old records.
 */
export async function replaceRecords(
  tx: Transaction,
  { schema, last }: Squash,
  files: readonly AppliedMigration[],
  record: (file: AppliedMigration) => Promise<unknown>,
): Promise<void> {
  const difference = firstDifference(schema, await readSchema(tx))
  if (difference !== undefined)
    throw new Error(
      `The schema is not the one that its migrations made: ${difference}. Nothing was changed. Undo this and run npm run migrate again.`,
    )
  await tx.script('create table schema_migrations_before as table schema_migrations')
  await tx.script('delete from schema_migrations')
  for (const file of files) if (file.name <= last) await record(file)
}

// Objects that no migration made are ignored: an extension may have made them. An index that an operator added changes no result.
function firstDifference(expected: Squash['schema'], found: Schema): string | undefined {
  for (const [object, lines] of Object.entries(expected)) {
    const live = found.get(object)
    if (live === undefined) return `there is no ${object}`
    const missing = lines.find((line) => !live.includes(line))
    const extra = live.find((line) => !lines.includes(line) && !line.startsWith('CREATE INDEX'))
    if (missing !== undefined || extra !== undefined)
      return [
        object,
        ...(missing === undefined ? [] : [`lacks "${missing}"`]),
        ...(missing === undefined || extra === undefined ? [] : ['and']),
        ...(extra === undefined ? [] : [`has "${extra}"`]),
      ].join(' ')
  }
  return undefined
}

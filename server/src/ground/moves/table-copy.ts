// Makes what one table of another database holds of a tenant the same as here: range after range of its primary key is compared by a
// hash, and written anew where it differs. It may be run any number of times, and the last time is the proof.
import { isUniqueViolation, type Named, type Queries, type Statement, unlisted } from '../../foundation/db/index.ts'
import type { TableShape } from './queries.ts'

const RANGE = 500
const TRIES = 3
const PAGE = 100
/** Of texts that are written together: what carries them holds each several times. */
const PAGE_LETTERS = 1_000_000

/** Of the rows of one table: how many, and the sum of their hashes, which does not depend on their order. */
export type Sum = { readonly rows: number; readonly hash: bigint }

type After = readonly string[] | null
type Range = { readonly after: After; readonly upTo: After }
export const WHOLE_TABLE: Range = { after: null, upTo: null }
/** `widest`: the letters of the longest row. */
type Found = { count: number; hash: string; widest: number; last: string[] | null }
type Values = { readonly [name: string]: string | number | readonly string[] }

/** The texts are made of names that the database gave for its own tables, so no list of statements can have them. */
export type TableSql = {
  readonly table: string
  readonly keys: readonly { readonly name: string; readonly type: string }[]
  readonly sum: (range: Range, limited: boolean) => Statement<Found, Named>
  readonly read: (range: Range, most: number) => Statement<{ row: string; last: string[] }, Named>
  readonly clear: (range: Range) => Statement<unknown, Named>
  readonly write: Statement<unknown, Named>
}

/** A range without an end has another text than one with it, under the same name. */
const unprepared = <Row>(name: string, text: string): Statement<Row, Named> => ({
  ...unlisted<Row, Named>(name, text),
  unprepared: true,
})

export function tableSql({ name: table, key }: TableShape): TableSql {
  const keys = key ?? []
  const tuple = (of: readonly string[]) => `(${of.join(', ')})`
  const columns = keys.map(({ name }) => `t.${name}`)
  const bound = (prefix: string) => keys.map(({ type }, at) => `$${prefix}${at}::text::${type}`)
  const where = ({ after, upTo }: Range) =>
    [
      't.tenant_id = $tenantId::int',
      ...(after === null ? [] : [`${tuple(columns)} > ${tuple(bound('after'))}`]),
      ...(upTo === null ? [] : [`${tuple(columns)} <= ${tuple(bound('upTo'))}`]),
    ].join(' and ')
  const order = columns.length === 0 ? '' : `order by ${columns.join(', ')}`
  const last = `array[${columns.map((column) => `${column}::text`).join(', ')}]::text[]`
  const named = (what: string) => `moves.${what}_${table}`
  return {
    table,
    keys,
    sum: (range, limited) =>
      unprepared(
        named('sum'),
        `with r as materialized (
           select t::text as row, ${last} as last, row_number() over (${order}) as nth
             from ${table} t where ${where(range)} ${order} ${limited ? `limit ${RANGE}` : ''}
         )
         select count(*)::int as count, coalesce(sum(('x' || left(md5(row), 15))::bit(60)::bigint), 0)::text as hash,
                coalesce(max(length(row)), 0)::int as widest, (select last from r order by nth desc limit 1) as last
           from r`,
      ),
    read: (range, most) =>
      unprepared(
        named('read'),
        `select t::text as row, ${last} as last from ${table} t where ${where(range)} ${order} limit ${most}`,
      ),
    clear: (range) => unprepared(named('clear'), `delete from ${table} t where ${where(range)}`),
    write: unprepared(
      named('write'),
      `insert into ${table} overriding system value select r.* from unnest($rows::${table}[]) as r`,
    ),
  }
}

function valuesOf(tenantId: number, { after, upTo }: Range): Values {
  const named = (prefix: string, key: After) => Object.fromEntries((key ?? []).map((text, at) => [prefix + at, text]))
  return { tenantId, ...named('after', after), ...named('upTo', upTo) }
}

/** Writes one range of the other side, in a transaction that holds its right to. */
export type WriteRange = (work: (tx: Queries) => Promise<void>) => Promise<void>

export type Sides = { readonly from: Queries; readonly to: Queries; readonly write: WriteRange }

export type Copied = Sum & { readonly written: number }

/** Returns the sum of what both have, and how many ranges had to be written. */
export async function copyTable(sides: Sides, sql: TableSql, tenantId: number): Promise<Copied> {
  for (let tries = 1; ; tries++) {
    try {
      return await copyRanges(sides, sql, tenantId)
    } catch (error) {
      // A row that took the place of another under a second key meets the older one, whose range comes later.
      if (!isUniqueViolation(error) || tries === TRIES) throw error
      await sides.write(async (tx) => {
        await tx.run(sql.clear(WHOLE_TABLE), valuesOf(tenantId, WHOLE_TABLE))
      })
    }
  }
}

async function copyRanges({ from, to, write }: Sides, sql: TableSql, tenantId: number): Promise<Copied> {
  let [rows, hash, written] = [0, 0n, 0]
  for (let after: After = null, more = true; more; ) {
    const start: Range = { after, upTo: null }
    const here = await sumOf(from, sql, { tenantId, range: start, limited: sql.keys.length > 0 })
    more = sql.keys.length > 0 && here.count === RANGE
    // After the last row of this side nothing may stand on the other.
    const range: Range = { after, upTo: more ? here.last : null }
    const there = await sumOf(to, sql, { tenantId, range, limited: false })
    if (here.count !== there.count || here.hash !== there.hash) {
      const most = sql.keys.length > 0 ? Math.max(1, Math.min(PAGE, Math.floor(PAGE_LETTERS / here.widest))) : PAGE
      await write((tx) => writeRange(from, tx, sql, { tenantId, range, most }))
      written++
    }
    rows += here.count
    hash += BigInt(here.hash)
    after = here.last
  }
  return { rows, hash, written }
}

type SumAsked = { readonly tenantId: number; readonly range: Range; readonly limited: boolean }

async function sumOf(db: Queries, sql: TableSql, { tenantId, range, limited }: SumAsked): Promise<Found> {
  const found = await db.one(sql.sum(range, limited), valuesOf(tenantId, range))
  if (found === undefined) throw new Error(`The sum over ${sql.table} should always be one row.`)
  return found
}

async function writeRange(
  from: Queries,
  tx: Queries,
  sql: TableSql,
  { tenantId, range, most }: { readonly tenantId: number; readonly range: Range; readonly most: number },
): Promise<void> {
  await tx.run(sql.clear(range), valuesOf(tenantId, range))
  for (let { after } = range; ; ) {
    const page: Range = { after, upTo: range.upTo }
    const rows = await from.rows(sql.read(page, most), valuesOf(tenantId, page))
    if (rows.length > 0) await tx.run(sql.write, { rows: rows.map(({ row }) => row) })
    if (rows.length < most) return
    after = rows.at(-1)?.last ?? null
  }
}

/**
 * Numbers go on after those that were copied. The gap is there because others draw numbers while this is asked: it is never drawn
 * up in that moment, so nobody's next number is one that was given.
 */
export async function advanceSequences(db: Queries, { name, counted }: TableShape, tenantId: number): Promise<void> {
  for (const { column, sequence } of counted) {
    const advance = unprepared(
      `moves.advance_${name}`,
      `select setval('${sequence}', c.most + 100000, true)
         from (select max(t.${column}) as most from ${name} t where t.tenant_id = $tenantId::int) c, ${sequence} s
        where c.most >= s.last_value`,
    )
    await db.rows(advance, { tenantId })
  }
}

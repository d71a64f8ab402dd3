import { type Declaration, type Statement, statement } from '../../kernel/db/index.ts'

/** Why the statements of a sweep span tenants. `npm run bench sweep` measures what that saves. */
export const SWEEP = 'a sweep takes what is due in all tenants'

/** The values of every look of a sweep. It skips the tenants in `passedOver`. */
export type SweepLook = { passedOver: readonly number[]; limit: number }
/** A row that is due. */
export type SweepFound = { tenantId: number; id: string }

type Due = {
  readonly table: string
  /** SQL for the id of a row. */
  readonly id: string
  /** SQL that is true for a row that is due. */
  readonly due: string
  /** Which rows come first. Unless set, any. */
  readonly order?: string
}

/** SQL of the look of a sweep: `SweepFound` by the values of `SweepLook`. */
export const dueRows = ({ table, id, due, order }: Due): string =>
  `select tenant_id as "tenantId", ${id} as id from ${table}
    where ${due} and tenant_id <> all ($passedOver::int[])
    ${order === undefined ? '' : `order by ${order} `}limit $limit::int`

/** The rows that a look found: the tenant and the id of each, at the same place in both lists. */
export type FoundRows = { readonly tenantIds: readonly number[]; readonly ids: readonly string[] }

/** How many rows of a tenant a statement took. */
export type TakenRows = { tenantId: number; taken: number }

type Lock = {
  readonly table: string
  /** What the statement needs of each row besides its tenant: the columns of its key. */
  readonly columns: readonly string[]
  /** The type of the ids. */
  readonly type: 'bigint' | 'text' | 'uuid'
  /** SQL that compares a row with its id, `found.id`. The default compares the first column. */
  readonly isFound?: string
  /** SQL that is true for a row that is still due. */
  readonly due: string
}

/**
 * SQL for the found rows (`$tenantIds`, `$ids`) that are still due, locked. It skips rows that another transaction has locked. Each
 * row is looked up by its key: `tenant_id = any (…) and id = any (…)` would try every tenant with every id. A separate
 * subquery takes the lock, because Citus cannot lock rows beside a function.
 */
export const lockFound = ({ table, columns, type, isFound = `r.${columns[0]} = found.id`, due }: Lock): string =>
  `select held.* from unnest($tenantIds::int[], $ids::${type}[]) as found (tenant_id, id)
      cross join lateral (
        select ${['tenant_id', ...columns].map((column) => `r.${column}`).join(', ')} from ${table} r
         where ${ofFound('r')} and r.tenant_id = found.tenant_id and ${isFound} and ${due}
         for update skip locked) as held`

/** SQL that limits a table to the tenants whose rows were found. */
export const ofFound = (alias: string): string => `${alias}.tenant_id = any ($tenantIds::int[])`

/** SQL for `TakenRows`, from the rows that a statement changed. */
export const takenFrom = (changed: string): string =>
  `select tenant_id as "tenantId", count(*)::int as taken from ${changed} group by tenant_id`

/** SQL of a statement that deletes the found rows. The key consists of the tenant and `columns`. */
const deleteFound = ({ more = '', ...lock }: Lock & { readonly more?: string }): string =>
  `with old as (
     ${lockFound(lock)}
   )${more}, gone as (
     delete from ${lock.table} d using old
      where ${ofFound('d')} and d.tenant_id = old.tenant_id and ${lock.columns.map((name) => `d.${name} = old.${name}`).join(' and ')}
     returning d.tenant_id
   )
   ${takenFrom('gone')}`

/** The rows of one table that a sweep deletes once they are old. */
export type OldRows = {
  /** The name of the sweep in the log, and of the statement that deletes. */
  readonly name: string
  readonly list: Statement<SweepFound, SweepLook & RetentionTime>
  readonly forget: Statement<TakenRows, FoundRows & RetentionTime>
}

/** Set if `due` names `$days`. */
type RetentionTime = { readonly days?: number }

type Old = Lock & Partial<Due> & { readonly more?: string; readonly guest?: NonNullable<Declaration['guest']> }

/** Declares the two statements of such a sweep. `more` is SQL that deletes from other tables what belongs to `old`. */
export function oldRows(name: string, { id, order, guest = {}, ...lock }: Old): OldRows {
  const { table, columns, due } = lock
  const look = { table, id: id ?? `${columns[0]}::text`, due, ...(order === undefined ? {} : { order }) }
  return {
    name,
    list: statement(`${name}_look`, dueRows(look), { looks: SWEEP }),
    forget: statement(name, deleteFound(lock), { batches: SWEEP, guest }),
  }
}

// What each room does with its sealed rows when the encryption key is rotated.
import { type Place, SecretUnreadable } from '../../kernel/crypto/index.ts'
import { type Statement, statement } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'

export type Resealed = { resealed: number; alreadyCurrent: number; unreadable: number }

/** The sealed rows of one table, each identified by its tenant and a text. */
export type SealedRows = {
  /** Names the value in the log if it does not open. */
  readonly what: string
  readonly list: Statement<
    { tenantId: number; id: string; sealed: string },
    { afterTenant: number; afterId: string; limit: number }
  >
  /** Replaces only the old text, because a running service may change the row meanwhile. */
  readonly reseal: Statement<unknown, { tenantId: number; id: string; old: string; fresh: string }>
  /** Where a value is bound to, so that it opens there and nowhere else. */
  place(tenantId: number, id: string): Place
}

type SealedColumn = {
  readonly what: string
  readonly table: string
  /** The column that identifies a row of a tenant. */
  readonly id: string
  readonly column: string
  /** SQL that is true for the rows whose value is still needed. Unless set, all are. */
  readonly needed?: string
  /** Where the values are bound to, if they were sealed for another table or column and moved. */
  readonly boundTo?: Partial<Pick<Place, 'table' | 'column'>>
}

/** Declares the two statements that reseal a column of texts, `<name>_list` and `<name>`. */
export function sealedRows(name: string, { what, table, id, column, needed, boundTo }: SealedColumn): SealedRows {
  const condition = needed === undefined ? '' : ` and ${needed}`
  return {
    what,
    list: statement(
      `${name}_list`,
      `select tenant_id as "tenantId", ${id} as id, ${column} as sealed from ${table}
    where ${column} is not null${condition} and (tenant_id, ${id}) > ($afterTenant::int, $afterId::text)
    order by tenant_id, ${id}
    limit $limit::int`,
      { looks: 'a key rotation re-encrypts the rows of every tenant' },
    ),
    reseal: statement(
      name,
      `update ${table} set ${column} = $fresh::text
    where tenant_id = $tenantId::int and ${id} = $id::text and ${column} = $old::text`,
    ),
    place: (tenantId, row) => ({ table, column, tenantId, row, ...boundTo }),
  }
}

const PAGE = 200

/** Reseals each row with the current key. It is safe to repeat, and safe while the service runs. */
export async function resealRows(
  { db, keyring, log }: Pick<House, 'db' | 'keyring' | 'log'>,
  { what, list, reseal, place }: SealedRows,
): Promise<Resealed> {
  const count: Resealed = { resealed: 0, alreadyCurrent: 0, unreadable: 0 }
  for (let after = { afterTenant: 0, afterId: '' }; ; ) {
    const rows = await db.rows(list, { ...after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return count
    for (const { tenantId, id, sealed } of rows) {
      if (!keyring.needsReseal(sealed)) {
        count.alreadyCurrent++
        continue
      }
      try {
        const at = place(tenantId, id)
        await db.run(reseal, { tenantId, id, old: sealed, fresh: keyring.seal(keyring.open(sealed, at), at) })
        count.resealed++
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        count.unreadable++
        log.warn(
          { tenantId, what, reason: error.message },
          'A sealed value does not open and was left as it is. Set it again, or add the key that sealed it.',
        )
      }
    }
    after = { afterTenant: last.tenantId, afterId: last.id }
  }
}

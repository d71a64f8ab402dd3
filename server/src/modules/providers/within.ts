import type { Transaction } from '../../kernel/db/index.ts'
import type { Context, TenantAsking } from '../../tenancy/context/index.ts'

/**
 * The context of a business, inside of the provider's transaction: whatever a verb of another room writes is a part of it, and so
 * is a transaction that the verb would open.
 */
export function within(ctx: Omit<Context, 'asking'>, tx: Transaction, asking: TenantAsking): Context {
  const { rows, one, run } = tx
  return { ...ctx, db: { ...ctx.db, rows, one, run, transaction: (work) => work(tx) }, asking }
}

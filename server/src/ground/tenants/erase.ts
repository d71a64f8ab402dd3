import type { House } from '../context/index.ts'
import { announceErasure, entomb, erasures, lockForErasure } from './erase-queries.ts'

/** Leaves nothing of the tenant but an empty row with its id and the salted hash of its address. */
export async function eraseTenant({ db }: Pick<House, 'db'>, tenantId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.rows(lockForErasure, { tenantId })
    // The tombstone comes first. Once it commits, none of the tenant's keys work, so nothing is written behind the
    // erasure.
    if ((await tx.run(entomb, { tenantId })) === 0) return false
    await tx.rows(announceErasure, { tenantId: String(tenantId) })
    for (const erasure of erasures) await tx.run(erasure, { tenantId })
    return true
  })
}

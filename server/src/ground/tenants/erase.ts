import type { House } from '../context/index.ts'
import { announceErasure, entomb, erasures, lockForErasure } from './queries.ts'

/** Nothing of the tenant is left but an empty row with its id and the salted hash of its address. */
export async function eraseTenant({ db }: Pick<House, 'db'>, tenantId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.rows(lockForErasure, { tenantId })
    // The tombstone first: from its commit on no key of the tenant is taken, so nothing is written behind the broom.
    if ((await tx.run(entomb, { tenantId })) === 0) return false
    await tx.rows(announceErasure, { tenantId: String(tenantId) })
    for (const erasure of erasures) await tx.run(erasure, { tenantId })
    return true
  })
}

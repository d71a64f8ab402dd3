import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { noTenant } from '../access/index.ts'
import type { House } from '../context/index.ts'
import { announceErasure, entomb, erasures, lockForErasure } from './erase-queries.ts'

/** What must hold where somebody else than the tenant erases it: it throws otherwise. */
export type ErasureCheck = {
  /** Before the tenant is locked. */
  first(tx: Queries): Promise<unknown>
  /** Under the lock. */
  locked(tx: Queries): Promise<unknown>
}

/** Leaves nothing of the tenant but an empty row with its id and the salted hash of its address. */
export async function eraseTenant({ db }: Pick<House, 'db'>, tenantId: number, check?: ErasureCheck): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await check?.first(tx)
    await tx.rows(lockForErasure, { tenantId })
    await check?.locked(tx)
    // The tombstone comes first. Once it commits, none of the tenant's keys work, so nothing is written behind the
    // erasure.
    if ((await tx.run(entomb, { tenantId })) === 0) return false
    await announceErasure(tx, tenantId)
    for (const erasure of erasures) await tx.run(erasure, { tenantId })
    return true
  })
}

/** Deletes for ever, so the caller must spell out the name of the workspace. `where` says where the name is found. */
export async function eraseConfirmed(house: Pick<House, 'db'>, tenantId: number, isNamed: boolean, where: string) {
  const how = `To confirm, send its exact name${where} in \`confirm\`.`
  if (!isNamed) throw refuse('confirmation_required', `This deletes the workspace for ever. ${how}`)
  if (!(await eraseTenant(house, tenantId))) throw noTenant()
  return { deleted: true as const, tenantId }
}

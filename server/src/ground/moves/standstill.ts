import type { Database } from '../../foundation/db/index.ts'
import { MoveStopped } from './faults.ts'
import * as sql from './queries.ts'

/**
 * Work that goes through all databases, one after the other, and has to meet every tenant: one that moved meanwhile, from where the work
 * has not been to where it was already, would be missed. `guard` is a connection of its own to the first database.
 */
export async function whileNoneMoves<Result>(
  guard: Pick<Database, 'transaction'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return await guard.transaction(
    async (tx) => {
      if ((await tx.one(sql.takeTurn))?.taken !== true) {
        throw new MoveStopped('A tenant is being moved (npm run move-tenant). Run this again when that is over.')
      }
      const [begun] = await tx.rows(sql.listUnfinished, { tenantId: 0 })
      if (begun !== undefined) {
        const { tenantId, fromName, toName } = begun
        throw new MoveStopped(
          `A move of tenant ${tenantId} from "${fromName}" to "${toName}" was begun and has not ended. ` +
            'Finish it, or take it back with --cancel (npm run move-tenant), and run this again.',
        )
      }
      return await work()
    },
    { unlimited: true },
  )
}

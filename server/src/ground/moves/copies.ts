// In which databases a tenant is. It is in two where one of them was restored from a backup of before the tenant moved.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../foundation/db/index.ts'
import type { NamedDatabase } from '../shards/index.ts'
import { eraseTenant } from '../tenants/index.ts'
import { MoveStopped } from './faults.ts'
import * as sql from './queries.ts'
import { underLock } from './turn.ts'

type Held = { readonly databases: readonly [NamedDatabase, ...NamedDatabase[]]; readonly tenantId: number }

export async function holdersOf({ databases, tenantId }: Held): Promise<NamedDatabase[]> {
  const holding: NamedDatabase[] = []
  for (const one of databases) {
    const standing = await one.db.one(sql.readStanding, { tenantId })
    if (standing !== undefined && !standing.deleted) holding.push(one)
  }
  return holding
}

export async function refuseTwice(tenantId: number, holding: readonly NamedDatabase[]): Promise<never> {
  const told = await Promise.all(
    holding.map(async ({ name, db }) => {
      const newest = await db.one(sql.newestEvent, { tenantId })
      return `"${name}" (${newest === undefined ? 'with no event in its trail' : `its newest event is of ${newest.at}`})`
    }),
  )
  throw new MoveStopped(
    `Tenant ${tenantId} is in ${told.join(' and in ')}. One of them was restored from a backup of before it moved. ` +
      `Delete the older copy: npm run move-tenant -- --tenant ${tenantId} --drop-from NAME`,
  )
}

/** Deletes the copy of a tenant in one database, where another holds it as well. */
export async function dropCopy(
  move: Held & { readonly guard: Pick<Database, 'transaction'> },
  from: string,
): Promise<string> {
  const { databases, tenantId } = move
  return await underLock(move, async () => {
    const record = await databases[0].db.one(sql.settleMove, { tenantId })
    if (record !== undefined && record.state !== 'done')
      throw new MoveStopped(
        `A move of tenant ${tenantId} to "${record.toName}" has not ended. Run it again, which finishes it.`,
      )
    const holding = await holdersOf(move)
    const copy = holding.find(({ name }) => name === from)
    const [other] = holding.filter((one) => one !== copy)
    if (copy === undefined) throw new MoveStopped(`"${from}" does not hold tenant ${tenantId}. Nothing was deleted.`)
    if (other === undefined)
      throw new MoveStopped(`Only "${from}" holds tenant ${tenantId}, so this would delete it. Nothing was deleted.`)
    const runner = randomUUID()
    await eraseTenant(copy, tenantId, {
      first: (tx) => tx.rows(sql.silenceTriggers),
      async locked(tx) {
        await tx.run(sql.markClosing, { tenantId, runner })
        await tx.run(sql.markLeaving, { tenantId, runner })
        await tx.run(sql.markMoved, { tenantId, by: runner })
      },
    })
    return other.name
  })
}

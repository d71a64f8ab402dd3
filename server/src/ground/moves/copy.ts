// All tables of a tenant, from one database into another.
import type { Queries } from '../../foundation/db/index.ts'
import { COPIED, type Ends } from './checks.ts'
import { MoveStopped } from './faults.ts'
import { silently } from './fence.ts'
import * as sql from './queries.ts'
import { advanceSequences, type Copied, copyTable, type Sides, tableSql } from './table-copy.ts'

const AT_ONCE = 4

/** The row of a tenant is written like those of its tables. */
const writeTenant = tableSql({ name: 'tenants', columns: [], key: null, counted: [] }).write

export type Pass = { readonly rows: number; readonly written: number; readonly ms: number }

type Copying = Ends & { readonly tenantId: number; readonly runner: string; readonly signal: AbortSignal }

/** Goes once over everything. Where nobody writes meanwhile, both sides hold the same when it returns. */
export async function copyTables({ from, to, tenantId, runner, signal }: Copying): Promise<Pass> {
  const start = performance.now()
  const shapes = await from.db.rows(sql.readShapes, { names: COPIED })
  const write: Sides['write'] = (work) =>
    silently(to.db, async (tx) => {
      await holdPlace(tx, { tenantId, runner })
      await work(tx)
    })
  const sums: Copied[] = []
  const waiting = [...shapes]
  const worker = async () => {
    for (let shape = waiting.shift(); shape !== undefined; shape = waiting.shift()) {
      if (signal.aborted) throw new MoveStopped('The move was stopped.')
      sums.push(await copyTable({ from: from.db, to: to.db, write }, tableSql(shape), tenantId))
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  const total = (of: 'rows' | 'written') => sums.reduce((all, sum) => all + sum[of], 0)
  return { rows: total('rows'), written: total('written'), ms: performance.now() - start }
}

/** The tenant's own row, still marked, and what counts on from its rows. */
export async function copyTenant({ from, to, tenantId, runner }: Omit<Copying, 'signal'>): Promise<void> {
  const source = await from.db.one(sql.readFenced, { tenantId, runner })
  if (source === undefined) throw new MoveStopped('Another run of this command has lifted the fence.')
  await silently(to.db, async (tx) => {
    await holdPlace(tx, { tenantId, runner })
    await tx.run(sql.clearPlace, { tenantId, runner })
    await tx.run(writeTenant, { rows: [source.row] })
    await tx.run(sql.markArriving, { tenantId })
  })
  const [here, there] = await Promise.all([from, to].map(({ db }) => db.one(sql.sumTenant, { tenantId })))
  if (here?.sum !== there?.sum) throw new Error(`The row of tenant ${tenantId} is not the same in both databases.`)
  for (const shape of await to.db.rows(sql.readShapes, { names: COPIED })) {
    await advanceSequences(to.db, shape, tenantId)
  }
}

async function holdPlace(tx: Queries, place: { readonly tenantId: number; readonly runner: string }): Promise<void> {
  if ((await tx.one(sql.holdPlace, place)) === undefined)
    throw new MoveStopped('Another run of this command has taken over.')
}

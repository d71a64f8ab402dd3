import type { Context } from '../../tenancy/context/index.ts'
import { type Period, periodOf } from '../../tenancy/usage/index.ts'
import * as sql from './queries.ts'

type UsageInput = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly after: number
  readonly limit: number
}

const DAY = 86_400_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Kept by UTC day, so that a day that a time lies in counts whole. */
function wholeDays({ from, to }: Period): { from: string; to: string } {
  return { from: dayOf(from.getTime()), to: dayOf(Math.ceil(to.getTime() / DAY) * DAY) }
}

export async function readUsage({ db, asking, clock }: Context, { after, limit, ...asked }: UsageInput) {
  const days = wholeDays(periodOf(asked, clock.now()))
  const { tenantId } = asking
  const [rows, totals] = await Promise.all([
    db.rows(sql.listUsage, { providerId: tenantId, ...days, after, limit: limit + 1 }),
    db.one(sql.usageTotals, { tenantId, ...days }),
  ])
  if (totals === undefined) throw new Error('Sums without a group have one row.')
  const tenants = rows.slice(0, limit)
  const nextAfter = rows.length > limit ? (tenants.at(-1)?.tenantId ?? null) : null
  return {
    from: `${days.from}T00:00:00.000Z`,
    to: `${days.to}T00:00:00.000Z`,
    totals,
    tenants,
    count: tenants.length,
    nextAfter,
  }
}

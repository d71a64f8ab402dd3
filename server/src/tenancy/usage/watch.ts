import type { House } from '../context/index.ts'
import { periodsOf } from './periods.ts'
import { listSpenders } from './queries.ts'

type WatchHouse = Pick<House, 'db' | 'clock' | 'log' | 'settings'>

/**
 * Logs for the operator which tenants cost more this month than intended, once for each mark that they pass, as far as
 * this process knows.
 */
export function openSpendingWatch({ db, clock, log, settings }: WatchHouse): () => Promise<number> {
  const { orgMonthlyTargetUsd, orgMonthlyWarnUsd, orgMonthlyReviewUsd } = settings.ai.budget
  const marks = [
    { mark: 'target', usd: orgMonthlyTargetUsd },
    { mark: 'warn', usd: orgMonthlyWarnUsd },
    { mark: 'review', usd: orgMonthlyReviewUsd },
  ].filter(({ usd }) => usd > 0)
  let [month, reported] = ['', new Set<string>()]
  return async () => {
    if (marks.length === 0) return 0
    const now = periodsOf(clock.now()).month
    if (now !== month) [month, reported] = [now, new Set()]
    const spenders = await db.rows(listSpenders, { month, atLeast: Math.min(...marks.map(({ usd }) => usd)) })
    let count = 0
    for (const { tenantId, spentUsd } of spenders) {
      for (const { mark, usd } of marks) {
        const line = `${tenantId} ${mark}`
        if (spentUsd < usd || reported.has(line)) continue
        reported.add(line)
        log.warn({ tenantId, month, spentUsd, mark, markUsd: usd }, 'A tenant costs more this month than intended.')
        count++
      }
    }
    return count
  }
}

import { newUuid } from '../../../foundation/ids/index.ts'
import { costOf, usdText } from '../../../foundation/model/index.ts'
import type { Context } from '../../../ground/context/index.ts'
import { type Ledger, leastOf, reserve } from '../../../ground/usage/index.ts'
import type { ChosenModel, Spending } from '../turn/ports.ts'
import { planTerms } from './plan-terms.ts'

/** A ledger holds whole numbers of tokens, whatever a provider reports. */
const whole = (tokens: number): number => (Number.isFinite(tokens) ? Math.max(0, Math.round(tokens)) : 0)

type For = { readonly requestId: string; readonly model: ChosenModel; readonly purpose: 'turn' | 'summary' }

/**
 * Reserves and settles a turn's spending under the lowest ceiling: the tenant's own, its plan's or the deployment's.
 */
export function spendingOf(ctx: Context, ledger: Ledger, { requestId, model, purpose }: For): Spending {
  const { asking, settings, clock } = ctx
  const { budget } = settings.ai
  const plan = planTerms(settings, asking.plan)
  const { terms, tenantId } = asking
  // A round that runs beside another one of its sandbox cannot spend what that one has reserved.
  const most = asking.kind === 'sandbox' ? [settings.previewSandbox.sandboxBudgetUsd] : []
  return {
    reserve: (estimate) =>
      reserve(ctx, {
        tenantId,
        amountUsd: usdText(costOf(estimate, model.price)),
        own: {
          daily: leastOf(terms.dailyCapUsd, plan.dailyCapUsd, budget.orgDailyCapUsd, ...most),
          monthly: leastOf(terms.monthlyCapUsd, plan.monthlyCapUsd, budget.orgMonthlyCapUsd, ...most),
        },
        everybody: {
          daily: leastOf(null, budget.globalDailyCapUsd),
          monthly: leastOf(null, budget.globalMonthlyCapUsd),
        },
      }),
    settle({ holdId, usage }) {
      const inputTokens = whole(usage.inputTokens)
      const outputTokens = whole(usage.outputTokens)
      const row = {
        tenantId,
        usageId: newUuid(clock.now()),
        at: new Date(clock.now()).toISOString(),
        requestId,
        purpose,
        model: model.name,
        inputTokens,
        outputTokens,
        costUsd: usdText(costOf({ inputTokens, outputTokens }, model.price)),
        holdId,
      }
      ledger.add({ kind: 'usage', row })
    },
  }
}

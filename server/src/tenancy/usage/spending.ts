import { newUuid } from '../../kernel/ids/index.ts'
import { costOf, type ModelUsage, type Price, usdText } from '../../kernel/model/index.ts'
import type { Context, House } from '../context/index.ts'
import { leastOf, type Reserved, reserve } from './budget.ts'
import type { Ledger } from './ledger.ts'
import { planTerms } from './plan-terms.ts'

/** Reserved before a model is asked, and settled after it. Settling never waits, and its rows are never lost. */
export type Spending = {
  reserve(estimate: ModelUsage): Promise<Reserved>
  settle(round: { readonly holdId: string | null; readonly usage: ModelUsage }): void
}

/** Whose money it is: the caps of the operator for this tenant, and its plan. */
export type Spender = {
  readonly tenantId: number
  readonly plan: string
  /** With which key it asks; a document is embedded with none. */
  readonly kind?: Context['asking']['kind']
  readonly terms: Pick<Context['asking']['terms'], 'dailyCapUsd' | 'monthlyCapUsd'>
}

type For = {
  readonly requestId: string
  readonly model: { readonly name: string; readonly price: Price }
  readonly purpose: 'turn' | 'trial' | 'summary' | 'question' | 'documents'
}

/** A ledger holds whole numbers of tokens, whatever a provider reports. */
const whole = (tokens: number): number => (Number.isFinite(tokens) ? Math.max(0, Math.round(tokens)) : 0)

/** The lowest ceiling that concerns this tenant alone: its own, its plan's or the one of every tenant. */
export function ownCeilings(settings: House['settings'], { kind, plan: name, terms }: Spender) {
  const { budget } = settings.ai
  const plan = planTerms(settings, name)
  // A round that runs beside another one of its sandbox cannot spend what that one has reserved.
  const most = kind === 'sandbox' ? [settings.previewSandbox.sandboxBudgetUsd] : []
  return {
    daily: leastOf(terms.dailyCapUsd, plan.dailyCapUsd, budget.orgDailyCapUsd, ...most),
    monthly: leastOf(terms.monthlyCapUsd, plan.monthlyCapUsd, budget.orgMonthlyCapUsd, ...most),
  }
}

/** Reserves and settles under the lowest ceiling: the tenant's own, its plan's or the deployment's. */
export function spendingOf(
  house: Pick<House, 'db' | 'clock' | 'settings'> & { readonly asking: Spender },
  ledger: Ledger,
  { requestId, model, purpose }: For,
): Spending {
  const { asking, settings, clock } = house
  const { budget } = settings.ai
  const { tenantId } = asking
  return {
    reserve: (estimate) =>
      reserve(house, {
        tenantId,
        amountUsd: usdText(costOf(estimate, model.price)),
        own: ownCeilings(settings, asking),
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

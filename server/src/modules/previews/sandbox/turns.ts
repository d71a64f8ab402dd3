import { refuse } from '../../../kernel/http/index.ts'
import type { Context, House } from '../../../tenancy/context/index.ts'
import { sandboxSpend } from '../../../tenancy/usage/index.ts'
import * as sql from './queries.ts'
import { expired, findSandbox } from './status.ts'

/** Refuses a question to a sandbox that cannot answer any. */
export const checkSandbox = (ctx: Context): Promise<void> => checkReady(ctx, ctx.asking.tenantId)

export async function checkReady(house: Pick<House, 'db'>, tenantId: number): Promise<void> {
  const { isOver, isLapsed, state } = await findSandbox(house, tenantId)
  if (isOver) throw expired()
  if (state === 'ready') return
  const isReading = state === 'crawling' && !isLapsed
  throw refuse(
    'sandbox_not_ready',
    isReading
      ? 'The site is still being read. GET /v1/preview/sandbox says when it is ready.'
      : 'Nothing on the site could be read, so there is nothing to answer from. Open another sandbox.',
  )
}

/** Takes one question of those that the sandbox may be asked, before a model is called. */
export async function admitTurn(ctx: Context): Promise<void> {
  const { tenantId } = ctx.asking
  const { sandboxBudgetUsd, dailyBudgetUsd, maxTurnsPerSandbox: most } = ctx.settings.previewSandbox
  const { ownUsd, todayUsd } = await sandboxSpend(ctx, tenantId)
  if (ownUsd >= sandboxBudgetUsd) throw exhausted('sandbox_limit')
  if (todayUsd >= dailyBudgetUsd) throw exhausted('daily_limit')
  if ((await ctx.db.one(sql.takeQuestion, { tenantId, most })) !== undefined) return
  await checkSandbox(ctx)
  throw exhausted('sandbox_limit')
}

const WORDS = {
  sandbox_limit: 'This sandbox has answered as much as it may. Keep it as a workspace to go on.',
  daily_limit:
    'The sandboxes of this deployment have answered as much as they may today. Come back tomorrow, or keep this one as a workspace.',
} as const

const exhausted = (reason: keyof typeof WORDS) => refuse('sandbox_budget_exhausted', WORDS[reason], { reason })

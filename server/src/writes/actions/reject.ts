import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { mayReject, recordTried } from '../approvals/index.ts'
import { barred, type Conclusion, concluded, type Decided } from './conclusion.ts'
import { actionMeant, closedAs, loadAction, notFound } from './confirm/lookup.ts'
import { reject as rejectAction } from './deciding-queries.ts'
import type { ActionRow } from './queries.ts'

type RejectInput = {
  readonly actionId: string
  readonly reason: string | null
  /** True if the reason is also for the visitor whose conversation proposed it. */
  readonly tellVisitor?: boolean
  readonly source: string
}

/** A no is always allowed: it takes no role, only somebody who may speak at all. */
export async function reject(
  ctx: Context,
  { actionId: given, reason, tellVisitor = false, source }: RejectInput,
): Promise<Decided> {
  const actionId = actionMeant(ctx, given)
  const judged = await mayReject(ctx, actionId)
  await recordTried(ctx, judged.tried, actionId, 'reject')
  if (!judged.ok) return { actionId: given, conclusion: barred(judged), action: null }
  const { userId, personId } = judged
  const ending = { tenantId: ctx.asking.tenantId, actionId, userId, personId, source, eventId: newId('evt') }
  await ctx.db.one(rejectAction, { ...ending, reason, tellVisitor })
  const action = await loadAction(ctx, actionId, source)
  if (action === undefined) return { actionId: given, conclusion: notFound(), action: null }
  return { actionId, conclusion: rejectionFrom(action), action }
}

/** Follows from the action as it now stands: a second no is a no, and a write that has run cannot be rejected. */
export function rejectionFrom(action: ActionRow): Conclusion {
  if (action.state === 'rejected') return concluded('Rejected', 'action_rejected', null)
  if (action.state !== 'executing') return closedAs(action) ?? notFound()
  return concluded(
    'Conflict',
    'ACTION_ALREADY_IN_PROGRESS',
    'Somebody confirmed this action a moment ago, and it is running.',
  )
}

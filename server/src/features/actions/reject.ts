import type { Answer } from '../../foundation/http/index.ts'
import { newId } from '../../foundation/ids/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { approverOf, judgeRejecter, loadApproval } from '../approvals/index.ts'
import { confirmAnswer, type Said } from './answers.ts'
import { confirmer } from './confirm.ts'
import * as sql from './queries.ts'
import { expireDue } from './sweep-queries.ts'

export type RejectInput = { readonly actionId: string; readonly reason: string | null; readonly source: string }

/** A no is always allowed: it needs no role, only somebody who may speak at all. */
export async function rejectAction(ctx: Context, { actionId, reason, source }: RejectInput): Promise<Answer> {
  const { db, asking } = ctx
  const loaded = await loadApproval(ctx, { actionId, approverUserId: confirmer(ctx) })
  const judged = judgeRejecter({ ...loaded, approver: approverOf(asking) })
  if (!judged.ok) {
    const errorCode = judged.status === 'ApproverUnknown' ? 'approver_unknown' : 'approver_forbidden'
    return confirmAnswer(actionId, null, { status: judged.status, errorCode, errorMessage: judged.message })
  }
  await db.one(sql.reject, {
    tenantId: asking.tenantId,
    actionId,
    userId: judged.userId,
    source,
    eventId: newId('evt'),
    reason,
  })
  const row = await db.one(sql.findAction, { tenantId: asking.tenantId, actionId })
  if (row?.state === 'pending' && row.late)
    await db.one(expireDue, { tenantId: asking.tenantId, ids: [actionId], source })
  return confirmAnswer(actionId, row ?? null, saidOf(row))
}

/** By what stands now: a second no is a no, and what was run meanwhile cannot be rejected. */
function saidOf(row: sql.ActionRow | undefined): Said {
  if (row?.state === 'rejected') return { status: 'Rejected', errorCode: 'action_rejected' }
  if (row?.state === 'expired' || (row?.state === 'pending' && row.late)) {
    return {
      status: 'Expired',
      errorCode: 'action_expired',
      errorMessage: 'The time to decide this action has passed.',
    }
  }
  if (row?.state === 'executing') {
    return {
      status: 'Conflict',
      errorCode: 'ACTION_ALREADY_IN_PROGRESS',
      errorMessage: 'Somebody confirmed this action a moment ago.',
    }
  }
  return {
    status: 'NotFound',
    errorCode: 'PENDING_ACTION_NOT_FOUND',
    errorMessage: 'There is no pending action with this id.',
  }
}

import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { patiently } from '../../tenancy/jobs/index.ts'
import { type Conclusion, concluded, executed } from './conclusion.ts'
import type { Claim } from './confirm/claim.ts'
import { settledElsewhere, VERIFY_BELIEVED_SECONDS } from './confirm/execution.ts'
import type { Execution } from './confirm/handler.ts'
import { fail, succeed } from './settle-queries.ts'

/** What a person found out about a write that nobody may send again. */
export type Said = { readonly performed: boolean; readonly note: string | null }

/** Settles the action by a person's word, which stands in the trail under their name. Nothing is sent. */
export async function sayOutcome(ctx: Context, execution: Execution, said: Said, claim: Claim): Promise<Conclusion> {
  const { db, asking } = ctx
  const { action, tool, userId, personId, source } = execution
  const { claimToken, reconcileToken } = claim
  const at = { tenantId: asking.tenantId, actionId: action.actionId, claimToken }
  const by = { userId, personId, source, eventId: newId('evt'), note: said.note }
  if (said.performed) {
    const verifySeconds = tool.verify === null ? null : VERIFY_BELIEVED_SECONDS
    const settled = await patiently(ctx, () => db.one(succeed, { ...at, ...by, result: null, verifySeconds }))
    return settled === undefined ? await settledElsewhere(ctx, action) : executed
  }
  const message = `A person found out that this write was not performed.${said.note === null ? '' : ` ${said.note}`}`
  const errorCode = 'EXECUTION_FAILED'
  const record = () => db.one(fail, { ...at, ...by, errorCode, message, refused: false, reconcileToken })
  const settled = await patiently(ctx, record)
  return settled === undefined ? await settledElsewhere(ctx, action) : concluded('FailedTerminal', errorCode, message)
}

import { CONFIRM_STATUSES, type CodeUnder } from '@tether/contract'
import { newId } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { patiently } from '../../../tenancy/jobs/index.ts'
import type { WriteResult } from '../../../tools/calls/index.ts'
import { type Conclusion, concluded, executed } from '../conclusion.ts'
import { type ActionRow, findAction } from '../queries.ts'
import type { ActionRooms } from '../rooms.ts'
import { exhaust, fail, loseContact, release, succeed } from '../settle-queries.ts'
import type { Claim } from './claim.ts'
import { causedBy, type Execution, onBehalfOfAction } from './handler.ts'

const MOST_ATTEMPTS = 3
// After this long the process that should have read the effect back is taken to be gone.
export const VERIFY_BELIEVED_SECONDS = 30

/** Step 8. Sends the write, once, and records what became of it. */
export async function execute(
  ctx: Context,
  { calls, faults }: Pick<ActionRooms, 'calls' | 'faults'>,
  execution: Execution,
  claim: Claim,
): Promise<Conclusion> {
  const { action, tool, arguments: given, destination } = execution
  const { actionId, sessionId, idempotencyKey } = action
  await faults.at('before_send')
  const result = await calls.execute(ctx, {
    tool,
    arguments: given,
    idempotencyKey,
    actionId,
    sessionId,
    sentTo: destination.base,
    onBehalf: onBehalfOfAction(execution),
  })
  await faults.at('before_outcome')
  const conclusion = await settleExecution(ctx, execution, result, claim)
  await faults.at('after_outcome')
  return conclusion
}

/** Records the result under the claim that it belongs to. Where another party settled the action meanwhile, theirs is the answer. */
async function settleExecution(
  ctx: Context,
  execution: Execution,
  result: WriteResult,
  claim: Claim,
): Promise<Conclusion> {
  const { conclusion, record } = settlementOf(ctx, execution, result, claim)
  const recorded = await patiently(ctx, record)
  return recorded === undefined ? await settledElsewhere(ctx, execution.action) : conclusion
}

/** What a result comes to, and the one statement that records it. */
type SettlePlan = {
  readonly conclusion: Conclusion
  readonly record: () => Promise<{ actionId: string } | undefined>
}

function settlementOf(ctx: Context, execution: Execution, result: WriteResult, claim: Claim): SettlePlan {
  const { db } = ctx
  const { action, tool } = execution
  const at = { tenantId: ctx.asking.tenantId, actionId: action.actionId, claimToken: claim.claimToken }
  const by = { ...causedBy(execution), eventId: newId('evt') }
  const { reconcileToken } = claim
  switch (result.kind) {
    case 'executed': {
      const verifySeconds = tool.verify === null ? null : VERIFY_BELIEVED_SECONDS
      return {
        conclusion: executed,
        record: () => db.one(succeed, { ...at, ...by, result: result.body, verifySeconds, note: null }),
      }
    }
    case 'failed': {
      const { code: errorCode, message } = result
      // A reconcile that was not sent knows no more than before: the first request may have been performed.
      if (reconcileToken !== null && result.httpStatus === null) return contactLost(ctx, execution, message, claim)
      return {
        conclusion: concluded('FailedTerminal', errorCode, message),
        record: () => db.one(fail, { ...at, ...by, errorCode, message, refused: false, reconcileToken, note: null }),
      }
    }
    case 'refused': {
      const { message } = result
      return {
        conclusion: concluded('ProviderRefused', 'provider_refused', message),
        record: () =>
          db.one(fail, {
            ...at,
            ...by,
            errorCode: 'provider_refused',
            message,
            refused: true,
            reconcileToken,
            note: null,
          }),
      }
    }
    case 'retryable':
      return notApplied(ctx, execution, result.message, claim)
    case 'indeterminate':
      return contactLost(ctx, execution, result.message, claim)
  }
}

/** The action is pending again, until its attempts are spent. One staged without an address matches no later address. */
function notApplied(ctx: Context, execution: Execution, message: string, claim: Claim): SettlePlan {
  const { claimToken, reconcileToken, attempts } = claim
  // A reconcile that is told to come back knows no more than before: the first request may have been performed.
  if (claimToken === null || reconcileToken !== null) return contactLost(ctx, execution, message, claim)
  const { action } = execution
  const at = { tenantId: ctx.asking.tenantId, actionId: action.actionId, claimToken }
  if (attempts < MOST_ATTEMPTS) {
    const next = action.stagedFor === null ? 'Stage it again afterwards.' : 'It can be confirmed again.'
    return {
      conclusion: concluded('FailedRetryable', 'EXECUTION_FAILED_RETRYABLE', `${message} ${next}`),
      record: () => ctx.db.one(release, { ...at, message }),
    }
  }
  const last = `${message} That was the third and last attempt: stage it again if it is still wanted.`
  return {
    conclusion: concluded('FailedTerminal', 'EXECUTION_ATTEMPTS_EXHAUSTED', last),
    record: () => ctx.db.one(exhaust, { ...at, ...causedBy(execution), message: last }),
  }
}

function contactLost(
  ctx: Context,
  { action: { actionId } }: Execution,
  message: string,
  { claimToken, reconcileToken }: Claim,
): SettlePlan {
  const at = { tenantId: ctx.asking.tenantId, actionId, claimToken }
  return {
    conclusion: unknown(message),
    record: () => ctx.db.one(loseContact, { ...at, message, reconcileToken }),
  }
}

const unknown = (message: string): Conclusion => concluded('Indeterminate', 'EXECUTION_INDETERMINATE', message)

/** A sweep, a reconcile or a late confirm settled the action first: the answer is what they recorded. */
export async function settledElsewhere(ctx: Context, { actionId }: ActionRow): Promise<Conclusion> {
  const action = await ctx.db.one(findAction, { tenantId: ctx.asking.tenantId, actionId })
  if (action?.state === 'executed') return executed
  if (action?.state === 'failed') return failedAs(action)
  return unknown(action?.errorMessage ?? 'It is not known what became of this write.')
}

function failedAs(action: ActionRow): Conclusion {
  const message = action.errorMessage ?? ''
  return action.errorCode === 'provider_refused'
    ? concluded('ProviderRefused', 'provider_refused', message)
    : concluded('FailedTerminal', terminalCode(action), message)
}

// The keys of a table that the contract closes.
const TERMINAL_CODES = Object.keys(CONFIRM_STATUSES.FailedTerminal.codes) as CodeUnder<'FailedTerminal'>[]

const terminalCode = ({ errorCode }: ActionRow): CodeUnder<'FailedTerminal'> =>
  TERMINAL_CODES.find((code) => code === errorCode) ?? 'EXECUTION_FAILED'

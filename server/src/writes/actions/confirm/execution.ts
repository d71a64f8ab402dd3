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
const VERIFY_BELIEVED_SECONDS = 30

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
    onBehalf: onBehalfOfAction(ctx, action, execution.userId),
  })
  await faults.at('before_outcome')
  const conclusion = await settleResult(ctx, execution, result, claim)
  await faults.at('after_outcome')
  return conclusion
}

/** Records the result under the claim that it belongs to, in one statement. */
async function settleResult(
  ctx: Context,
  execution: Execution,
  result: WriteResult,
  claim: Claim,
): Promise<Conclusion> {
  if (result.kind === 'executed')
    return await settleExecuted(ctx, execution, claim, { result: result.body, note: null })
  const { db, asking } = ctx
  const { action } = execution
  const { message } = result
  const { claimToken, reconcileToken, attempts } = claim
  if (result.kind === 'refused')
    return await settleFailed(ctx, execution, claim, { errorCode: 'provider_refused', message, note: null })
  if (result.kind === 'failed' && (reconcileToken === null || result.httpStatus !== null))
    return await settleFailed(ctx, execution, claim, { errorCode: result.code, message, note: null })
  const at = { tenantId: asking.tenantId, actionId: action.actionId, claimToken }
  // A reconcile that was not sent, or is told to come back, knows no more than before: the first request may have been performed.
  if (result.kind !== 'retryable' || claimToken === null || reconcileToken !== null)
    return await settle(ctx, action, unknown(message), () => db.one(loseContact, { ...at, message, reconcileToken }))
  const held = { ...at, claimToken }
  // The action is pending again, until its attempts are spent. One staged without an address matches no later address.
  if (attempts < MOST_ATTEMPTS) {
    const next = action.stagedFor === null ? 'Stage it again afterwards.' : 'It can be confirmed again.'
    const retryable = concluded('FailedRetryable', 'EXECUTION_FAILED_RETRYABLE', `${message} ${next}`)
    return await settle(ctx, action, retryable, () => db.one(release, { ...held, message }))
  }
  const last = `${message} That was the third and last attempt: stage it again if it is still wanted.`
  const exhausted = concluded('FailedTerminal', 'EXECUTION_ATTEMPTS_EXHAUSTED', last)
  const ending = { ...held, ...causedBy(execution), message: last }
  return await settle(ctx, action, exhausted, () => db.one(exhaust, ending))
}

/** `result` is null and `note` may be set where a person says that the write was performed. */
export async function settleExecuted(
  ctx: Context,
  execution: Execution,
  { claimToken }: Claim,
  outcome: { readonly result: Buffer | null; readonly note: string | null },
): Promise<Conclusion> {
  const { action, tool } = execution
  const at = { tenantId: ctx.asking.tenantId, actionId: action.actionId, claimToken, eventId: newId('evt') }
  const verifySeconds = tool.verify === null ? null : VERIFY_BELIEVED_SECONDS
  const ending = { ...at, ...causedBy(execution), ...outcome, verifySeconds }
  return await settle(ctx, action, executed, () => ctx.db.one(succeed, ending))
}

type Failure = { readonly errorCode: FailureCode; readonly message: string; readonly note: string | null }
type FailureCode = CodeUnder<'FailedTerminal'> | 'provider_refused'

export async function settleFailed(
  ctx: Context,
  execution: Execution,
  { claimToken, reconcileToken }: Claim,
  failure: Failure,
): Promise<Conclusion> {
  const { action } = execution
  const { errorCode, message } = failure
  const at = { tenantId: ctx.asking.tenantId, actionId: action.actionId, claimToken, reconcileToken }
  const ending = { ...at, ...causedBy(execution), ...failure, eventId: newId('evt') }
  const record = () => ctx.db.one(fail, { ...ending, refused: errorCode === 'provider_refused' })
  return await settle(ctx, action, failedAs(errorCode, message), record)
}

/** Where a sweep, a reconcile or a late confirm settled the action first, the conclusion is what they recorded. */
async function settle(
  ctx: Context,
  { actionId }: ActionRow,
  conclusion: Conclusion,
  record: () => Promise<{ actionId: string } | undefined>,
): Promise<Conclusion> {
  if ((await patiently(ctx, record)) !== undefined) return conclusion
  const now = await ctx.db.one(findAction, { tenantId: ctx.asking.tenantId, actionId })
  if (now?.state === 'executed') return executed
  if (now?.state !== 'failed') return unknown(now?.errorMessage ?? 'It is not known what became of this write.')
  const errorCode = FAILURE_CODES.find((code) => code === now.errorCode) ?? 'EXECUTION_FAILED'
  return failedAs(errorCode, now.errorMessage ?? '')
}

const unknown = (message: string): Conclusion => concluded('Indeterminate', 'EXECUTION_INDETERMINATE', message)

const failedAs = (errorCode: FailureCode, message: string): Conclusion =>
  errorCode === 'provider_refused'
    ? concluded('ProviderRefused', errorCode, message)
    : concluded('FailedTerminal', errorCode, message)

// The keys of a table that the contract closes.
const FAILURE_CODES = ['provider_refused', ...Object.keys(CONFIRM_STATUSES.FailedTerminal.codes)] as FailureCode[]

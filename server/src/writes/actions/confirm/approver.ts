import { newId } from '../../../kernel/ids/index.ts'
import { compareNumbers, isNumber, type JsonObject, parseJson } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import type { Tool } from '../../../tools/catalog/index.ts'
import {
  type Approves,
  type Barred,
  type JudgedAction,
  mayApprove,
  readValue,
  recordTried,
  sizeOf,
  type Tried,
} from '../../approvals/index.ts'
import { strictest } from '../../writes/index.ts'
import { barred, type Conclusion } from '../conclusion.ts'
import { type ActionRow, recordApproval } from '../queries.ts'
import { causedBy, type Execution } from './handler.ts'
import { inProgress } from './lookup.ts'

/** Step 3 judges the action as it was staged and as its tool declares it now: whatever is stricter of the two. */
type Judged = JudgedAction & { readonly actionId: string }

/** By whose authority an action may run. After the policy or one of its people has changed, no claim is granted on it. */
export type Authority = {
  readonly judged: Judged
  /** The person whom the first judgement found: the userId that the request states may be another person's since. */
  readonly personId: number
  readonly underPolicy: boolean
  readonly policyVersion: number
}

export const judgedAction = (action: ActionRow, tool: Tool | undefined, given: JsonObject): Judged => ({
  actionId: action.actionId,
  tool: action.tool,
  domain: tool?.domain ?? action.domain,
  stagedDomain: action.domain,
  risk: tool === undefined ? action.risk : strictest(action.risk, tool.risk),
  value: stricterValue(readValue(tool?.valueFrom ?? null, given), stagedValue(action)),
  requesters: [requesterOf(action), ...action.earlierRequesters],
  payloadHash: action.payloadHash,
  subject: action.subject,
})

const requesterOf = ({ requestedByUserId: userId, requestedByPersonId: personId }: ActionRow): number =>
  personId === null || personId === 0 ? userId : -personId

/** A tool that names another argument, or none, takes nothing from the value that the action was staged with. */
function stricterValue(now: JudgedAction['value'], staged: JudgedAction['value']): JudgedAction['value'] {
  if (now === 'unreadable' || !isNumber(staged)) return now
  return now === null || compareNumbers(sizeOf(now), sizeOf(staged)) < 0 ? staged : now
}

/** Kept as the number that it was written as. */
function stagedValue({ value }: ActionRow): JudgedAction['value'] {
  const number = value === null ? null : parseJson(value)
  return isNumber(number) ? number : null
}

/**
 * The other half of step 3, after the guard, so that a yes without its acknowledgement leaves nothing behind. Each person's yes
 * is recorded once. Under a policy the action waits until there are enough. Null if the confirm may go on.
 */
export async function holdForApprovers(
  ctx: Context,
  execution: Execution,
  authority: Authority,
  tried: Tried | null,
): Promise<Conclusion | null> {
  const { tenantId } = ctx.asking
  const { underPolicy } = authority
  const { action } = execution
  const { actionId, payloadHash } = action
  const eventId = newId('evt')
  await ctx.db.one(recordApproval, { tenantId, actionId, ...causedBy(execution), payloadHash, underPolicy, eventId })
  if (action.state === 'executing') return inProgress()
  if (!underPolicy) {
    await recordTried(ctx, tried, actionId, 'confirm')
    return null
  }
  // Counted after this yes is recorded: when two come at once, the later one sees both.
  const counted = await mayApprove(ctx, authority.judged, authority.personId)
  await recordTried(ctx, counted.tried, actionId, 'confirm')
  return missingApprovals(counted)
}

/** Null once enough approvals count. */
export function missingApprovals(counted: Approves | Barred): Conclusion | null {
  if (!counted.ok) return barred(counted)
  const { required, received } = counted
  if (received >= required) return null
  return {
    status: 'AwaitingApprovers',
    errorCode: 'awaiting_approvers',
    message: `${received} of ${required} people have approved this. It runs when the last of them does.`,
    approvers: { required, received },
  }
}

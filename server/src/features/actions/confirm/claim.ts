import { randomUUID } from 'node:crypto'
import type { Context } from '../../../ground/context/index.ts'
import { mayApprove } from '../../approvals/index.ts'
import { type Conclusion, concluded } from '../conclusion.ts'
import type { Faults } from '../fault-points.ts'
import { findAction } from '../queries.ts'
import { beginReconcile, claimAction, markSuperseded } from '../settle-queries.ts'
import { type Authority, countApprovals } from './approver.ts'
import type { Execution } from './handler.ts'
import { closedAs, expireIfLate, inProgress, notFound } from './lookup.ts'

/** Under what an outcome is written: the claim that it belongs to, and, in a reconcile, who is asking again. */
export type Claim = {
  readonly claimToken: string | null
  readonly reconcileToken: string | null
  readonly attempts: number
}

/** Step 7. Takes the right to execute: one claim wins. Undefined for the others, and when what was judged has changed since. */
export async function claim(
  ctx: Context,
  faults: Faults,
  { action: { actionId, payloadHash }, userId }: Execution,
  { policyVersion, people }: Authority,
): Promise<Claim | undefined> {
  await faults.at('before_claim')
  const claimToken = randomUUID()
  const claimed = await ctx.db.one(claimAction, {
    tenantId: ctx.asking.tenantId,
    actionId,
    claimToken,
    leaseSeconds: leaseSeconds(ctx),
    userId,
    payloadHash,
    policyVersion,
    approverIds: people.map((person) => person.userId),
    roles: people.map(({ role }) => role),
  })
  if (claimed === undefined) return undefined
  await faults.at('after_claim')
  return { claimToken, reconcileToken: null, attempts: claimed.attempts }
}

/** Takes the right to ask again. Undefined while another reconcile has it, and once the outcome is known. */
export async function claimAgain(ctx: Context, faults: Faults, { action }: Execution): Promise<Claim | undefined> {
  await faults.at('before_claim')
  const reconcileToken = randomUUID()
  const { actionId, claimToken, attempts } = action
  const claimed = await ctx.db.one(beginReconcile, {
    tenantId: ctx.asking.tenantId,
    actionId,
    reconcileToken,
    leaseSeconds: leaseSeconds(ctx),
  })
  if (claimed === undefined) return undefined
  await faults.at('after_claim')
  return { claimToken, reconcileToken, attempts }
}

const leaseSeconds = ({ settings: { ai, toolTransport } }: Context): number =>
  ai.approvals.executionLeaseSeconds || toolTransport.timeoutSeconds + 10

/**
 * Another confirm won the claim, or the policy has changed since this one was judged. The answer follows from the action as
 * it now stands.
 */
export async function lostClaim(ctx: Context, execution: Execution, authority: Authority): Promise<Conclusion> {
  const { action, userId, source } = execution
  const at = { tenantId: ctx.asking.tenantId, actionId: action.actionId }
  await ctx.db.run(markSuperseded, { ...at, userId, source })
  const found = await ctx.db.one(findAction, at)
  if (found === undefined) return notFound()
  const now = await expireIfLate(ctx, found, source)
  const closed = closedAs(now)
  const overruled = closed === null && now.state === 'pending' ? await noLongerAuthorized(ctx, authority) : null
  // The loser of a race hears that it lost, even when the winner is done by now, or was told to come back.
  return overruled ?? (closed === null || now.state === 'executed' ? inProgress() : closed)
}

/** Why the authority that this confirm was judged to have no longer carries it; null while it does. */
async function noLongerAuthorized(ctx: Context, authority: Authority): Promise<Conclusion | null> {
  const { policyVersion } = await mayApprove(ctx, authority.judged)
  if (policyVersion !== authority.policyVersion) {
    return concluded(
      'Conflict',
      'CONFLICT',
      'The approval policy changed while this was being decided. Nothing was run; confirm again.',
    )
  }
  const counted = authority.underPolicy ? await countApprovals(ctx, authority) : null
  return counted !== null && 'status' in counted ? counted : null
}

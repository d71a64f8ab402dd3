import { randomUUID } from 'node:crypto'
import { askingRows } from '../../../tenancy/access/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { mayApprove } from '../../approvals/index.ts'
import { type Conclusion, concluded } from '../conclusion.ts'
import { beginReconcile, claimAction, findMoved, type Standing } from '../deciding-queries.ts'
import type { ActionRooms } from '../rooms.ts'
import { markSuperseded } from '../settle-queries.ts'
import { type Authority, missingApprovals } from './approver.ts'
import { causedBy, type Execution } from './handler.ts'
import { closedAs, inProgress, loadAction, notFound } from './lookup.ts'

/** Under what an outcome is written: the claim that it belongs to, and, in a reconcile, who is asking again. */
export type Claim = {
  readonly claimToken: string | null
  readonly reconcileToken: string | null
  readonly attempts: number
}

/** What this caller's decision rests on. */
export const standingOf = ({ asking }: Context): Standing => ({
  tenantId: asking.tenantId,
  ...askingRows(asking),
  catalogVersion: asking.wiring.catalogVersion,
  endpointUrl: asking.wiring.endpointUrl,
  apiUrl: asking.wiring.apiUrl,
  authorityVersion: asking.wiring.authorityVersion,
  signingSecret: asking.wiring.sealedSigningSecret,
})

/** Step 7. Takes the right to execute: one claim wins. Undefined for the others, and when what was judged has changed since. */
export async function claim(
  ctx: Context,
  { faults }: Pick<ActionRooms, 'faults'>,
  { action: { actionId, payloadHash }, destination: { base: sentTo }, userId, personId }: Execution,
): Promise<Claim | undefined> {
  await faults.at('before_claim')
  const claimToken = randomUUID()
  const claimed = await ctx.db.one(claimAction, {
    ...standingOf(ctx),
    actionId,
    claimToken,
    leaseSeconds: leaseSeconds(ctx),
    userId,
    personId,
    payloadHash,
    sentTo,
  })
  if (claimed === undefined) return undefined
  await faults.at('after_claim')
  return { claimToken, reconcileToken: null, attempts: claimed.attempts }
}

/** Takes the right to ask again. Undefined while another reconcile has it, and once the outcome is known. */
export async function claimAgain(
  ctx: Context,
  { faults }: Pick<ActionRooms, 'faults'>,
  { action, destination: { base: sentTo } }: Execution,
  { sendToNewEndpoint, byDeployment }: { readonly sendToNewEndpoint: boolean; readonly byDeployment: boolean },
): Promise<Claim | undefined> {
  await faults.at('before_claim')
  const reconcileToken = randomUUID()
  const { actionId, claimToken, attempts } = action
  const claimed = await ctx.db.one(beginReconcile, {
    ...standingOf(ctx),
    actionId,
    reconcileToken,
    leaseSeconds: leaseSeconds(ctx),
    sentTo,
    sendToNewEndpoint,
    byDeployment,
  })
  if (claimed === undefined) return undefined
  await faults.at('after_claim')
  return { claimToken, reconcileToken, attempts }
}

const leaseSeconds = ({ settings: { ai, toolTransport } }: Context): number =>
  ai.approvals.executionLeaseSeconds || toolTransport.timeoutSeconds + 10

/**
 * Another confirm won the claim, or what this one was judged by has changed since. The answer follows from the action as it
 * now stands.
 */
export async function lostClaim(ctx: Context, execution: Execution, authority: Authority): Promise<Conclusion> {
  const { actionId } = execution.action
  const now = await loadAction(ctx, actionId, execution.source)
  if (now === undefined) return notFound()
  // Only now: at the deadline it may have waited for a claim that began in time, and lost to that.
  await ctx.db.run(markSuperseded, { tenantId: ctx.asking.tenantId, actionId, ...causedBy(execution) })
  const closed = closedAs(now)
  const moved = closed === null && now.state === 'pending' ? await whatMoved(ctx, authority) : null
  // The loser of a race hears that it lost, even when the winner is done by now, or was told to come back.
  return moved ?? (closed === null || now.state === 'executed' ? inProgress() : closed)
}

/** Null where everything is still as it was judged. A reconcile has nobody's approval to ask about again. */
export async function whatMoved(ctx: Context, authority: Authority | null): Promise<Conclusion | null> {
  const found = await ctx.db.one(findMoved, standingOf(ctx))
  if (found === undefined) return notFound()
  if (found.moved === null) return null
  return (found.moved === 'authority' ? await tooFewLeft(ctx, authority) : null) ?? changed(MOVED[found.moved])
}

/** Where the policy is the same and people have changed: who is missing by now. Null where enough of them still approve. */
async function tooFewLeft(ctx: Context, authority: Authority | null): Promise<Conclusion | null> {
  if (authority?.underPolicy !== true) return null
  const counted = await mayApprove(ctx, authority.judged, authority.personId)
  return counted.policyVersion === authority.policyVersion ? missingApprovals(counted) : null
}

const MOVED = {
  key: 'The key that asked was revoked',
  session: 'The session that asked was closed',
  catalog: 'The catalog was registered anew',
  endpoint: 'The endpoint was changed',
  api: 'The API was imported at another address',
  authority: 'The approval policy, or somebody whom it may name, changed',
  secret: 'The signing secret was replaced',
} as const

const changed = (what: string): Conclusion =>
  concluded(
    'Conflict',
    'CONFLICT',
    `${what} while this was being decided. Nothing was run: read the action again, then decide again.`,
  )

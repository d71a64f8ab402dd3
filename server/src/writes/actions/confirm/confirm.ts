import type { Context } from '../../../tenancy/context/index.ts'
import { mayApprove, recordTried } from '../../approvals/index.ts'
import { barred, type Conclusion, type ConfirmInput, type Decided } from '../conclusion.ts'
import { type ActionRow, findAction } from '../queries.ts'
import type { ActionRooms } from '../rooms.ts'
import { type Authority, holdForApprovers, judgedAction } from './approver.ts'
import { claim, lostClaim } from './claim.ts'
import { execute } from './execution.ts'
import { guard } from './guard.ts'
import { type Execution, handlerMissing, storedArguments, writeOf } from './handler.ts'
import { actionMeant, lookup } from './lookup.ts'
import { recheckPrecondition } from './precondition.ts'
import { replay, reserveKey } from './replay.ts'
import { verify } from './verification.ts'

/** Confirms an action and runs it: the specification's order of events, one file for each of its nine steps. */
export async function confirm(ctx: Context, rooms: ActionRooms, asked: ConfirmInput): Promise<Decided> {
  const actionId = actionMeant(ctx, asked.actionId)
  const input = { ...asked, actionId }
  const replayed = await replay(ctx, input)
  if (replayed !== null) return { ...replayed, actionId: replayed.action?.actionId ?? asked.actionId }
  const { action, closed } = await lookup(ctx, actionId, input.source)
  if (closed !== null) return { actionId: action?.actionId ?? asked.actionId, conclusion: closed, action }
  const conclusion = await decide(ctx, rooms, input, action)
  // Read again, so that the answer shows the action as it now stands.
  const now = await ctx.db.one(findAction, { tenantId: ctx.asking.tenantId, actionId })
  return { actionId, conclusion, action: now ?? action }
}

/** Steps 3 to 9. The first step that says no is the answer. */
async function decide(ctx: Context, rooms: ActionRooms, input: ConfirmInput, action: ActionRow): Promise<Conclusion> {
  const catalog = await rooms.catalogs.of(ctx)
  const given = storedArguments(action)
  const judged = judgedAction(action, catalog.find(action.tool), given)
  const approver = await mayApprove(ctx, judged)
  if (!approver.ok) {
    await recordTried(ctx, approver.tried, action.actionId, 'confirm')
    return barred(approver)
  }

  const tool = writeOf(catalog, action)
  if (tool === undefined) {
    return handlerMissing(`The catalog no longer has a write called "${action.tool}". Register it again, then confirm.`)
  }
  const { userId, personId, underPolicy, policyVersion, tried } = approver
  const execution: Execution = {
    action,
    tool,
    arguments: given,
    catalog,
    destination: await rooms.calls.destinationOf(ctx, tool, given),
    userId,
    personId,
    source: input.source,
  }

  const stopped = await guard(ctx, rooms.prohibition, input, execution)
  if (stopped !== null) return stopped
  const authority: Authority = { judged, personId, underPolicy, policyVersion }
  const waiting = await holdForApprovers(ctx, execution, authority, tried)
  if (waiting !== null) return waiting

  const broken = await recheckPrecondition(ctx, rooms, execution, authority)
  if (broken !== null) return broken

  const taken = await reserveKey(ctx, input, userId)
  if (taken !== null) return taken
  const claimed = await claim(ctx, rooms, execution)
  if (claimed === undefined) return await lostClaim(ctx, execution, authority)

  const conclusion = await execute(ctx, rooms, execution, claimed)
  await verify(ctx, rooms, execution, conclusion)
  return conclusion
}

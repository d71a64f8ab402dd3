import type { Context } from '../../tenancy/context/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { mayTestify, whoAsks } from '../approvals/index.ts'
import { isAsStaged, movedAfterSending } from '../writes/index.ts'
import { barred, type Conclusion, concluded, type Decided, executed } from './conclusion.ts'
import { type Claim, claimAgain, whatMoved } from './confirm/claim.ts'
import { execute, settleExecuted, settleFailed } from './confirm/execution.ts'
import { type Execution, handlerMissing, storedArguments, writeOf } from './confirm/handler.ts'
import { actionMeant } from './confirm/lookup.ts'
import { verify } from './confirm/verification.ts'
import { type ActionRow, findAction } from './queries.ts'
import type { ActionRooms } from './rooms.ts'

type ReconcileInput = {
  readonly actionId: string
  readonly source: string
  /** The caller takes it upon themselves that the endpoint is another one by now. */
  readonly sendToNewEndpoint: boolean
  /** What a person found out, where the write must not be sent again; null for whoever does not know. */
  readonly said: Said | null
  /** The operator of the deployment asks, by a command and without a key. */
  readonly byDeployment?: true
}

/**
 * Sends an indeterminate write again under its original idempotency key, which the endpoint claims: it performs the write
 * now, or answers what it did then. Safe to repeat; of two at once, one asks.
 */
export async function reconcile(ctx: Context, rooms: ActionRooms, input: ReconcileInput): Promise<Decided> {
  const actionId = actionMeant(ctx, input.actionId)
  const at = { tenantId: ctx.asking.tenantId, actionId }
  const action = await ctx.db.one(findAction, at)
  if (action === undefined) return { actionId: input.actionId, conclusion: unknownAction(), action: null }
  if (action.state !== 'indeterminate') return { actionId, conclusion: alreadySettled(action), action }
  const catalog = await rooms.catalogs.of(ctx)
  const tool = writeOf(catalog, action)
  if (tool === undefined) {
    const message = `The catalog no longer has a write called "${action.tool}". Register it again, then reconcile.`
    return { actionId, conclusion: handlerMissing(message), action }
  }
  const given = storedArguments(action)
  const destination = await rooms.calls.destinationOf(ctx, tool, given)
  if (hasMoved(destination.base, action) && input.said === null && !input.sendToNewEndpoint)
    return { actionId, conclusion: elsewhere(tool), action }
  // Nobody has confirmed another request, and who would answer it knows nothing of the one that was sent.
  const sentWhere = action.sentTo === null ? destination : rooms.calls.destinationAt(tool, given, action.sentTo)
  if (input.said === null && !isAsStaged(tool, given, action, sentWhere))
    return { actionId, conclusion: anotherRequest(tool), action }
  const mayResend = tool.idempotency === 'key'
  const { said } = input
  if (mayResend !== (said === null)) return { actionId, conclusion: mayResend ? canAsk() : nobodyKnows(), action }
  const witness = said === null ? null : await mayTestify(ctx, actionId)
  if (witness?.ok === false) return { actionId, conclusion: barred(witness), action }
  const { userId, personId } = witness ?? (await whoAsks(ctx, actionId))
  const execution: Execution = {
    action,
    tool,
    arguments: given,
    catalog,
    destination,
    userId,
    personId,
    source: input.source,
  }
  // A person's word is sent to nobody, so it does not matter where the endpoint is by now.
  const claimed = await claimAgain(ctx, rooms, execution, {
    sendToNewEndpoint: input.sendToNewEndpoint || said !== null,
    byDeployment: input.byDeployment === true,
  })
  const conclusion =
    claimed === undefined
      ? null
      : said === null
        ? await execute(ctx, rooms, execution, claimed)
        : await sayOutcome(ctx, execution, said, claimed)
  if (conclusion !== null) await verify(ctx, rooms, execution, conclusion)
  const now = (await ctx.db.one(findAction, at)) ?? action
  return {
    actionId,
    conclusion: conclusion === null ? await overtaken(ctx, now) : asItStands(conclusion, now),
    action: now,
  }
}

/** A write that stands as executed was executed, whichever reconcile heard of it. */
const asItStands = (conclusion: Conclusion, { state }: ActionRow): Conclusion =>
  state === 'executed' ? executed : conclusion

/** Another reconcile is asking, or has its answer by now; or what this one went by has changed since it began. */
const overtaken = async (ctx: Context, action: ActionRow): Promise<Conclusion> =>
  action.state === 'indeterminate' ? ((await whatMoved(ctx, null)) ?? beingReconciled()) : alreadySettled(action)

/** Only where it was sent to is there a claim of its key. Where there is no address now, nothing can be sent at all. */
const hasMoved = (address: string | null, { sentTo }: ActionRow): boolean =>
  sentTo !== null && address !== null && address !== sentTo

const elsewhere = (tool: Tool): Conclusion => concluded('Conflict', 'CONFLICT', movedAfterSending(tool))

const anotherRequest = ({ name }: Tool): Conclusion =>
  concluded(
    'Conflict',
    'CONFLICT',
    `"${name}" sends another request by now than the one that was confirmed, so nothing was sent. Import or declare it as it was, then reconcile.`,
  )

/** The write must not be sent again, and so nobody is asked. */
const nobodyKnows = (): Conclusion =>
  concluded(
    'Indeterminate',
    'EXECUTION_INDETERMINATE',
    'This write must not be sent twice (its tool declares idempotency "none"), so nothing was sent. Find out whether it was performed, then reconcile with {"performed": true} or {"performed": false}.',
  )

const canAsk = (): Conclusion =>
  concluded(
    'Conflict',
    'CONFLICT',
    'Whoever performs this write knows it again by its idempotency key, and can say what became of it. Nothing was changed: reconcile without "performed".',
  )

const unknownAction = (): Conclusion =>
  concluded('NotFound', 'PENDING_ACTION_NOT_FOUND', 'No action has this id. GET /v1/actions lists them by status.')

const beingReconciled = (): Conclusion =>
  concluded(
    'Conflict',
    'ACTION_ALREADY_IN_PROGRESS',
    'Another reconcile is asking the endpoint about this action. Look at it again in a moment.',
  )

const alreadySettled = ({ state }: ActionRow): Conclusion =>
  concluded(
    'Conflict',
    'ACTION_NOT_INDETERMINATE',
    `This action is ${state}, so there is nothing to reconcile. Nothing was called.`,
  )

/** What a person found out about a write that nobody may send again. */
type Said = { readonly performed: boolean; readonly note: string | null }

/** Settles the action by a person's word, which stands in the trail under their name. Nothing is sent. */
async function sayOutcome(
  ctx: Context,
  execution: Execution,
  { performed, note }: Said,
  claim: Claim,
): Promise<Conclusion> {
  if (performed) return await settleExecuted(ctx, execution, claim, { result: null, note })
  const message = `A person found out that this write was not performed.${note === null ? '' : ` ${note}`}`
  return await settleFailed(ctx, execution, claim, { errorCode: 'EXECUTION_FAILED', message, note })
}

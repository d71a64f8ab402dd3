import type { Context } from '../../ground/context/index.ts'
import { type Conclusion, concluded, type Decided, executed } from './conclusion.ts'
import { claimAgain } from './confirm/claim.ts'
import { execute } from './confirm/execution.ts'
import { type Execution, handlerMissing, storedArguments, writeOf } from './confirm/handler.ts'
import { actionMeant } from './confirm/lookup.ts'
import { verify } from './confirm/verification.ts'
import { type ActionRow, findAction } from './queries.ts'
import type { ActionRooms } from './rooms.ts'

export type ReconcileInput = { readonly actionId: string; readonly source: string }

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
  const { actor } = ctx.asking
  const execution: Execution = {
    action,
    tool,
    arguments: storedArguments(action),
    catalog,
    userId: actor.userId ?? 0,
    userRole: actor.role,
    source: input.source,
  }
  const claimed = await claimAgain(ctx, rooms.faults, execution)
  const conclusion = claimed === undefined ? null : await execute(ctx, rooms, execution, claimed)
  if (conclusion !== null) await verify(ctx, rooms, execution, conclusion)
  const now = (await ctx.db.one(findAction, at)) ?? action
  return { actionId, conclusion: conclusion === null ? overtaken(now) : standing(conclusion, now), action: now }
}

/** A write that stands as executed was executed, whichever reconcile heard of it. */
const standing = (conclusion: Conclusion, { state }: ActionRow): Conclusion =>
  state === 'executed' ? executed : conclusion

/** Another reconcile is asking, or has its answer by now. */
const overtaken = (action: ActionRow): Conclusion =>
  action.state === 'indeterminate' ? beingReconciled() : alreadySettled(action)

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

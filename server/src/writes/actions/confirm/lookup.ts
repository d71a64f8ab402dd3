import { refuse } from '../../../kernel/http/index.ts'
import { isUuid } from '../../../kernel/ids/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { type Action, type Conclusion, concluded } from '../conclusion.ts'
import { type ActionRow, findAction, findOwn } from '../queries.ts'
import { expireLate } from '../sweep-queries.ts'

const NO_ACTION = '00000000-0000-0000-0000-000000000000'

/** The id of the action that the caller means. A token speaks for the one action that it was minted with, and for no other. */
export function actionMeant({ asking: { actor } }: Context, given: string): string {
  const actionId = isUuid(given) ? given.toLowerCase() : NO_ACTION
  if ('actionId' in actor && actor.actionId !== actionId) {
    throw refuse(
      'insufficient_scope',
      'This token confirms only the action that it was issued for. Use that action’s id, or another credential.',
    )
  }
  return actionId
}

/** A write that the asking credential staged itself. Of any other it learns nothing, not even that there is one. */
export async function ownAction({ db, asking }: Context, actionId: string): Promise<Action | null> {
  const { tenantId, keyPrefix: askingKey, customer } = asking
  if (askingKey === null || !isUuid(actionId)) return null
  return (await db.one(findOwn, { tenantId, actionId, askingKey, subject: customer?.id ?? null })) ?? null
}

type Looked =
  | { readonly action: ActionRow; readonly closed: null }
  | { readonly action: ActionRow | null; readonly closed: Conclusion }

/** Step 2. The action must exist, belong to this tenant, and be open. */
export async function lookup(ctx: Context, actionId: string, source: string): Promise<Looked> {
  const action = await loadAction(ctx, actionId, source)
  return action === undefined ? { action: null, closed: notFound() } : { action, closed: closedAs(action) }
}

const isLate = ({ state, late }: ActionRow): boolean => state === 'pending' && late

/**
 * Loads an action for a decision on it. A decision that comes after the window expires the action immediately and does not leave
 * it to the sweep. The action is then read again: a decision that came in time may have committed late.
 */
export async function loadAction(ctx: Context, actionId: string, source: string): Promise<ActionRow | undefined> {
  const at = { tenantId: ctx.asking.tenantId, actionId }
  const action = await ctx.db.one(findAction, at)
  if (action === undefined || !isLate(action)) return action
  await ctx.db.one(expireLate, { ...at, source })
  return (await ctx.db.one(findAction, at)) ?? action
}

/** Why nobody can confirm this action any longer; null while it is pending, or another confirm is executing it. */
export function closedAs(action: ActionRow): Conclusion | null {
  if (isLate(action)) return expired()
  switch (action.state) {
    case 'pending':
    case 'executing':
      return null
    case 'expired':
      return expired()
    case 'rejected':
      return concluded('Rejected', 'action_rejected', action.errorMessage ?? 'A person declined this action.')
    case 'executed':
    case 'failed':
    case 'indeterminate':
    case 'precondition_failed':
      return notFound()
  }
}

export const notFound = (): Conclusion =>
  concluded(
    'NotFound',
    'PENDING_ACTION_NOT_FOUND',
    'No pending action has this id. GET /v1/actions lists the pending ones.',
  )

const expired = (): Conclusion =>
  concluded(
    'Expired',
    'action_expired',
    'The time to decide this action has passed, and it was not run. Stage it again if it is still wanted.',
  )

export const inProgress = (): Conclusion =>
  concluded(
    'Conflict',
    'ACTION_ALREADY_IN_PROGRESS',
    'Another confirm is executing this action. Look at it again in a moment.',
  )

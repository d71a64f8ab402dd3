import type { ActionState } from '@tether/contract'
import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { endByVisitor } from '../../writes/actions/index.ts'
import { NOTHING_TOLD, proposalsOf } from './proposals-of.ts'

/** Stands in the trail, beside the customer for whom it was proposed. */
export const WITHDRAWN = 'withdrawn by the visitor'

export type WithdrawInput = {
  readonly actionId: string
  /** The conversation that proposed it, which the caller has proved to be theirs. No other may take it back. */
  readonly sessionId: string
  readonly source: string
}

export type Withdrawal = { readonly withdrawn: boolean; readonly state: ActionState }

/**
 * A visitor takes back what their own conversation proposed. Against a confirm at the same moment at most one wins, and the
 * state that is answered says which.
 */
export async function withdraw(ctx: Context, { actionId, sessionId, source }: WithdrawInput): Promise<Withdrawal> {
  const { tenantId } = ctx.asking
  const eventId = newId('evt')
  const ending = { tenantId, actionId, sessionId, userId: 0, personId: 0, source, eventId, reason: WITHDRAWN }
  if ((await ctx.db.one(endByVisitor, ending)) !== undefined) return { withdrawn: true, state: 'rejected' }
  const { state = 'expired' } = (await proposalsOf(ctx, sessionId, NOTHING_TOLD)).find(isIt(actionId)) ?? {}
  // What is still pending here is past its window, and the sweep has not come by.
  return { withdrawn: false, state: state === 'pending' ? 'expired' : state }
}

const isIt = (meant: string) => (one: { readonly actionId: string }) => one.actionId === meant

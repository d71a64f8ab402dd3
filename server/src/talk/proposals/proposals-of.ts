import type { ActionState } from '@tether/contract'
import type { Context } from '../../tenancy/context/index.ts'
import { listProposals } from './queries.ts'

/** A write that a conversation proposed earlier. */
export type EarlierProposal = {
  readonly actionId: string
  readonly title: string
  readonly summary: string
  readonly state: ActionState
  /** Why it was declined, or why it failed. Null where this caller is not told. */
  readonly reason: string | null
  /** In microseconds. Null until it is settled, and while its outcome is not known. */
  readonly settledAt: number | null
  /** True if it is settled, and no answer has told of it. */
  readonly isNews: boolean
  /** True if somebody at the business changed it: another proposal has taken its place. */
  readonly isReplaced: boolean
}

const MOST = 20

/**
 * What the answers of a conversation have told: the proposals, or, in one from before we kept these, whatever was settled by `since`, a time
 * of the database in its own words, because a Date has no microseconds and would tell again what was settled in the last of them.
 */
export type Told = { readonly since: string; readonly actions: readonly string[] | null }

/** For whoever wants every proposal alike. */
export const NOTHING_TOLD: Told = { since: 'epoch', actions: null }

type Asking = Pick<Context, 'db'> & { readonly asking: Pick<Context['asking'], 'tenantId' | 'kind'> }

/**
 * The latest proposals of a conversation, the oldest first. Whoever asks has proved that the conversation is theirs. A reason is the
 * staff's, unless whoever declined the write said that it is also the visitor's.
 */
export async function proposalsOf(
  { db, asking }: Asking,
  sessionId: string,
  { since, actions }: Told,
): Promise<readonly EarlierProposal[]> {
  const rows = await db.rows(listProposals, { tenantId: asking.tenantId, sessionId, since, told: actions, limit: MOST })
  const isStaff = asking.kind === 'secret'
  return rows.toReversed().map(({ tellVisitor, ...row }) => ({
    ...row,
    reason: (isStaff || tellVisitor) && !row.isReplaced ? row.reason : null,
  }))
}

import type { Context } from '../../tenancy/context/index.ts'
import { listProposals, type ProposalRow } from './queries.ts'

/** A write that a conversation proposed earlier. Its reason is null where this caller is not told. */
export type EarlierProposal = Omit<ProposalRow, 'tellVisitor'>

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

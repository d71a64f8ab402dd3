import type { ActionState } from '@tether/contract'
import type { Context } from '../../ground/context/index.ts'
import { listProposals } from './queries.ts'

/** A write that a conversation proposed earlier. */
export type EarlierProposal = {
  readonly actionId: string
  readonly title: string
  readonly summary: string
  readonly state: ActionState
  /** True if it was settled after that moment. */
  readonly isNews: boolean
}

const MOST = 20

/** The latest proposals of a conversation, the oldest first. Whoever asks has proved that the conversation is theirs. */
export async function proposalsOf(
  { db, asking }: Context,
  sessionId: string,
  since: Date,
): Promise<readonly EarlierProposal[]> {
  const rows = await db.rows(listProposals, { tenantId: asking.tenantId, sessionId, since, limit: MOST })
  return rows.toReversed()
}

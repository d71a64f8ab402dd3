import type { EarlierProposal } from '../../proposals/index.ts'
import type { Turn, TurnParts } from './turn.ts'

/** True of what waits, and of what was done before the visitor could hear of it. */
export const mayTakeBack = ({ state, isNews }: EarlierProposal): boolean =>
  state === 'pending' || state === 'executing' || state === 'indeterminate' || (state === 'executed' && isNews)

/** Takes back the newest that waits. Where it is too late, the visitor is told what has become of the newest. */
export async function takeBack(
  parts: Pick<TurnParts, 'withdraw'>,
  { ctx, history, sessionId, source }: Turn,
): Promise<{ status: 'ok' | 'failed'; text: string }> {
  const open = history.proposals.filter(mayTakeBack)
  const proposal = open.findLast(({ state }) => state === 'pending') ?? open.at(-1)
  if (proposal === undefined || sessionId === null) return { status: 'failed', text: 'Nothing waits.' }
  const { withdrawn, state } = await parts.withdraw(ctx, { actionId: proposal.actionId, sessionId, source })
  return withdrawn
    ? { status: 'ok', text: `Withdrawn, and it will not be done: "${proposal.summary}". Tell the visitor so.` }
    : { status: 'failed', text: `Too late. It is ${state}: "${proposal.summary}". Tell the visitor so.` }
}

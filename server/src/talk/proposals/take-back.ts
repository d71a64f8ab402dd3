import type { OfferedTool } from '../../kernel/model/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { EarlierProposal } from './proposals-of.ts'
import type { Withdrawal, WithdrawInput } from './withdraw.ts'

/**
 * No tool of a catalog has a dash in its name, so this one is never a business's own. It is offered to a visitor's turn while
 * something that their conversation proposed still waits.
 */
export const WITHDRAW: OfferedTool = {
  name: 'tether-withdraw',
  isWrite: false,
  description:
    'Withdraws the most recent change that was proposed in this conversation and is still waiting. Use it only when the visitor says that they no longer want the change.',
  parameters: { type: 'object', properties: {}, required: [] },
}

/** True of what waits, and of what was done before the visitor could hear of it. */
export const mayTakeBack = ({ state, isNews }: EarlierProposal): boolean =>
  state === 'pending' || state === 'executing' || state === 'indeterminate' || (state === 'executed' && isNews)

type Conversation = {
  readonly ctx: Context
  readonly history: { readonly proposals: readonly EarlierProposal[] }
  readonly sessionId: string | null
  readonly source: string
}

/** Takes back the newest that waits. Where it is too late, the model is told what has become of the newest. */
export async function takeBack(
  parts: { withdraw(ctx: Context, input: WithdrawInput): Promise<Withdrawal> },
  { ctx, history, sessionId, source }: Conversation,
): Promise<{ status: 'ok' | 'failed'; text: string }> {
  const open = history.proposals.filter(mayTakeBack)
  const proposal = open.findLast(({ state }) => state === 'pending') ?? open.at(-1)
  if (proposal === undefined || sessionId === null) return { status: 'failed', text: 'Nothing waits.' }
  const { withdrawn, state } = await parts.withdraw(ctx, { actionId: proposal.actionId, sessionId, source })
  return withdrawn
    ? { status: 'ok', text: `Withdrawn, and it will not be done: "${proposal.summary}". Tell the visitor so.` }
    : { status: 'failed', text: `Too late. It is ${state}: "${proposal.summary}". Tell the visitor so.` }
}

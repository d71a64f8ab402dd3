import type { Context } from '../../../tenancy/context/index.ts'
import { planTerms, type Spending, spendingOf } from '../../../tenancy/usage/index.ts'
import type { Catalog } from '../../../tools/catalog/index.ts'
import type { ChatRooms } from '../rooms.ts'
import type { ChosenModel } from '../turn/ports.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { Ending, TurnParts } from '../turn/turn.ts'
import { logFailure } from './perform.ts'
import { freeze } from './prepare.ts'

type Rehearsal = {
  readonly prompt: string
  readonly language: string | undefined
  readonly isDeep: boolean
  readonly enableWriteActions: boolean
  readonly catalog: Catalog
  readonly model: ChosenModel
  /** Stands in for the business. */
  readonly business: Pick<TurnParts, 'read' | 'faultOf' | 'stage'>
}
export type RehearsalRooms = Pick<ChatRooms, 'ledger' | 'models' | 'moderation' | 'retrieval' | 'vocabulary'>

/** Without a model nothing is spent, so that no ceiling stands in the way. */
const FREE_OF_CHARGE: Spending = { reserve: async () => ({ ok: true, holdId: null }), settle: () => {} }

/**
 * Plays a turn as a visitor’s would be, except that it reaches nobody: what it calls is answered by a stand-in, and nothing is staged,
 * handed over, kept or counted as a conversation. What it costs is spent.
 */
export async function rehearse(
  ctx: Context,
  rooms: RehearsalRooms,
  { business, catalog, model, isDeep, enableWriteActions, ...asked }: Rehearsal,
  signal: AbortSignal,
): Promise<Ending> {
  const source = 'POST /v1/tools/trials'
  const plan = planTerms(ctx.settings, ctx.asking.plan)
  const terms = {
    surface: 'chat',
    isDeep: isDeep && plan.deep,
    mayWrite: enableWriteActions,
    hasPicture: false,
  } as const
  const more = {
    sessionId: null,
    image: undefined,
    maxRounds: undefined,
    instructions: null,
    earlier: [],
    mayHoldTokens: false,
    isDeep,
    enableWriteActions,
  }
  const request = { ...asked, ...more, surface: 'chat', source } as const
  const turn = await freeze(ctx, rooms, { request, plan, terms, catalog, session: null, pictures: [], model })
  const { requestId } = turn
  const parts: TurnParts = {
    ...business,
    note: () => {},
    tokenFor: async () => 'nobody',
    handOver: async () => true,
    // Nothing was proposed earlier, so no turn is offered to take it back.
    withdraw: () => Promise.reject(new Error('A rehearsal has nothing to withdraw.')),
    retrieval: rooms.retrieval,
    moderation: rooms.moderation,
    spending:
      model.model.kind === 'offline'
        ? FREE_OF_CHARGE
        : spendingOf(ctx, rooms.ledger, { requestId, model, purpose: 'trial' }),
    keep: async () => {},
    record: () => {},
    failed: logFailure(ctx, requestId),
  }
  const running = runTurn(parts, turn, signal)
  for (;;) {
    const next = await running.next()
    if (next.done === true) return next.value
  }
}

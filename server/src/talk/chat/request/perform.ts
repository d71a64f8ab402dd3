import { randomUUID } from 'node:crypto'
import type { ChatFrame } from '@tether/contract'
import { newId, newUuid } from '../../../kernel/ids/index.ts'
import type { JsonObject } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { spendingOf } from '../../../tenancy/usage/index.ts'
import type { Tool } from '../../../tools/catalog/index.ts'
import { stage } from '../../../writes/actions/index.ts'
import { mayCustomerConfirm, policyInForce, readValue } from '../../../writes/approvals/index.ts'
import { announceHandoff } from '../../handoffs/index.ts'
import { withdraw } from '../../proposals/index.ts'
import type { ChatRooms } from '../rooms.ts'
import { keepTurn, summarise } from '../sessions/memory.ts'
import type { TurnRecord } from '../turn/ports.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { Ending, Turn, TurnParts } from '../turn/turn.ts'

/** Runs a prepared turn with its real parts. */
export const performTurn = (rooms: ChatRooms, turn: Turn, signal: AbortSignal): AsyncGenerator<ChatFrame, Ending> =>
  runTurn(partsOf(rooms, turn), turn, signal)

function partsOf(rooms: ChatRooms, turn: Turn): TurnParts {
  const { calls, ledger, retrieval, moderation } = rooms
  const { ctx, requestId, model } = turn
  // A turn hands over once, however often its model asks for it.
  const eventId = newId('evt')
  return {
    read: calls.read,
    faultOf: calls.faultOf,
    note: calls.note,
    stage: (context, input) => stage(context, calls, input),
    tokenFor: turn.mayHoldTokens ? tokenFor : async () => 'nobody',
    handOver: (context, told) => announceHandoff(context, told, eventId),
    withdraw,
    retrieval,
    moderation,
    spending: spendingOf(ctx, ledger, { requestId, model, purpose: 'turn' }),
    async keep(kept, what) {
      if (await keepTurn(ctx, kept, what)) rooms.turns.afterwards((signal) => remember(rooms, turn, signal))
    },
    record: (record) => ledger.add({ kind: 'record', row: recordRowOf(ctx, turn, record) }),
    failed: logFailure(ctx, requestId),
  }
}

export const logFailure =
  (ctx: Context, requestId: string) =>
  (error: unknown): string => {
    const errorId = `err_${randomUUID()}`
    ctx.log.error({ errorId, requestId, tenantId: ctx.asking.tenantId, error }, 'A chat turn failed.')
    return errorId
  }

const SUMMARY_MS = 60_000

async function remember({ ledger, house }: ChatRooms, turn: Turn, closing: AbortSignal): Promise<void> {
  const { ctx, requestId, model } = turn
  const signal = AbortSignal.any([closing, AbortSignal.timeout(SUMMARY_MS)])
  try {
    await summarise(ctx, turn, spendingOf(ctx, ledger, { requestId, model, purpose: 'summary' }), signal)
  } catch (error) {
    house.log.warn({ error, requestId }, 'A conversation could not be summarised. Its next turn tries again.')
  }
}

const recordRowOf = ({ asking, clock }: Context, turn: Turn, { usage, ...record }: TurnRecord) => ({
  tenantId: asking.tenantId,
  recordId: newUuid(clock.now()),
  at: new Date(clock.now()).toISOString(),
  requestId: turn.requestId,
  sessionId: turn.sessionId,
  surface: turn.surface,
  source: turn.source,
  client: asking.surface,
  plan: asking.plan,
  kind: asking.kind,
  domain: turn.domain,
  model: turn.model.name,
  ...record,
  inputTokens: Math.round(usage.inputTokens),
  outputTokens: Math.round(usage.outputTokens),
})

/**
 * Decides who gets the token that confirms a write. The tenant's own server always does. A page does only for a
 * verified customer whom the write is about, if the policy lets customers confirm. An agent never does.
 */
async function tokenFor(ctx: Context, tool: Tool, given: JsonObject): Promise<'caller' | 'customer' | 'nobody'> {
  const { kind, customer } = ctx.asking
  if (kind === 'secret') return 'caller'
  if (kind !== 'publishable' || customer === null || !tool.requiresCustomer || tool.risk !== 'low') return 'nobody'
  const { name, domain, risk, valueFrom } = tool
  const write = { tool: name, domain, risk, value: readValue(valueFrom, given) }
  return mayCustomerConfirm(await policyInForce(ctx), write) ? 'customer' : 'nobody'
}

import type { ChatFrame } from '@tether/contract'
import {
  type FinishReason,
  type ModelCall,
  ModelFailure,
  type ModelRequest,
  type ModelUsage,
  type OfferedTool,
  storableStream,
} from '../../../kernel/model/index.ts'
import type { BudgetCode } from './ports.ts'
import type { TurnState } from './state.ts'
import { TOKENS_OF_A_PICTURE, tokensIn, toolTokens } from './tokens.ts'
import type { TurnParts } from './turn.ts'

/** Thrown if a ceiling was reached before a round. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
  readonly code: BudgetCode
  constructor(code: BudgetCode) {
    super(`A spend ceiling was reached: ${code}.`)
    this.code = code
  }
}

/** Plays one answer of the model: yields its words as they come, and returns the calls that it asks for. */
export async function* playRound(
  parts: TurnParts,
  state: TurnState,
  tools: readonly OfferedTool[],
  signal: AbortSignal,
): AsyncGenerator<ChatFrame, readonly ModelCall[]> {
  const { turn, reply } = state
  yield { type: 'status', stage: 'thinking' }
  signal.throwIfAborted()
  const request = modelRequestOf(state, tools)
  const inputTokens = estimateInput(request)
  const reserved = await parts.spending.reserve({ inputTokens, outputTokens: turn.limits.maxOutputTokens })
  if (!reserved.ok) throw new BudgetExceeded(reserved.code)
  state.rounds++
  const round = trackRound(inputTokens)
  try {
    for await (const part of storableStream(turn.model.model, request, signal)) {
      if (part.type === 'text') {
        round.text += part.text
        state.firstTextMs ??= Math.round(performance.now() - state.startedAt)
        for (const frame of reply.take(part.text)) yield frame
      } else if (part.type === 'call') round.calls.push(part.call)
      else if (part.type === 'usage') round.saw(part.usage)
      else round.reason = part.reason
    }
  } catch (error) {
    round.failure = error
    throw error
  } finally {
    const usage = round.spent()
    state.usage.inputTokens += usage.inputTokens
    state.usage.outputTokens += usage.outputTokens
    parts.spending.settle({ holdId: reserved.holdId, usage })
  }
  for (const frame of reply.endRound()) yield frame
  // A round may have been cut off in the middle of a thought, so we call nothing from it.
  const isWhole = round.reason === 'calls' || round.reason === 'stop'
  const calls = isWhole ? round.calls : []
  state.messages.push({ role: 'assistant', text: round.text, ...(calls.length > 0 ? { calls } : {}) })
  return calls
}

const modelRequestOf = ({ turn, messages }: TurnState, tools: readonly OfferedTool[]): ModelRequest => ({
  model: turn.model.name,
  messages: [...messages],
  tools,
  maxOutputTokens: turn.limits.maxOutputTokens,
})

function estimateInput({ messages, tools }: ModelRequest): number {
  let tokens = 0
  for (const message of messages) {
    tokens += tokensIn(message.text) + 4
    if (message.role === 'user') tokens += (message.pictures?.length ?? 0) * TOKENS_OF_A_PICTURE
    if (message.role === 'assistant') for (const call of message.calls ?? []) tokens += tokensIn(call.arguments) + 10
  }
  for (const tool of tools) tokens += toolTokens(tool)
  return tokens
}

// The request never reached the provider, or it declined before it began, so nothing was spent.
const NOT_BEGUN: readonly ModelFailure['kind'][] = ['unreachable', 'refused', 'busy']

const MOST_TOKENS = 1_000_000_000

/** We believe a provider's count up to what a ledger can hold. */
const counted = (tokens: number): number =>
  Number.isFinite(tokens) ? Math.min(MOST_TOKENS, Math.max(0, Math.round(tokens))) : 0

function trackRound(inputTokens: number) {
  let seen: ModelUsage | undefined
  const round = {
    text: '',
    calls: [] as ModelCall[],
    reason: undefined as FinishReason | undefined,
    failure: undefined as unknown,
    saw(usage: ModelUsage) {
      seen = {
        inputTokens: Math.max(counted(usage.inputTokens), seen?.inputTokens ?? 0),
        outputTokens: Math.max(counted(usage.outputTokens), seen?.outputTokens ?? 0),
      }
    },
    /** What the provider reported or, if the round was cut off before, an estimate from what we sent and received. */
    spent(): ModelUsage {
      const isOver = round.reason !== undefined && round.failure === undefined
      if (seen !== undefined && isOver) return seen
      const received = tokensIn(round.text) + round.calls.reduce((sum, call) => sum + tokensIn(call.arguments) + 10, 0)
      const { failure } = round
      if (seen === undefined && received === 0 && failure instanceof ModelFailure && NOT_BEGUN.includes(failure.kind)) {
        return { inputTokens: 0, outputTokens: 0 }
      }
      return {
        inputTokens: Math.max(inputTokens, seen?.inputTokens ?? 0),
        outputTokens: Math.max(received, seen?.outputTokens ?? 0),
      }
    },
  }
  return round
}

import type { ChatAnswer, ChatFrame } from '@tether/contract'
import { type Refusal, type RequestHead, refuse, type ServerEvent } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import type { ChatRooms } from '../rooms.ts'
import { turnOf } from '../sessions/owner.ts'
import type { Ending, Turn } from '../turn/turn.ts'
import { WORDS } from '../turn/words.ts'
import { performTurn } from './perform.ts'
import { prepareTurn, type TurnRequest, type Unanswered } from './prepare.ts'

/** A whole turn, for a caller that does not read it as it is made. */
async function answerAtOnce(rooms: ChatRooms, turn: Turn, reader: AbortSignal): Promise<ChatAnswer> {
  const limit = AbortSignal.timeout(rooms.house.settings.ai.chat.turnSeconds * 1000)
  const running = performTurn(rooms, turn, AbortSignal.any([reader, limit]))
  for (;;) {
    const next = await running.next()
    if (next.done === true) return answerFrom(next.value, turn)
  }
}

function answerFrom({ frame, answer }: Ending, { language }: Turn): ChatAnswer {
  if (frame.type === 'complete') return answer
  if (!frame.code.endsWith('_BUDGET_EXCEEDED')) throw refusalFromFrame(frame)
  const said = { type: 'text' as const, markdown: WORDS[language].unavailable }
  return { ...answer, blocks: [...answer.blocks, said] }
}

type ErrorFrame = Extract<ChatFrame, { type: 'error' }>

/** The answer for what a stream would say in an error frame. */
export function refusalFromFrame({ code, message, retryAfterSeconds, errorId }: ErrorFrame): Refusal {
  const extras = errorId === undefined ? {} : { errorId }
  if (code === 'RATE_LIMITED') {
    return refuse('rate_limited', message, extras, { 'retry-after': String(retryAfterSeconds ?? 1) })
  }
  if (code === 'DATABASE_UNAVAILABLE') return refuse('database_unavailable', message, extras, { 'retry-after': '2' })
  if (code === 'MODEL_UNAVAILABLE' || code === 'TURN_TIMEOUT') return refuse('model_unavailable', message, extras)
  // A caller that left does not read this. One that is still here has just lost its workspace.
  if (code === 'CANCELED') return noTenant()
  return refuse('internal_error', message, extras)
}

const isUnanswered = (prepared: Turn | Unanswered): prepared is Unanswered => !('ctx' in prepared)

/** The assistant is silent, because a person has taken over. */
const silentAnswer = ({ sessionId, requestId, language }: Unanswered): ChatAnswer => ({
  session_id: sessionId,
  sessionId,
  request_id: requestId,
  requestId,
  blocks: [],
  meta: {
    preview: false,
    previewSources: [],
    sources: [],
    resultPath: 'ok',
    toolCalls: [],
    proposals: [],
    decisions: [],
    handoff: null,
    usage: { inputTokens: 0, outputTokens: 0, model: 'none' },
    language,
    capabilityMode: 'Standard',
    takenOver: true,
  },
})

async function* silentFrames(unanswered: Unanswered): AsyncGenerator<string> {
  const { requestId, sessionId } = unanswered
  const frames: ChatFrame[] = [
    { type: 'start', requestId, sessionId },
    { type: 'complete', ...silentAnswer(unanswered) },
  ]
  for (const frame of frames) yield JSON.stringify(frame)
}

/** Yields the frames as text, for a caller that reads along. */
async function* framesOf(rooms: ChatRooms, turn: Turn, signal: AbortSignal): AsyncGenerator<string> {
  for await (const frame of performTurn(rooms, turn, signal)) yield JSON.stringify(frame)
}

/** Asks, and returns the whole answer. */
export async function askAtOnce(
  ctx: Context,
  rooms: ChatRooms,
  request: TurnRequest,
  { signal }: Pick<RequestHead, 'signal'>,
): Promise<ChatAnswer> {
  const turn = await prepareTurn(ctx, rooms, request, signal)
  return isUnanswered(turn) ? silentAnswer(turn) : await answerAtOnce(rooms, turn, signal)
}

/** Asks, and returns the frames of the answer as they are made. Whatever refuses the turn is thrown before the first. */
export async function askStreaming(
  ctx: Context,
  rooms: ChatRooms,
  request: TurnRequest,
  { signal: reader, resume = false }: Pick<RequestHead, 'signal'> & { readonly resume?: boolean | undefined },
): Promise<AsyncIterable<ServerEvent>> {
  const turn = await prepareTurn(ctx, rooms, request, reader)
  const play = (signal: AbortSignal) => (isUnanswered(turn) ? silentFrames(turn) : framesOf(rooms, turn, signal))
  return rooms.turns.start({ ...turnOf(ctx, ctx.asking.requestId), play, reader, resume })
}

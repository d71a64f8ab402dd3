import type { ChatAnswer, ChatFrame } from '@tether/contract'
import { type Refusal, refuse } from '../../../kernel/http/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import type { ChatRooms } from '../rooms.ts'
import type { Ending, Turn } from '../turn/turn.ts'
import { WORDS } from '../turn/words.ts'
import { performTurn } from './perform.ts'
import type { Unanswered } from './prepare.ts'

/** A whole turn, for a caller that does not read it as it is made. */
export async function answerAtOnce(rooms: ChatRooms, turn: Turn, reader: AbortSignal): Promise<ChatAnswer> {
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

export const isUnanswered = (prepared: Turn | Unanswered): prepared is Unanswered => !('ctx' in prepared)

/** The assistant is silent, because a person has taken over. */
export const silentAnswer = ({ sessionId, requestId, language }: Unanswered): ChatAnswer => ({
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

export async function* silentFrames(unanswered: Unanswered): AsyncGenerator<string> {
  const { requestId, sessionId } = unanswered
  const frames: ChatFrame[] = [
    { type: 'start', requestId, sessionId },
    { type: 'complete', ...silentAnswer(unanswered) },
  ]
  for (const frame of frames) yield JSON.stringify(frame)
}

/** Yields the frames as text, for a caller that reads along. */
export async function* framesOf(rooms: ChatRooms, turn: Turn, signal: AbortSignal): AsyncGenerator<string> {
  for await (const frame of performTurn(rooms, turn, signal)) yield JSON.stringify(frame)
}

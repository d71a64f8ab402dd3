import type { ChatAnswer } from '@tether/contract'
import type { RequestHead, ServerEvent } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import type { ChatRooms } from '../rooms.ts'
import { turnOf } from '../sessions/owner.ts'
import { answerAtOnce, framesOf, isUnanswered, silentAnswer, silentFrames } from './answer.ts'
import { prepareTurn, type TurnRequest } from './prepare.ts'

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

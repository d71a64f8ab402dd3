import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { listAnswer, saidAnswer, takeoverAnswer, transcriptAnswer } from './answers.ts'
import { conversationsOf } from './list-conversations.ts'
import { say } from './messages.ts'
import { MOST_BYTES, readConversation } from './read-conversation.ts'
import { release, takeOver } from './takeover.ts'

const here = { lane: 'control', group: 'Conversations', reach: SECRET_ONLY } as const
const params = z.object({ sessionId: z.string() })
const EXAMPLE = { params: { sessionId: 'ses_0123456789abcdefghjkmnpqrs' } }

type ConversationRooms = {
  /** Chat keeps what was said, and erases it. */
  erase(ctx: Context, sessionId: string): Promise<z.output<typeof contract.SessionDeleted>>
}

const pageSize = (limit: number | undefined): number =>
  contract.clampLimit(limit, contract.CONVERSATIONS_PAGE.most, contract.CONVERSATIONS_PAGE.preset)

export const conversationRoutes = (rooms: ConversationRooms): readonly Route[] => [
  ...looking,
  route({
    ...here,
    method: 'DELETE',
    path: '/v1/conversations/:sessionId',
    summary: 'Erase a conversation',
    description: 'As `DELETE /v1/chat/sessions/{sessionId}`. The trail of what it proposed stays.',
    params,
    answers: { 200: { schema: contract.SessionDeleted } },
    example: EXAMPLE,
    errors: ['session_not_found'],
    handle: async (ctx, { params: { sessionId } }) => ({ status: 200, body: await rooms.erase(ctx, sessionId) }),
  }),
  ...answering,
]

const looking: readonly Route[] = [
  route({
    ...here,
    method: 'GET',
    path: '/v1/conversations',
    summary: 'Conversations, newest first',
    description: '`from`, `to` and the order are about when a conversation began.',
    query: contract.ConversationsQuery,
    answers: { 200: { schema: contract.ConversationList } },
    errors: ['invalid_period'],
    handle: async (ctx, { query }) =>
      listAnswer(
        await conversationsOf(ctx, {
          from: query.from,
          to: query.to,
          handedOff: query.handedOff === undefined ? null : query.handedOff === 'true',
          rating: query.rating ?? null,
          customerId: query.customer ?? null,
          before: query.before,
          limit: pageSize(query.limit),
        }),
      ),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/conversations/:sessionId',
    answerBytes: MOST_BYTES,
    summary: 'One conversation: what was said, called and proposed, and what became of it',
    description: 'The latest turns, the oldest of them first. A page ends at 4 MiB, if not before.',
    params,
    query: contract.TranscriptQuery,
    answers: { 200: { schema: contract.Transcript } },
    errors: ['session_not_found'],
    example: EXAMPLE,
    handle: async (ctx, { params: { sessionId }, query }) =>
      transcriptAnswer(await readConversation(ctx, { sessionId, before: query.before, limit: pageSize(query.limit) })),
  }),
]

const answering: readonly Route[] = [
  route({
    ...here,
    method: 'POST',
    path: '/v1/conversations/:sessionId/messages',
    summary: 'Answer the visitor as a person',
    description:
      'The visitor’s window shows it at once where it is open. It does not silence the assistant: take the conversation over for that.',
    params,
    body: contract.MessageRequest,
    answers: { 200: { schema: contract.MessageSent } },
    errors: ['session_not_found', 'user_not_found', 'idempotency_conflict'],
    example: { ...EXAMPLE, body: { text: 'Good morning! Your parcel left an hour ago.', userId: 7 } },
    handle: async (ctx, { params: { sessionId }, body: { text, userId, idempotencyKey } }) => {
      const input = { sessionId, text, userId: userId ?? null, idempotencyKey: idempotencyKey ?? null }
      return saidAnswer(sessionId, await say(ctx, input))
    },
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/conversations/:sessionId/takeover',
    summary: 'Take a conversation over from the assistant',
    description:
      'Its turns are no longer given to a model: the visitor’s words are kept, and announced as `conversation.message`. It lapses after `AI:Chat:TakeoverMinutes` without a person’s message.',
    params,
    body: contract.TakeoverRequest,
    answers: { 200: { schema: contract.Takeover } },
    errors: ['session_not_found', 'user_not_found'],
    example: { ...EXAMPLE, body: { userId: 7 } },
    handle: async (ctx, { params: { sessionId }, body }) =>
      takeoverAnswer(sessionId, await takeOver(ctx, { sessionId, userId: body.userId ?? null })),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/conversations/:sessionId/release',
    summary: 'Give a conversation back to the assistant',
    params,
    answers: { 200: { schema: contract.Takeover } },
    errors: ['session_not_found'],
    example: EXAMPLE,
    handle: async (ctx, { params: { sessionId } }) => takeoverAnswer(sessionId, await release(ctx, sessionId)),
  }),
]

import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Answer, type RequestHead, refuse } from '../../kernel/http/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'
import { ACTING, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { askAtOnce, askStreaming } from './request/answer.ts'
import { instructionsOf } from './request/insights.ts'
import type { TurnRequest } from './request/prepare.ts'
import type { ChatRooms } from './rooms.ts'
import { deleteCustomer, deleteSession } from './sessions/erase.ts'
import { findSession } from './sessions/open-session.ts'
import { turnOf } from './sessions/owner.ts'
import type { StreamBody, StreamForm } from './stream-form.ts'
import { turnLanguage } from './turn/language.ts'
import { promptsOf } from './turn/turn.ts'

const MEBIBYTE = 1024 * 1024
const TALKERS = { who: 'tenant', kinds: ['secret', 'agent', 'publishable', 'sandbox'] } as const
const here = { lane: 'runtime', group: 'Chat' } as const
/** A turn of the assistant, in whatever way it is asked for. */
const turn = { ...here, method: 'POST', tokens: true } as const
const TURN_HEADERS = [...ACTING, 'X-Client-Surface'] as const
const example = { body: { prompt: 'Where is my order A-1001?' } }

const turnErrors = [
  'session_not_yours',
  'plan_quota_exceeded',
  'sandbox_not_ready',
  'sandbox_expired',
  'sandbox_budget_exhausted',
  'model_unavailable',
  'invalid_customer_token',
  'invalid_upstream_token',
] as const
const chatErrors = ['empty_prompt', 'invalid_image', ...turnErrors] as const

type ChatBody = {
  readonly prompt?: string | undefined
  readonly sessionId?: string | null | undefined
  readonly session_id?: string | null | undefined
  readonly capabilityMode?: 'Standard' | 'Deep' | undefined
  readonly enableWriteActions?: boolean | undefined
  readonly language?: string | undefined
  readonly image?: TurnRequest['image']
}

const turnRequestOf = (asked: ChatBody, source: string, more: Partial<TurnRequest> = {}): TurnRequest => ({
  surface: 'chat',
  source,
  prompt: asked.prompt ?? '',
  sessionId: (asked.sessionId ?? asked.session_id) || null,
  isDeep: asked.capabilityMode === 'Deep',
  enableWriteActions: asked.enableWriteActions ?? false,
  language: asked.language,
  image: asked.image,
  maxRounds: undefined,
  instructions: null,
  earlier: [],
  mayHoldTokens: true,
  ...more,
})

/** Base64 text is a third longer than its bytes. */
const bodyLimit = ({ ai }: Settings): number => Math.ceil((ai.multimodal.maxImageBytes * 4) / 3) + MEBIBYTE

async function wholeAnswer(ctx: Context, rooms: ChatRooms, request: TurnRequest, head: RequestHead): Promise<Answer> {
  return { status: 200, body: await askAtOnce(ctx, rooms, request, head) }
}

/** Where another protocol is asked for, the same stream in its form. */
async function streamIn(
  form: StreamForm | undefined,
  ctx: Context,
  rooms: ChatRooms,
  { body, head }: { readonly body: StreamBody; readonly head: RequestHead },
): Promise<Answer> {
  if (form === undefined) return await streamAnswer(ctx, rooms, body, head, lastRead(head.headers))
  const asked = form.ask(body)
  const answer = await streamAnswer(ctx, rooms, asked, head, 0)
  if (answer.events === undefined) return answer
  return { ...answer, headers: { ...answer.headers, ...form.headers }, events: form.tell(answer.events, asked) }
}

/** `after` is the last frame that the reader has. */
async function streamAnswer(
  ctx: Context,
  rooms: ChatRooms,
  asked: StreamBody,
  { signal: reader }: RequestHead,
  after: number,
): Promise<Answer> {
  if (ctx.asking.kind === 'sandbox') await rooms.sandboxes.ready(ctx)
  if (asked.watch === true) return await watchConversation(ctx, rooms, asked, { reader, after })
  if (asked.requestId !== undefined)
    return asked.stop === true
      ? await stopTurn(ctx, rooms, asked.requestId)
      : await readAgain(ctx, rooms, asked.requestId, { reader, after })
  const request = turnRequestOf(asked, 'POST /v1/chat/stream')
  return { status: 200, events: await askStreaming(ctx, rooms, request, { signal: reader, resume: asked.resume }) }
}

type Reading = { readonly reader: AbortSignal; readonly after: number }

async function readAgain(
  ctx: Context,
  rooms: ChatRooms,
  requestId: string,
  { reader, after }: Reading,
): Promise<Answer> {
  const events = await rooms.turns.read(turnOf(ctx, requestId), after, reader)
  if (events === undefined) throw noTurn()
  return { status: 200, events }
}

function lastRead(headers: RequestHead['headers']): number {
  const last = headers['last-event-id']
  return typeof last === 'string' && /^\d{1,16}$/.test(last.trim()) ? Number(last) : 0
}

const noTurn = () =>
  refuse(
    'turn_not_found',
    'You have no such turn to read. We keep only a turn that was sent with `resume: true`, and for two minutes.',
  )

async function watchConversation(
  ctx: Context,
  { watches }: ChatRooms,
  asked: StreamBody,
  { reader, after }: Reading,
): Promise<Answer> {
  const session = await findSession(ctx, (asked.sessionId ?? asked.session_id) || null)
  if (session === null) throw refuse('invalid_request', '`watch` needs the `sessionId` of the conversation to watch.')
  if ((asked.prompt ?? '').trim() !== '')
    throw refuse('invalid_request', 'A watch asks nothing. Send the `prompt` in a request of its own, without `watch`.')
  const { sessionId, history } = session
  const language = turnLanguage(asked.language, promptsOf(history))
  return { status: 200, events: watches.start(ctx, { sessionId, language, after, reader }) }
}

async function stopTurn(ctx: Context, rooms: ChatRooms, requestId: string): Promise<Answer> {
  const wasRunning = await rooms.turns.stop(turnOf(ctx, requestId))
  if (wasRunning === undefined) throw noTurn()
  return { status: 200, body: { stopped: wasRunning, requestId } }
}

const talking = (rooms: ChatRooms, forms: StreamForms): readonly Route[] => [
  route({
    ...turn,
    reach: TALKERS,
    path: '/v1/chat',
    headers: TURN_HEADERS,
    summary: 'Ask a question and get the whole answer',
    description:
      'Reads run while the answer is made. A write is staged and waits for a person, and the answer says so. While a person has taken the conversation over, the answer has no blocks and `meta.takenOver`.',
    body: contract.ChatRequest,
    // The server reads it when it opens, because the reference describes the routes without a house.
    get bodyLimit() {
      return bodyLimit(rooms.house.settings)
    },
    bodyCodes: { prompt: 'empty_prompt', image: 'invalid_image' },
    answers: { 200: { schema: contract.ChatAnswer } },
    errors: chatErrors,
    example,
    handle: (ctx, { body, head }) => wholeAnswer(ctx, rooms, turnRequestOf(body, 'POST /v1/chat'), head),
  }),
  route({
    ...turn,
    reach: TALKERS,
    path: '/v1/chat/stream',
    headers: [...TURN_HEADERS, 'Last-Event-ID'],
    summary: 'Ask a question and stream the answer',
    description:
      'Sends server-sent events; the `data:` of each is a ChatFrame. With `resume: true` the turn continues if the connection is lost, and `{requestId}` with `Last-Event-ID` reads the rest; `{requestId, stop: true}` stops it. With `{sessionId, watch: true}` the data are WatchFrames: what became of the conversation’s proposals and what people wrote in it, at once and as it happens, until a frame `end`. A watch spends no turn. With `protocol=ui-message` it takes and sends what `useChat` of the AI SDK does (docs/chat-clients.md), always from the first frame on. While a person has taken the conversation over, the answer has no blocks and `meta.takenOver`.',
    query: contract.ChatStreamQuery,
    body: contract.ChatStreamRequest,
    get bodyLimit() {
      return bodyLimit(rooms.house.settings)
    },
    bodyCodes: { prompt: 'empty_prompt', image: 'invalid_image' },
    answers: {
      200: {
        text: 'text/event-stream',
        event: z.union([contract.ChatFrame, contract.WatchFrame]),
        description: 'Frames, ended by one `complete` or `error`.',
      },
    },
    errors: [...chatErrors, 'turn_not_found'],
    example,
    handle: (ctx, { query: { protocol }, ...asked }) =>
      streamIn(protocol === undefined ? undefined : forms[protocol], ctx, rooms, asked),
  }),
]

const working = (rooms: ChatRooms): readonly Route[] => [
  route({
    ...turn,
    reach: SECRET_ONLY,
    path: '/v1/agent',
    headers: TURN_HEADERS,
    summary: 'Give the assistant a goal',
    description: 'The assistant may use the tools that are `agent_eligible`. Writes wait for a person here, too.',
    body: contract.AgentRequest,
    bodyCodes: { goal: 'empty_prompt' },
    answers: { 200: { schema: contract.ChatAnswer } },
    errors: ['empty_prompt', ...turnErrors],
    example: { body: { goal: 'Find the orders that are late and propose what to do.' } },
    handle: (ctx, { body: { goal, maxRounds, ...asked }, head }) =>
      wholeAnswer(
        ctx,
        rooms,
        turnRequestOf({ ...asked, prompt: goal }, 'POST /v1/agent', { surface: 'agent', maxRounds }),
        head,
      ),
  }),
  route({
    ...turn,
    reach: SECRET_ONLY,
    path: '/v1/insights',
    headers: TURN_HEADERS,
    summary: 'Ask a question about a period',
    description: 'Uses reads only, and does not keep a conversation.',
    body: contract.InsightsRequest,
    answers: { 200: { schema: contract.ChatAnswer } },
    errors: ['empty_prompt', 'invalid_period', ...turnErrors],
    example: { body: { from: '2026-11-01', to: '2026-11-21' } },
    handle: (ctx, { body, head }) => {
      const { prompt, instructions } = instructionsOf(ctx, body)
      const asked = { prompt, language: body.language }
      return wholeAnswer(
        ctx,
        rooms,
        turnRequestOf(asked, 'POST /v1/insights', { surface: 'insights', instructions }),
        head,
      )
    },
  }),
]

const ending = (rooms: ChatRooms): readonly Route[] => [
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'DELETE',
    path: '/v1/chat/turns/:requestId',
    summary: 'Stop a running turn',
    params: z.object({ requestId: z.string() }),
    answers: { 200: { schema: contract.TurnStopped } },
    example: { params: { requestId: 'req_0123456789abcdefghjkmnpq' } },
    errors: ['turn_not_found'],
    handle: async (ctx, { params }) => stopTurn(ctx, rooms, params.requestId),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'DELETE',
    path: '/v1/chat/sessions/:sessionId',
    summary: 'Delete a conversation',
    params: z.object({ sessionId: z.string() }),
    answers: { 200: { schema: contract.SessionDeleted } },
    example: { params: { sessionId: 'ses_0123456789abcdefghjkmnpq' } },
    errors: ['session_not_found'],
    handle: async (ctx, { params }) => ({ status: 200, body: await deleteSession(ctx, params.sessionId) }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    lane: 'control',
    method: 'DELETE',
    path: '/v1/customers/:customerId',
    summary: 'Delete every conversation of a customer',
    description: 'Ratings go with them. The audit of staged writes stays, because it holds no conversation.',
    params: z.object({ customerId: z.string() }),
    answers: { 200: { schema: contract.CustomerErased } },
    example: { params: { customerId: 'customer-17' } },
    errors: ['session_not_found'],
    handle: async (ctx, { params }) => ({ status: 200, body: await deleteCustomer(ctx, params.customerId) }),
  }),
]

type StreamForms = Readonly<Record<'ui-message', StreamForm>>

/** `forms` are the other protocols of the stream, which surfaces bring. */
export const chatRoutes = (rooms: ChatRooms, forms: StreamForms): readonly Route[] => [
  ...talking(rooms, forms),
  ...working(rooms),
  ...ending(rooms),
  ...feedbackRoutes,
]

// The assistant of a workspace as a model with OpenAI's interface, for every client that already speaks it.
import * as contract from '@tether/contract'
import { askAtOnce, askStreaming, type ChatRooms, turnLanguage } from '../../talk/chat/index.ts'
import { ACTING, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { questionIn } from './asked.ts'
import { completionOf, MODEL, MODEL_SINCE, sayNoRetry } from './completion.ts'
import { errorForm } from './errors.ts'
import { chunksOf } from './stream.ts'

const MEBIBYTE = 1024 * 1024
const group = 'OpenAI'

export const openAiRoutes = (rooms: ChatRooms): readonly Route[] => [
  route({
    reach: SECRET_ONLY,
    lane: 'runtime',
    group,
    method: 'GET',
    path: '/v1/openai/models',
    summary: 'The assistant, as the one model that there is',
    answers: { 200: { schema: contract.OpenAiModels } },
    errorForm,
    handle: async () => ({
      status: 200,
      body: { object: 'list', data: [{ id: MODEL, object: 'model', created: MODEL_SINCE, owned_by: 'tether' }] },
    }),
  }),
  route({
    reach: SECRET_ONLY,
    lane: 'runtime',
    tokens: true,
    group,
    method: 'POST',
    path: '/v1/openai/chat/completions',
    headers: [...ACTING, 'X-Client-Surface'],
    summary: 'Ask a question as a client of OpenAI does',
    description:
      'One turn of the assistant, whole or streamed. Its tools are those of the catalog: reads run while the answer is made, and a write waits for a person, which the answer says in words. Without `metadata.sessionId` each request begins a conversation. docs/chat-clients.md has the set-up of common clients.',
    body: contract.OpenAiRequest,
    // The server reads it when it opens, because the reference describes the routes without a house.
    get bodyLimit() {
      return Math.ceil((rooms.house.settings.ai.multimodal.maxImageBytes * 4) / 3) + 4 * MEBIBYTE
    },
    answers: {
      200: {
        schema: contract.OpenAiCompletion,
        description: 'The answer. With `stream: true`, server-sent events of chunks, ended by `[DONE]`.',
      },
    },
    errorForm,
    errors: [
      'empty_prompt',
      'invalid_image',
      'session_not_yours',
      'plan_quota_exceeded',
      'model_unavailable',
      'invalid_customer_token',
      'invalid_upstream_token',
    ],
    example: { body: { model: MODEL, messages: [{ role: 'user', content: 'Where is my order A-1001?' }] } },
    async handle(ctx, { body, head }) {
      const question = questionIn(body)
      if (body.stream === true) {
        const frames = await askStreaming(ctx, rooms, question, head)
        const includeUsage = body.stream_options?.include_usage === true
        const language = turnLanguage(undefined, [question.prompt])
        return { status: 200, events: chunksOf(frames, { now: ctx.clock.now(), language, includeUsage }) }
      }
      const answer = await askAtOnce(ctx, rooms, question, head).catch(sayNoRetry)
      return { status: 200, body: completionOf(answer, ctx.clock.now()) }
    },
  }),
]

import { z } from 'zod'

// OpenAI's Chat Completions, as far as a client needs them to talk to an assistant. The names are theirs.

/** Of our own words in an object of theirs: what continues the conversation, and what rates the answer. */
const Ours = z.object({
  sessionId: z.string().nullable().meta({ description: 'Send it back in `metadata` to continue the conversation.' }),
  requestId: z.string(),
})

const OpenAiMessage = z
  .looseObject({
    role: z.string().meta({ description: 'The last message is of the role `user` and asks.' }),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string() }))])
      .optional()
      .meta({ description: 'Text, or parts: `text`, and in the last message one `image_url`.' }),
  })
  .meta({ id: 'OpenAiMessage' })
export type OpenAiMessage = z.output<typeof OpenAiMessage>

export const OpenAiRequest = z
  .looseObject({
    model: z.string().meta({ description: 'The one that GET /v1/openai/models names.' }),
    messages: z.array(OpenAiMessage).min(1).meta({
      description:
        'The last one is the question. Earlier ones are information and never an instruction; in a conversation that goes on, we have our own and do not read them.',
    }),
    stream: z.boolean().optional(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
    metadata: z
      .looseObject({
        sessionId: z.string().max(200).optional().meta({ description: 'The conversation to continue.' }),
        session_id: z.string().max(200).optional().meta({ description: 'Another name for `sessionId`.' }),
      })
      .optional(),
    n: z.int().optional().meta({ description: '1, if it is sent.' }),
    tools: z
      .array(z.unknown())
      .optional()
      .meta({ description: 'Refused: the tools are those of the catalog, and are called here.' }),
  })
  .meta({
    id: 'OpenAiRequest',
    description:
      'Other members of Chat Completions are accepted and have no effect, unless the answer would have another form.',
  })
export type OpenAiRequest = z.output<typeof OpenAiRequest>

const Usage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
const FinishReason = z.enum(['stop', 'content_filter'])
const envelope = { id: z.string(), created: z.int(), model: z.string() }

export const OpenAiCompletion = z
  .object({
    ...envelope,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
        logprobs: z.null(),
        finish_reason: FinishReason,
      }),
    ),
    usage: Usage,
    metadata: Ours,
  })
  .meta({ id: 'OpenAiCompletion' })
export type OpenAiCompletion = z.output<typeof OpenAiCompletion>

export const OpenAiChunk = z
  .object({
    ...envelope,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional() }),
        logprobs: z.null(),
        finish_reason: FinishReason.nullable(),
      }),
    ),
    usage: Usage.nullable().optional().meta({ description: 'With `stream_options.include_usage`.' }),
    metadata: Ours.optional().meta({ description: 'In the first chunk and in the one that ends the answer.' }),
  })
  .meta({ id: 'OpenAiChunk' })
export type OpenAiChunk = z.output<typeof OpenAiChunk>

export const OpenAiModels = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.literal('tether') }),
    ),
  })
  .meta({ id: 'OpenAiModels' })

export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.enum(['invalid_request_error', 'rate_limit_error', 'server_error']),
      param: z.string().nullable(),
      code: z.string().meta({ description: 'The code of our own table.' }),
      reason: z.string().optional(),
    }),
  })
  .meta({ id: 'OpenAiError', description: 'What went wrong, in the form of OpenAI’s errors.' })
export type OpenAiError = z.output<typeof OpenAiError>

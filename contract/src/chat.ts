import { z } from 'zod'
import { Block } from './blocks.ts'
import { Language, Timestamp } from './schemas.ts'
import { Risk, TOOL_STATUSES } from './tools.ts'

const SessionRef = z.string().max(200).nullable().optional()

export const ChatImage = z.object({
  data: z.string().optional().meta({ description: 'The picture itself, in base64.' }),
  url: z.string().optional().meta({ description: 'Or the https address of the picture.' }),
  mimeType: z.string().optional(),
})

const asked = {
  sessionId: SessionRef.meta({ description: 'The conversation to continue. Without it, a new one begins.' }),
  session_id: SessionRef.meta({ description: 'Another name for `sessionId`.' }),
  capabilityMode: z
    .enum(['Standard', 'Deep'])
    .optional()
    .meta({ description: '`Deep` also offers the tools for deep analysis, on plans that allow it.' }),
  enableWriteActions: z
    .boolean()
    .optional()
    .meta({ description: 'Also offers writes that are not for chat. Only secret and agent keys may set it.' }),
  language: z
    .string()
    .max(40)
    .optional()
    .meta({ description: '`ka` or `en`. The default is the language of the prompt.' }),
  image: ChatImage.optional(),
}

export const ChatRequest = z.object({ prompt: z.string(), ...asked }).meta({ id: 'ChatRequest' })

/** A message as the AI SDK of Vercel keeps it, as far as we read it. */
export const UiMessage = z
  .looseObject({
    role: z.enum(['system', 'user', 'assistant']),
    parts: z.array(z.looseObject({ type: z.string() })).meta({
      description:
        'Of the last message we read the parts `text` and `file` (one picture). Nothing else is read as words.',
    }),
    metadata: z.unknown().optional().meta({ description: 'Of the last answer we read the `sessionId`.' }),
  })
  .meta({ id: 'UiMessage' })
export type UiMessage = z.output<typeof UiMessage>

export const ChatStreamQuery = z.object({
  protocol: z
    .enum(['ui-message'])
    .optional()
    .meta({ description: 'Answers the UI message stream of the AI SDK, for `useChat`, instead of ChatFrames.' }),
})

export const ChatStreamRequest = z
  .object({
    prompt: z.string().optional(),
    ...asked,
    messages: z.array(UiMessage).optional().meta({
      description: 'With `protocol=ui-message`, instead of a prompt: what `useChat` sends. The last one asks.',
    }),
    resume: z
      .boolean()
      .optional()
      .meta({ description: 'The turn continues if its reader leaves, and can be read again.' }),
    requestId: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Instead of a prompt: reads that turn again, from after the frame in `Last-Event-ID`.' }),
    stop: z.boolean().optional().meta({ description: 'With `requestId`: stops that turn.' }),
    watch: z.boolean().optional().meta({
      description:
        'With `sessionId`, instead of a prompt: tells what becomes of the conversation’s proposals. The frames are WatchFrames.',
    }),
  })
  .meta({ id: 'ChatStreamRequest' })

export const AgentRequest = z
  .object({
    goal: z.string(),
    sessionId: SessionRef,
    session_id: SessionRef,
    enableWriteActions: z.boolean().optional(),
    maxRounds: z
      .int()
      .optional()
      .meta({ description: 'The most rounds that may call tools, up to the plan’s number.' }),
    language: z.string().max(40).optional(),
  })
  .meta({ id: 'AgentRequest' })

export const InsightsRequest = z
  .object({
    prompt: z.string().optional(),
    from: z.string().optional().meta({ description: 'A date or a timestamp.' }),
    to: z.string().optional(),
    language: z.string().max(40).optional(),
  })
  .meta({ id: 'InsightsRequest' })

export const RESULT_PATHS = ['ok', 'out_of_scope', 'budget_exceeded', 'error', 'canceled'] as const
export type ResultPath = (typeof RESULT_PATHS)[number]

export const Proposal = z
  .object({
    actionId: z.string(),
    tool: z.string(),
    title: z.string().meta({ description: 'What people call the tool, in the language of the turn.' }),
    summary: z.string(),
    risk: Risk,
    arguments: z.unknown().meta({ description: 'The arguments that would be sent, as they were staged.' }),
    labels: z.record(z.string(), z.string()).optional().meta({
      description:
        'What people call the arguments, in the language of the turn; those that are called otherwise than by their name.',
    }),
    shown: z.record(z.string(), z.string()).optional().meta({
      description:
        'Arguments whose values have characters that nobody sees, such as direction marks, as people should read them: each such character by its code.',
    }),
    expiresAt: Timestamp,
    confirmationToken: z.string().optional().meta({
      description: 'Only for a caller who may confirm: a secret key, or a customer whom the policy allows to.',
    }),
  })
  .meta({ id: 'Proposal' })
export type Proposal = z.output<typeof Proposal>

export const Source = z
  .object({ kind: z.enum(['knowledge', 'page', 'feed']), title: z.string(), url: z.string().nullable() })
  .meta({ id: 'Source' })
export type Source = z.output<typeof Source>

export const CalledTool = z.object({ tool: z.string(), status: z.enum(TOOL_STATUSES), durationMs: z.int() })
export type CalledTool = z.output<typeof CalledTool>

export const Handoff = z.object({ trigger: z.enum(['assistant', 'visitor']), reason: z.string(), summary: z.string() })
export type Handoff = z.output<typeof Handoff>

export const Decision = z
  .object({
    actionId: z.string(),
    status: z.enum(['executed', 'failed', 'rejected', 'expired', 'indeterminate', 'precondition_failed']),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why. Null for a page or an agent, unless whoever declined it said `tellVisitor`.' }),
    text: z.string().meta({ description: 'The same in words for the visitor, in the language of the turn.' }),
  })
  .meta({ id: 'ChatDecision' })
export type Decision = z.output<typeof Decision>

export const ChatMeta = z
  .object({
    preview: z.boolean(),
    previewSources: z.array(z.string()),
    sources: z.array(Source),
    resultPath: z.enum(RESULT_PATHS),
    toolCalls: z.array(CalledTool),
    proposals: z.array(Proposal),
    decisions: z
      .array(Decision)
      .meta({ description: 'What became of the earlier proposals of this conversation that no longer wait.' }),
    handoff: Handoff.nullable(),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), model: z.string() }),
    language: Language,
    capabilityMode: z.enum(['Standard', 'Deep']),
    takenOver: z.boolean().meta({
      description: 'True if a person has taken the conversation over: no model was asked, and the person was told.',
    }),
  })
  .meta({ id: 'ChatMeta' })

export const ChatAnswer = z
  .object({
    session_id: z.string().nullable(),
    sessionId: z.string().nullable().meta({ description: 'The conversation, or null if none is kept.' }),
    request_id: z.string(),
    requestId: z.string(),
    blocks: z.array(Block),
    meta: ChatMeta,
  })
  .meta({ id: 'ChatAnswer' })
export type ChatAnswer = z.output<typeof ChatAnswer>

/** Codes of a stream's `error` frame. */
export const FRAME_CODES = [
  'MODEL_UNAVAILABLE',
  'RATE_LIMITED',
  'ORG_DAILY_BUDGET_EXCEEDED',
  'ORG_MONTHLY_BUDGET_EXCEEDED',
  'GLOBAL_DAILY_BUDGET_EXCEEDED',
  'GLOBAL_MONTHLY_BUDGET_EXCEEDED',
  'CANCELED',
  'TURN_TIMEOUT',
  'TURN_LOST',
  'DATABASE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const
export type FrameCode = (typeof FRAME_CODES)[number]

const frame = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

export const ChatFrame = z
  .discriminatedUnion('type', [
    frame('start', { requestId: z.string(), sessionId: z.string().nullable() }),
    frame('status', { stage: z.enum(['retrieving', 'thinking', 'calling']), tool: z.string().optional() }),
    frame('delta', { text: z.string() }),
    frame('tool', CalledTool.shape),
    frame('proposal', { proposal: Proposal }),
    frame('block', { index: z.int(), block: Block }),
    frame('complete', ChatAnswer.shape),
    frame('error', {
      code: z.enum(FRAME_CODES),
      message: z.string(),
      retryAfterSeconds: z.number().optional(),
      errorId: z.string().optional(),
    }),
  ])
  .meta({ id: 'ChatFrame', description: 'The `data:` of one frame. Exactly one `complete` or `error` ends a stream.' })
export type ChatFrame = z.output<typeof ChatFrame>

export const PersonsMessage = z
  .object({
    id: z.string(),
    from: z.object({ name: z.string() }).meta({
      description: 'The person, or the business where nobody was named.',
    }),
    text: z.string(),
    at: Timestamp,
    after: z.string().nullable().meta({ description: 'The `requestId` of the visitor’s turn that it follows.' }),
  })
  .meta({ id: 'PersonsMessage', description: 'What a person at the business wrote.' })
export type PersonsMessage = z.output<typeof PersonsMessage>

export const WatchFrame = z
  .discriminatedUnion('type', [
    frame('decision', Decision.shape),
    frame('message', PersonsMessage.shape),
    frame('end', {}),
  ])
  .meta({ id: 'WatchFrame', description: 'The `data:` of one frame of a watch. An `end` asks to watch again.' })
export type WatchFrame = z.output<typeof WatchFrame>

export const TurnStopped = z
  .object({ stopped: z.boolean(), requestId: z.string() })
  .meta({ id: 'TurnStopped', description: '`stopped` is false if the turn had already ended.' })
export const SessionDeleted = z
  .object({ deleted: z.literal(true), sessionId: z.string() })
  .meta({ id: 'SessionDeleted' })
export const CustomerErased = z
  .object({ deleted: z.literal(true), customerId: z.string(), sessions: z.int() })
  .meta({ id: 'CustomerErased' })

export const FeedbackRequest = z
  .object({
    sessionId: z.string().min(1).max(200),
    requestId: z.string().min(1).max(200),
    rating: z.enum(['up', 'down']),
    comment: z.string().max(1000).nullable().optional(),
  })
  .meta({ id: 'FeedbackRequest' })
export const FeedbackRecorded = z
  .object({ recorded: z.literal(true), rating: z.enum(['up', 'down']), replaced: z.boolean() })
  .meta({ id: 'FeedbackRecorded' })
export const FeedbackRecord = z
  .object({
    sessionId: z.string(),
    requestId: z.string(),
    rating: z.enum(['up', 'down']),
    comment: z.string().nullable(),
    customerId: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FeedbackRecord' })
export const FeedbackList = z.object({ feedback: z.array(FeedbackRecord), count: z.int() }).meta({ id: 'FeedbackList' })

const totals = {
  conversations: z.int(),
  turns: z.int(),
  answered: z.int(),
  handedOff: z.int(),
  proposals: z.int(),
  executed: z.int(),
  verified: z.int(),
  unverified: z.int(),
  rejected: z.int(),
  expired: z.int(),
  ratings: z.object({ up: z.int(), down: z.int() }),
}
export const Outcomes = z
  .object({
    from: Timestamp,
    to: Timestamp,
    totals: z.object({
      ...totals,
      unanswered: z
        .array(z.object({ question: z.string(), count: z.int(), lastAskedAt: Timestamp }))
        .meta({ description: 'The 20 asked most often among the latest 500 of the period that got no answer.' }),
    }),
  })
  .meta({ id: 'Outcomes' })
export const OutcomesDaily = z
  .object({ from: Timestamp, to: Timestamp, days: z.array(z.object({ date: z.string(), ...totals })) })
  .meta({ id: 'OutcomesDaily' })
export const OutcomesQuery = z.object({
  from: z
    .string()
    .optional()
    .meta({ description: 'A date (midnight UTC) or a timestamp. The default is 30 days ago.' }),
  to: z.string().optional().meta({ description: 'The end of the period, which is not included. The default is now.' }),
})

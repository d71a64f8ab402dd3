import { z } from 'zod'
import { ACTION_STATES } from './actions.ts'
import { Block } from './blocks.ts'
import { CalledTool, PersonsMessage, RESULT_PATHS } from './chat.ts'
import { Language, Limit, Timestamp } from './schemas.ts'

const Rating = z.enum(['up', 'down'])
const Before = z.string().max(200).optional().meta({ description: 'For paging: the `nextBefore` of the page before.' })
const NextBefore = z.string().nullable().meta({ description: 'The `before` of the next page, or null after the last.' })

export const CONVERSATIONS_PAGE = { most: 200, preset: 50 } as const

export const ConversationsQuery = z.object({
  from: z.string().optional().meta({ description: 'Begun at or after this date (midnight UTC) or timestamp.' }),
  to: z.string().optional().meta({ description: 'Begun before this one.' }),
  handedOff: z.enum(['true', 'false']).optional(),
  rating: Rating.optional().meta({ description: 'The latest rating in the conversation.' }),
  customer: z.string().min(1).max(200).optional().meta({ description: 'Only those of this verified customer.' }),
  limit: Limit(CONVERSATIONS_PAGE.most, CONVERSATIONS_PAGE.preset),
  before: Before,
})

const heading = {
  sessionId: z.string(),
  startedAt: Timestamp,
  lastAt: Timestamp,
  customerId: z.string().nullable().meta({ description: 'The verified customer, or null.' }),
  handedOff: z.boolean().meta({ description: 'True once a turn, or the check of a write, called for a person.' }),
  rating: Rating.nullable().meta({ description: 'The latest rating in it.' }),
  language: Language.nullable().meta({ description: 'That of its latest turn.' }),
}

export const Conversation = z
  .object({ ...heading, turns: z.int().meta({ description: 'How often the visitor spoke.' }) })
  .meta({ id: 'Conversation' })

export const ConversationList = z
  .object({ conversations: z.array(Conversation), count: z.int(), nextBefore: NextBefore })
  .meta({ id: 'ConversationList' })

export const TranscriptQuery = z.object({
  limit: Limit(CONVERSATIONS_PAGE.most, CONVERSATIONS_PAGE.preset),
  before: Before,
})

const TranscriptTurn = z
  .object({
    requestId: z.string(),
    at: Timestamp,
    prompt: z.string(),
    blocks: z.array(Block),
    toolCalls: z.array(CalledTool),
    proposals: z.array(
      z.object({
        actionId: z.string(),
        tool: z.string(),
        title: z.string(),
        summary: z.string(),
        status: z.enum(ACTION_STATES).meta({ description: 'What has become of it by now.' }),
        reason: z.string().nullable(),
        settledAt: Timestamp.nullable(),
        verification: z.object({ status: z.string(), reason: z.string().nullable() }).nullable(),
        replaces: z.string().nullable().meta({ description: 'The proposal that somebody amended into this one.' }),
      }),
    ),
    rating: z.object({ rating: Rating, comment: z.string().nullable(), at: Timestamp }).nullable(),
    handoffs: z.array(
      z.object({
        trigger: z.enum(['assistant', 'visitor', 'unverified_outcome']),
        reason: z.string().nullable(),
        summary: z.string(),
      }),
    ),
    resultPath: z.enum(RESULT_PATHS),
    takenOver: z.boolean().meta({ description: 'True if a person had taken over, so that the assistant was silent.' }),
  })
  .meta({ id: 'TranscriptTurn' })

const takeover = {
  takenOver: z.boolean().meta({ description: 'True while a person has taken over and the assistant is silent.' }),
  takenOverUntil: Timestamp.nullable().meta({ description: 'When that lapses unless a person writes.' }),
  takenOverBy: PersonsMessage.shape.from.nullable(),
}

export const Transcript = z
  .object({
    ...heading,
    ...takeover,
    turns: z.array(TranscriptTurn).meta({ description: 'The latest ones of the conversation, the oldest first.' }),
    messages: z.array(PersonsMessage).meta({ description: 'What people at the business wrote meanwhile.' }),
    nextBefore: NextBefore,
  })
  .meta({ id: 'Transcript' })

const UserId = z.int().positive().nullable().optional().meta({
  description: 'A registered person, whose name the visitor reads. Without one they read that of the business.',
})

export const MessageRequest = z
  .object({
    text: z.string(),
    userId: UserId,
    idempotencyKey: z.string().min(1).max(200).nullable().optional().meta({
      description: 'The same key again answers the first message and writes no second one.',
    }),
  })
  .meta({ id: 'MessageRequest' })
export const MessageSent = z
  .object({ sessionId: z.string(), message: PersonsMessage, ...takeover })
  .meta({ id: 'MessageSent' })

export const TakeoverRequest = z.object({ userId: UserId }).meta({ id: 'TakeoverRequest' })
export const Takeover = z.object({ sessionId: z.string(), ...takeover }).meta({ id: 'Takeover' })

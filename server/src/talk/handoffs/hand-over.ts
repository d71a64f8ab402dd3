import type { Handoff, Language, ToolStatus } from '@tether/contract'
import type { Json, JsonObject } from '../../kernel/json/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'
import { storableText, withSignsTold } from '../../kernel/text/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { checkArguments, reservedName } from '../../tools/catalog/index.ts'
import { findDestination, markHandedOver } from './queries.ts'

export const HANDOFF: OfferedTool = {
  name: reservedName,
  isWrite: false,
  description:
    'Hands this conversation over to a person at the business. Use it when the visitor asks for a person or when you cannot help.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'The reason for the handoff, in one sentence.' },
      summary: { type: 'string', description: 'What the person needs to know to continue the conversation.' },
      asked_by_visitor: { type: 'boolean', description: 'True if the visitor asked for a person.' },
    },
    required: ['reason', 'summary'],
  },
}

/** Of what the visitor said last; the rest stands in the conversation. */
const MOST_WORDS = 4000

/** Text for the people of the business, and for its own server, whose storage may accept neither NUL nor half a character. */
const cleanText = (text: Json | undefined, most: number): string =>
  storableText(withSignsTold(storableText(String(text).slice(0, most))).slice(0, most))

type Conversation = {
  readonly ctx: Context
  readonly sessionId: string | null
  readonly requestId: string
  readonly prompt: string
  readonly language: Language
}
type Parts = { handOver(ctx: Context, told: HandoffToTell): Promise<boolean> }

/** What a model is told of it. */
type HandedOver = { readonly status: ToolStatus; readonly text: string; readonly handoff?: Handoff }

export async function handOver(
  parts: Parts,
  { ctx, sessionId, requestId, prompt, language }: Conversation,
  given: JsonObject | undefined,
): Promise<HandedOver> {
  const checked = checkArguments({ parameters: HANDOFF_PARAMETERS }, given ?? null)
  if (given === undefined || !checked.ok)
    return { status: 'failed', text: `${checked.ok ? '' : checked.message} Nothing was handed over.` }
  const handoff: Handoff = {
    trigger: given.asked_by_visitor === true ? 'visitor' : 'assistant',
    reason: cleanText(given.reason, 1000),
    summary: cleanText(given.summary, 4000),
  }
  const text = cleanText(prompt, MOST_WORDS)
  if (!(await parts.handOver(ctx, { sessionId, requestId, handoff, text, language })))
    return { status: 'not_configured', text: NOBODY_TOLD }
  return {
    status: 'ok',
    text: 'A person has been notified and will take over from here. Tell the visitor so.',
    handoff,
  }
}

const NOBODY_TOLD =
  'No person was notified, because this assistant cannot reach one. Tell the visitor so, and that they can contact the business directly.'

// The cast is true because we declare the parameters ourselves, as JSON.
const HANDOFF_PARAMETERS = HANDOFF.parameters as JsonObject

export type HandoffToTell = {
  readonly sessionId: string | null
  readonly requestId: string
  readonly handoff: Handoff
  /** What the visitor said last. */
  readonly text: string
  readonly language: Language
}

/**
 * Announces a handoff. True if the business has somewhere to hear of it: the event is then tried until it is taken. A turn hands
 * over once, however often its model asks for it, so whoever plays the turn names the event.
 */
export async function announceHandoff(
  { db, asking: { tenantId, customer } }: Pick<Context, 'db' | 'asking'>,
  { sessionId, requestId, handoff, text, language }: HandoffToTell,
  eventId: string,
): Promise<boolean> {
  if (sessionId === null) return false
  const fields = JSON.stringify({ ...handoff, text, customer_id: customer?.id ?? null, language })
  await db.run(markHandedOver, { tenantId, sessionId, requestId, eventId, fields })
  return (await db.one(findDestination, { tenantId })) !== undefined
}

import type { Language } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import { storableText } from '../../kernel/text/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import * as sql from './queries.ts'
import { noConversation, type TakeoverState, takeoverFrom, takeoverSeconds, whyNot } from './takeover.ts'

/** What a person at the business wrote. */
export type Message = {
  readonly id: string
  readonly from: { readonly name: string }
  readonly text: string
  readonly at: Date
  /** The visitor's turn that it follows. */
  readonly after: string | null
}

const MOST_CHARACTERS = 4000

/** Without a registered person the business itself speaks. */
export const messageFrom = ({ asking }: Context, { id, name, text, at, after }: sql.MessageRow): Message => ({
  id,
  from: { name: name ?? asking.tenantName },
  text,
  at,
  after,
})

type SayInput = {
  readonly sessionId: string
  readonly text: string
  readonly userId: number | null
  /** The same key again writes nothing. */
  readonly idempotencyKey: string | null
}

/** A person answers the visitor. If they, or somebody else, had taken over, the assistant stays silent for as long again. */
export async function say(ctx: Context, { idempotencyKey, ...input }: SayInput): Promise<Message & TakeoverState> {
  const { db, asking } = ctx
  const { sessionId, userId } = input
  const text = storableText(input.text).trim()
  if (text === '') throw refuse('invalid_request', '`text` is empty. Send what the visitor should read.')
  if (text.length > MOST_CHARACTERS)
    throw refuse('invalid_request', `\`text\` is longer than ${MOST_CHARACTERS} characters. Send it in parts.`)
  const messageKey = idempotencyKey === null ? null : storableText(idempotencyKey)
  const { tenantId } = asking
  const messageId = newId('msg')
  const seconds = takeoverSeconds(ctx)
  const row =
    (await db.one(sql.insertMessage, { tenantId, sessionId, messageId, messageKey, userId, text, seconds })) ??
    (await writtenBefore(ctx, sessionId, messageKey, text))
  if (row === undefined) throw await whyNot(ctx, { sessionId, userId })
  const takeover = await db.one(sql.findTakeover, { tenantId, sessionId })
  if (takeover === undefined) throw noConversation()
  return { ...messageFrom(ctx, row), ...takeoverFrom(ctx, takeover) }
}

async function writtenBefore(
  { db, asking: { tenantId } }: Context,
  sessionId: string,
  messageKey: string | null,
  text: string,
): Promise<sql.MessageRow | undefined> {
  if (messageKey === null) return undefined
  const row = await db.one(sql.findMessage, { tenantId, sessionId, messageKey })
  if (row === undefined || row.text === text) return row
  throw refuse(
    'idempotency_conflict',
    'This `idempotencyKey` has already sent another text. Use a new key for each new message.',
  )
}

type NumberedMessage = Message & {
  /** When it was written, in microseconds. */
  readonly number: number
}

const MOST_MESSAGES = 200

/** What people wrote after a moment, in microseconds. Whoever asks has proved that the conversation is theirs. */
export async function messagesAfter(
  ctx: Context,
  sessionId: string,
  after: number,
): Promise<readonly NumberedMessage[]> {
  const { db, asking } = ctx
  const rows = await db.rows(sql.listMessages, { tenantId: asking.tenantId, sessionId, after, limit: MOST_MESSAGES })
  return rows.map(({ number, ...row }) => ({ ...messageFrom(ctx, row), number }))
}

type Words = {
  readonly sessionId: string
  readonly requestId: string
  readonly text: string
  readonly language: Language
}

/** Keeps and announces what the visitor says while a person has taken over. False: nobody has, and the assistant answers. */
export async function keepWords({ db, asking: { tenantId } }: Context, { text, ...words }: Words): Promise<boolean> {
  const ids = { messageId: newId('msg'), eventId: newId('evt') }
  return (await db.one(sql.insertWords, { tenantId, ...words, ...ids, text: storableText(text) })) !== undefined
}

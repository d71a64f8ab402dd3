import { z } from 'zod'
import { refuse } from '../../kernel/http/index.ts'
import { askerOf, findWidgetKey, widgetKey } from '../../tenancy/access/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { type AnyMailKind, anyKind, queueMail, type ToWrite } from '../../tenancy/mail/index.ts'
import { checkedEmail, languageOf, tenantOf } from '../../tenancy/tenants/index.ts'
import { instructionsLetter } from './instructions-letter.ts'
import { readOriginRow } from './origins.ts'
import { readGreeting, readLanguage } from './words.ts'

const KIND = 'embed_instructions'
const HOUR = 3_600_000

const Fields = z.object({ greeting: z.string().nullable() })

type InstructionsInput = {
  readonly email: string
  readonly language?: string | undefined
  readonly greeting?: string | undefined
}

const MESSAGES = {
  queued: 'The instructions are on their way.',
  held: 'The instructions will be sent as soon as the address of this workspace is confirmed.',
  not_sent: 'This deployment sends no mail. Pass on the snippet of POST /v1/embed instead.',
} as const

/** Mails the instructions to whoever looks after the pages. */
export async function sendInstructions(ctx: Context, input: InstructionsInput) {
  const { tenantId } = ctx.asking
  const email = checkedEmail(input.email)
  const own = languageOf((await tenantOf(ctx, tenantId)).language)
  const language = readLanguage(input.language, own)
  const greeting = readGreeting(input.greeting) ?? null
  const most = ctx.settings.mail.maxEmbedInstructionsPerHour
  // The mail must contain a snippet, so make the key if there is none.
  await widgetKey(ctx, askerOf(ctx.asking))
  const status = await ctx.db.transaction((tx) =>
    queueMail(tx, ctx, {
      tenantId,
      kind: KIND,
      to: email,
      language,
      fields: { greeting },
      limit: { most, windowMs: HOUR, per: 'workspace' },
    }),
  )
  if (status === 'limited') {
    throw refuse('embed_mail_limit', `A workspace may send ${most} of these mails an hour. Try again later.`)
  }
  const reason = status === 'held' ? { reason: 'third_party_mail' as const } : {}
  return { email, status, ...reason, message: MESSAGES[status] }
}

/** Reads the key when the mail leaves, so that no mail contains a key that was rotated meanwhile. */
async function compose(house: House, { tenantId, language, fields }: ToWrite<z.output<typeof Fields>>) {
  const key = await findWidgetKey(house, tenantId)
  if (key === undefined) return null
  const { origins } = await readOriginRow(house, tenantId)
  return instructionsLetter({
    key: key.key,
    endpoint: house.settings.http.publicUrl,
    language,
    greeting: fields.greeting ?? undefined,
    origins,
  })
}

export const embedLetters: readonly AnyMailKind[] = [anyKind({ kind: KIND, fields: Fields, compose })]

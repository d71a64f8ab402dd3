import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type Queued, queueMail } from '../../tenancy/mail/index.ts'
import { checkedEmail, languageOf, tenantOf } from '../../tenancy/tenants/index.ts'
import { presentPerson, registerInvited } from '../approvals/index.ts'
import { rememberLanguage } from '../notices/index.ts'
import { INVITATION } from './letters.ts'

const HOUR = 3_600_000

export type InvitationInput = {
  readonly email: string
  readonly displayName?: string | undefined
  readonly role?: string | undefined
  readonly language?: string | undefined
}

/** Registers the person and mails them the way to the inbox, both or neither. The mail signs nobody in. */
export async function invite(ctx: Context, input: InvitationInput) {
  const { tenantId } = ctx.asking
  const email = checkedEmail(input.email)
  const language = languageOf(input.language ?? (await tenantOf(ctx, tenantId)).language)
  const most = ctx.settings.mail.maxInvitationsPerHour
  return await ctx.db.transaction(async (tx) => {
    const person = await registerInvited(tx, tenantId, { email, displayName: input.displayName, role: input.role })
    const user = presentPerson(person)
    if (input.language !== undefined) await rememberLanguage({ db: tx }, { tenantId, personId: person.id }, language)
    if (!person.active) return { invited: true as const, user, status: 'not_sent' as const, reason: 'user_inactive' }
    const status = await queueMail(tx, ctx, {
      tenantId,
      kind: INVITATION,
      // As it is registered, whatever was typed.
      to: person.email ?? email,
      language,
      fields: { name: person.displayName },
      limit: { most, windowMs: HOUR, per: 'workspace' },
    })
    // It rolls the registration back.
    if (status === 'limited') {
      throw refuse('invitation_limit', `A workspace may send ${most} invitations an hour. Try again later.`)
    }
    return { invited: true as const, user, status, ...REASONS[status] }
  })
}

const REASONS: Readonly<Record<Exclude<Queued, 'limited'>, { reason?: string }>> = {
  queued: {},
  held: { reason: 'third_party_mail' },
  not_sent: { reason: 'mail_not_configured' },
}

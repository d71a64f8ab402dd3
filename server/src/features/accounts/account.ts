import { INTENTS } from '@tether/contract'
import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { eraseTenant, noTenant, openAddress, setIntent, tenantOf } from '../../ground/tenants/index.ts'

export async function readAccount(ctx: Context) {
  const tenant = await tenantOf(ctx, ctx.asking.tenantId)
  return {
    tenantId: tenant.tenantId,
    name: tenant.name,
    plan: tenant.plan,
    selfServe: tenant.selfServe,
    emailConfirmed: tenant.emailConfirmedAt !== null,
    customerTokenKeyIssued: tenant.customerTokenKeyIssued,
    createdAt: tenant.createdAt.toISOString(),
  }
}

const RESEND = { method: 'POST', path: '/v1/account/confirmation' } as const

export async function readConfirmation(ctx: Context) {
  const tenant = await tenantOf(ctx, ctx.asking.tenantId)
  return {
    // This deployment confirms no addresses yet: every workspace is live from the start.
    required: false,
    confirmed: tenant.emailConfirmedAt !== null,
    confirmedAt: tenant.emailConfirmedAt?.toISOString() ?? null,
    email: openAddress(ctx, tenant),
    heldMail: 0,
    waits: [],
    resend: RESEND,
  }
}

/** A link can only be mailed, and this deployment sends no mail. */
export async function askConfirmation(ctx: Context, input: { email?: string | undefined }): Promise<never> {
  const { confirmed, email } = await readConfirmation(ctx)
  if (confirmed && (input.email === undefined || input.email === email)) {
    throw refuse(
      'already_confirmed',
      'The address is confirmed. Send `email` to move the workspace to another address.',
    )
  }
  throw refuse('signup_unavailable', 'This deployment sends no mail, so no address can be confirmed.', {
    reason: 'mail_not_configured',
  })
}

type Intent = (typeof INTENTS)[number]
const isIntent = (text: string): text is Intent => (INTENTS as readonly string[]).includes(text)

export async function changeIntent(ctx: Context, intent: string): Promise<{ intent: Intent }> {
  if (!isIntent(intent)) throw refuse('invalid_intent', `\`intent\` is one of ${INTENTS.join(', ')}.`)
  if ((await setIntent(ctx, ctx.asking.tenantId, intent)) === 0) throw noTenant()
  return { intent }
}

/** Deletes for ever, so the caller says which workspace it means, letter by letter. */
export async function deleteAccount(ctx: Context, confirm: string | undefined) {
  const { tenantId, tenantName } = ctx.asking
  if (confirm !== tenantName) {
    throw refuse(
      'confirmation_required',
      'This deletes the workspace for ever. Send `confirm` with its exact name (GET /v1/account).',
    )
  }
  if (!(await eraseTenant(ctx, tenantId))) throw noTenant()
  return { deleted: true as const, tenantId }
}

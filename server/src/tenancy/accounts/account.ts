import { INTENTS } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../context/index.ts'
import { eraseConfirmed, noTenant, setIntent, tenantOf } from '../tenants/index.ts'

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

type Intent = (typeof INTENTS)[number]
const isIntent = (text: string): text is Intent => (INTENTS as readonly string[]).includes(text)

export async function changeIntent(ctx: Context, intent: string): Promise<{ intent: Intent }> {
  if (!isIntent(intent)) throw refuse('invalid_intent', `\`intent\` must be one of ${INTENTS.join(', ')}.`)
  if ((await setIntent(ctx, ctx.asking.tenantId, intent)) === 0) throw noTenant()
  return { intent }
}

/** Deletes for ever, so the caller must spell out the name of the workspace. */
export async function deleteAccount(ctx: Context, confirm: string | undefined) {
  const { tenantId, tenantName } = ctx.asking
  return await eraseConfirmed(ctx, tenantId, confirm === tenantName, ' (GET /v1/account)')
}

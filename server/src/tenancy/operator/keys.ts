import type { Plan } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { grantProvider, issueKey, kindAsked, presentKey, revokeAnyKey, withdrawProvider } from '../access/index.ts'
import type { Context, OperatorAsking } from '../context/index.ts'
import { tenantOf, unconfirmed } from '../tenants/index.ts'
import { changeTenant } from './tenants.ts'

type OperatorContext = Context<OperatorAsking>
type OperatorKeyInput = {
  tenantId: number
  kind?: string | undefined
  label?: string | undefined
  plan?: Plan | undefined
}

export async function issueByOperator(ctx: OperatorContext, input: OperatorKeyInput) {
  const { tenantId, plan, label = null } = input
  const kind = kindAsked(input.kind ?? 'secret')
  const planned = plan === undefined ? undefined : (db: Queries) => changeTenant({ db }, tenantId, { plan })
  const issued = await issueKey(ctx, { tenantId, askingKey: null }, { kind, label }, planned)
  return { ...presentKey(issued), tenantId }
}

export async function revokeByOperator(ctx: OperatorContext, prefix: string, tenantId: number | undefined) {
  await revokeAnyKey(ctx, prefix, tenantId ?? null)
  return { revoked: true as const, prefix }
}

export async function makeProvider(ctx: OperatorContext, tenantId: number, label: string | undefined) {
  const tenant = await tenantOf(ctx, tenantId)
  if (tenant.providerTenantId !== null) {
    throw refuse('provisioned_tenant', 'A provider created this business, so it cannot become a provider itself.')
  }
  if (tenant.emailConfirmedAt === null) {
    throw unconfirmed('provider_grant')
  }
  const { key, prefix } = await grantProvider(ctx, tenantId, label ?? null)
  return { key, prefix, kind: 'provider' as const }
}

export async function unmakeProvider(ctx: OperatorContext, tenantId: number) {
  await tenantOf(ctx, tenantId)
  return { provider: false as const, revokedKeys: await withdrawProvider(ctx, tenantId) }
}

import { z } from 'zod'
import { IssuedKey } from './account.ts'
import { KeyPrefix, Limit, MOST_TENANTS, PlanName, TenantId, Timestamp } from './schemas.ts'

export const TenantRequest = z
  .object({
    name: z.string().meta({ description: 'The workspace’s name, 2 to 120 characters.', examples: ['Corner Shop'] }),
    plan: PlanName.optional(),
    email: z.string().optional(),
  })
  .meta({ id: 'TenantRequest' })

export const NewTenant = z
  .object({
    tenantId: TenantId,
    name: z.string(),
    plan: PlanName,
    apiKey: z.string().meta({ description: 'The first secret key, which is shown once.' }),
    keyPrefix: KeyPrefix,
    signingSecret: z.string().meta({ description: 'The secret, `whsec_…`, which is shown once.' }),
  })
  .meta({ id: 'NewTenant' })

const tenantRow = {
  tenantId: TenantId,
  name: z.string(),
  plan: PlanName,
  selfServe: z.boolean(),
  emailConfirmed: z.boolean(),
  provider: z.boolean(),
  providerId: TenantId.nullable().meta({ description: 'The provider whose business it is, or null.' }),
  createdAt: Timestamp,
}
export const TenantSummary = z.object(tenantRow).meta({ id: 'TenantSummary' })
export const TenantList = z
  .object({ tenants: z.array(TenantSummary), count: z.int(), nextAfter: z.int().nullable() })
  .meta({ id: 'TenantList' })
export const TenantListQuery = z.object({
  limit: Limit(200, 50),
  after: z.int().min(0).max(MOST_TENANTS).optional().meta({ description: 'Only tenants with a greater id.' }),
})

const usd = z.number().min(0).max(99_999_999)
export const TenantDetail = z
  .object({
    ...tenantRow,
    moderation: z.enum(['default', 'on', 'off']),
    budget: z.object({ dailyCapUsd: usd.nullable(), monthlyCapUsd: usd.nullable() }),
    liveKeys: z.int(),
    spend: z.object({ dailyUsd: usd, monthlyUsd: usd }),
  })
  .meta({ id: 'TenantDetail' })

export const TenantPatch = z
  .object({
    name: z.string().optional(),
    plan: PlanName.optional(),
    moderation: z.enum(['default', 'on', 'off']).optional(),
    budget: z
      .object({ dailyCapUsd: usd.nullable().optional(), monthlyCapUsd: usd.nullable().optional() })
      .optional()
      .meta({ description: 'A cap of null removes it.' }),
    providerId: TenantId.nullable()
      .optional()
      .meta({ description: 'Moves it to this provider; null makes it nobody’s business.' }),
  })
  .meta({ id: 'TenantPatch' })

export const ProviderRequest = z.object({ label: z.string().max(120).optional() })
export const ProviderKey = z
  .object({ key: z.string(), prefix: KeyPrefix, kind: z.literal('provider') })
  .meta({ id: 'ProviderKey' })
export const ProviderRevoked = z
  .object({ provider: z.literal(false), revokedKeys: z.int() })
  .meta({ id: 'ProviderRevoked' })

export const OperatorKeyRequest = z
  .object({
    tenantId: TenantId,
    kind: z.string().optional(),
    label: z.string().max(120).optional(),
    plan: PlanName.optional(),
  })
  .meta({ id: 'OperatorKeyRequest' })
export const OperatorIssuedKey = IssuedKey.extend({ tenantId: TenantId }).meta({ id: 'OperatorIssuedKey' })

import { z } from 'zod'
import { NewTenant } from './operator.ts'
import { Limit, MOST_TENANTS, PlanName, TenantId, Timestamp } from './schemas.ts'

// What a provider does with the businesses that it created.

/** What a provider may send to its businesses, in the order in which it is done. */
export const CONFIGURATION_PARTS = ['catalog', 'domain_pack', 'events_webhook', 'origins', 'policy'] as const
export const ConfigurationPart = z.enum(CONFIGURATION_PARTS).meta({ id: 'ConfigurationPart' })
export type ConfigurationPart = z.output<typeof ConfigurationPart>

/** More businesses than these are regular work. */
export const MOST_PUSHED_AT_ONCE = 20

export const BusinessRequest = z
  .object({
    name: z.string().meta({ description: 'The business’s name, 2 to 120 characters.', examples: ['Corner Shop'] }),
    plan: PlanName.optional(),
    email: z.string().optional(),
    configuration: z
      .array(ConfigurationPart)
      .max(20)
      .optional()
      .meta({ description: 'What to copy from your own workspace. The events webhook alone, unless set.' }),
  })
  .meta({ id: 'BusinessRequest' })

const NotCopied = z.object({ part: ConfigurationPart, error: z.string() })
export const NewBusiness = NewTenant.extend({
  configuration: z.array(ConfigurationPart).meta({ description: 'The parts that were copied.' }),
  refused: z.array(NotCopied).meta({ description: 'The parts that were asked for and not copied, with the reason.' }),
}).meta({ id: 'NewBusiness' })

const usd = z.number()
export const Business = z
  .object({
    tenantId: TenantId,
    name: z.string(),
    plan: PlanName,
    createdAt: Timestamp,
    liveKeys: z.int(),
    spend: z.object({ dailyUsd: usd, monthlyUsd: usd }),
  })
  .meta({ id: 'Business' })

const after = z.int().min(0).max(MOST_TENANTS)
const page = {
  count: z.int(),
  nextAfter: z.int().nullable().meta({ description: 'The value of `after` for the next page, or null.' }),
}
export const BusinessList = z.object({ tenants: z.array(Business), ...page }).meta({ id: 'BusinessList' })
export const BusinessListQuery = z.object({
  limit: Limit(200, 50),
  after: after.optional().meta({ description: 'Only businesses with a greater id.' }),
})

export const ConfigurationRequest = z
  .object({
    parts: z.array(ConfigurationPart).min(1).max(20),
    tenantIds: z
      .array(TenantId)
      .max(10_000)
      .optional()
      .meta({ description: 'The businesses that are meant. All of them, unless set.' }),
  })
  .meta({ id: 'ConfigurationRequest' })

export const PushResult = z
  .object({
    tenantId: TenantId,
    part: ConfigurationPart,
    status: z.enum(['applied', 'unchanged', 'refused']),
    error: z.string().optional().meta({ description: 'Why it was refused.' }),
  })
  .meta({ id: 'PushResult' })
export type PushResult = z.output<typeof PushResult>

const PushId = z.string().meta({ examples: ['psh_0123456789abcdef01234567'] })
export const ConfigurationResults = z.object({ results: z.array(PushResult) }).meta({ id: 'ConfigurationResults' })
export const PushAccepted = z
  .object({ pushId: PushId, total: z.int().meta({ description: 'How many businesses it is for.' }) })
  .meta({ id: 'PushAccepted' })
export const Push = z
  .object({
    pushId: PushId,
    total: z.int().meta({ description: 'How many businesses it is for.' }),
    done: z.int().meta({ description: 'How many of them are done with every part.' }),
    finishedAt: Timestamp.nullable(),
    results: z.array(PushResult).meta({ description: 'What is done so far, by business and part.' }),
  })
  .meta({ id: 'Push' })

const time = z.string().max(64).optional()
export const UsageQuery = z.object({
  from: time.meta({
    description: 'From the UTC day of this date or timestamp on; 30 days before the end, unless set.',
    examples: ['2026-11-01'],
  }),
  to: time.meta({
    description: 'Before this date, or up to the end of the UTC day of this timestamp; today, unless set.',
  }),
  limit: Limit(200, 50),
  after: after.optional().meta({ description: 'Only businesses with a greater id. The totals are of all of them.' }),
})

const used = {
  turns: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  executed: z.int().meta({ description: 'Staged writes that were executed.' }),
}
export const Usage = z
  .object({
    from: Timestamp,
    to: Timestamp,
    totals: z.object(used).meta({ description: 'Of all businesses, whichever page this is.' }),
    tenants: z.array(z.object({ tenantId: TenantId, name: z.string(), ...used })),
    ...page,
  })
  .meta({ id: 'Usage' })

export const InboxKeyRequest = z.object({ label: z.string().max(120).optional() }).meta({ id: 'InboxKeyRequest' })

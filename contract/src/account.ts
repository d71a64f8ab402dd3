import { z } from 'zod'
import { KeyKindName, KeyPrefix, Limit, PlanName, TenantId, Timestamp } from './schemas.ts'

export const Account = z
  .object({
    tenantId: TenantId,
    name: z.string(),
    plan: PlanName,
    selfServe: z.boolean(),
    emailConfirmed: z.boolean(),
    customerTokenKeyIssued: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Account' })

export const CustomerTokenKey = z
  .object({
    customerTokenKey: z.string().meta({ description: 'The HMAC key, `tck_…`, which is shown once.' }),
    tenantId: TenantId,
    algorithm: z.literal('HS256'),
    header: z.literal('X-Service-Customer-Token'),
    maxLifetimeSeconds: z.literal(3600),
  })
  .meta({ id: 'CustomerTokenKey' })

const keyEntry = {
  prefix: KeyPrefix,
  kind: KeyKindName,
  label: z.string().nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
}
const keyPlaintext = z.string().meta({ description: 'The key itself, which is shown once. We keep only its SHA-256.' })

export const Key = z.object(keyEntry).meta({ id: 'Key' })
export const IssuedKey = z.object({ ...keyEntry, key: keyPlaintext }).meta({ id: 'IssuedKey' })
export const RotatedKey = z
  .object({ ...keyEntry, key: keyPlaintext, revokedPrefix: KeyPrefix })
  .meta({ id: 'RotatedKey' })
export const KeyList = z.object({ keys: z.array(Key), count: z.int() }).meta({ id: 'KeyList' })

export const KeyRequest = z
  .object({
    // An unknown kind has its own error (`unknown_kind`), so the shape only asks for text.
    kind: z
      .string()
      .meta({ description: 'One of `secret`, `publishable`, `agent`, `inbox` or `ci`.', examples: ['agent'] }),
    label: z.string().max(120).optional(),
    allowReplace: z
      .boolean()
      .optional()
      .meta({ description: 'Only for `ci`: lets the key replace existing knowledge documents.' }),
  })
  .meta({ id: 'KeyRequest' })

export const RevokedKey = z.object({ revoked: z.literal(true), prefix: KeyPrefix }).meta({ id: 'RevokedKey' })
export const SigningSecret = z
  .object({ signingSecret: z.string().meta({ description: 'The secret, `whsec_…`, which is shown once.' }) })
  .meta({ id: 'SigningSecret' })

export const CompromiseRequest = z.object({ rotateSigningSecret: z.boolean().optional() })
export const Compromise = z
  .object({
    apiKey: z.string(),
    keyPrefix: KeyPrefix,
    revokedKeys: z.int(),
    signingSecret: z.string().nullable(),
    customerTokenKey: z.string().nullable(),
  })
  .meta({ id: 'Compromise' })

export const ACCOUNT_EVENTS = [
  'key.issued',
  'key.rotated',
  'key.revoked',
  'account.compromise',
  'signing_secret.rotated',
  'customer_token_key.issued',
  'intent.changed',
  'recovery.requested',
  'recovery.redeemed',
] as const
export type AccountEventType = (typeof ACCOUNT_EVENTS)[number]

export const AccountEvents = z
  .object({
    events: z.array(
      z.object({
        type: z.enum(ACCOUNT_EVENTS),
        at: Timestamp,
        keyPrefix: KeyPrefix.nullable(),
        callerHash: z.string().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AccountEvents' })
export const AccountEventsQuery = z.object({ limit: Limit(200, 200) })

export const INTENTS = ['bring_your_ai', 'answers', 'answers_and_actions'] as const
export const IntentRequest = z.object({ intent: z.string() })
export const Intent = z.object({ intent: z.enum(INTENTS) }).meta({ id: 'Intent' })

export const DeletionRequest = z.object({ confirm: z.string().optional() })
export const Deletion = z.object({ deleted: z.literal(true), tenantId: TenantId }).meta({ id: 'Deletion' })

import { z } from 'zod'
import { KeyPrefix, TenantId, Timestamp } from './schemas.ts'

/** What waits until a workspace's address is confirmed. These are the reasons of `email_unconfirmed`. */
export const WAITS = ['public_origin', 'third_party_mail', 'paid_plan', 'provider_grant', 'child_tenant'] as const
export type Wait = (typeof WAITS)[number]
export const RESEND = { method: 'POST', path: '/v1/account/confirmation' } as const

const waits = z.array(z.enum(WAITS)).meta({ description: 'What waits until the address is confirmed.' })
const resend = z.object({ method: z.literal('POST'), path: z.string() })
const language = z
  .string()
  .optional()
  .meta({ description: '`ka` makes the mail Georgian, anything else English.', examples: ['ka'] })
const exportLines = z
  .array(z.string())
  .length(3)
  .meta({ description: 'Lines for a shell with the address of the service, the key and the signing secret.' })
const token = z.string().max(8192).meta({ description: 'The token of the mailed link.' })

export const SignupRequest = z
  .object({
    email: z.string().meta({ examples: ['you@example.com'] }),
    name: z.string().meta({ description: 'The workspace’s name, 2 to 120 characters.', examples: ['Corner Shop'] }),
    language,
  })
  .meta({ id: 'SignupRequest' })

export const Signup = z
  .object({
    tenantId: TenantId,
    name: z.string(),
    plan: z.literal('free'),
    apiKey: z.string().meta({ description: 'The first secret key, which is shown once.' }),
    keyPrefix: KeyPrefix,
    signingSecret: z.string().meta({ description: 'The secret, `whsec_…`, which is shown once.' }),
    emailConfirmed: z.boolean(),
    confirmation: z.object({ sentTo: z.string(), resend, waits }).nullable(),
    exportLines,
    mcpUrl: z.string().optional().meta({ description: 'Where `/mcp` answers, on a deployment that has it.' }),
    apiBaseUrl: z.string(),
    nextSteps: z.array(z.string()),
    notice: z.string(),
  })
  .meta({ id: 'Signup' })

export const LinkRequest = z.object({ token }).meta({ id: 'LinkRequest' })
export const Confirmed = z
  .object({ confirmed: z.literal(true), tenantId: TenantId, name: z.string(), email: z.string() })
  .meta({ id: 'Confirmed' })

export const RecoverRequest = z.object({ email: z.string(), language }).meta({ id: 'RecoverRequest' })
export const RecoverAccepted = z
  .object({ accepted: z.literal(true), email: z.string(), message: z.string() })
  .meta({ id: 'RecoverAccepted' })

export const RedeemRequest = z
  .object({ token, rotateSigningSecret: z.boolean().optional() })
  .meta({ id: 'RedeemRequest' })
export const Redeemed = z
  .object({
    tenantId: TenantId,
    name: z.string(),
    apiKey: z.string().meta({ description: 'The new secret key, which is shown once.' }),
    keyPrefix: KeyPrefix,
    revokedKeys: z.int().meta({ description: 'How many secret keys were revoked.' }),
    signingSecret: z
      .string()
      .nullable()
      .meta({ description: 'The new secret, if you asked for one. It is shown once.' }),
    exportLines,
    note: z.string(),
  })
  .meta({ id: 'Redeemed' })

export const Confirmation = z
  .object({
    required: z.boolean(),
    confirmed: z.boolean(),
    confirmedAt: Timestamp.nullable(),
    email: z.string().nullable(),
    heldMail: z.int().meta({ description: 'How many mails go out once the address is confirmed.' }),
    waits,
    resend,
  })
  .meta({ id: 'Confirmation' })

export const ConfirmationRequest = z
  .object({
    language,
    email: z
      .string()
      .optional()
      .meta({ description: 'A different address from the one on file. It must be confirmed again.' }),
  })
  .meta({ id: 'ConfirmationRequest' })
export const ConfirmationSent = z
  .object({
    confirmed: z.boolean(),
    sent: z.boolean(),
    email: z.string(),
    heldMail: z.int(),
    waits,
    resend,
  })
  .meta({ id: 'ConfirmationSent' })

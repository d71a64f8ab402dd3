import { z } from 'zod'
import { KeyPrefix, TenantId, Timestamp } from './schemas.ts'

/** What waits until the address of a workspace is confirmed: the reasons of `email_unconfirmed`. */
export const WAITS = ['public_origin', 'third_party_mail', 'paid_plan', 'provider_grant', 'child_tenant'] as const
export type Wait = (typeof WAITS)[number]
export const RESEND = { method: 'POST', path: '/v1/account/confirmation' } as const

const waits = z.array(z.enum(WAITS)).meta({ description: 'What waits for the confirmation of the address.' })
const resend = z.object({ method: z.literal('POST'), path: z.string() })
const language = z
  .string()
  .optional()
  .meta({ description: '`ka` writes the mail in Georgian, anything else in English.', examples: ['ka'] })
const exportLines = z
  .array(z.string())
  .length(3)
  .meta({ description: 'Lines for a shell: the address of the service, the key, the signing secret.' })
const token = z.string().max(8192).meta({ description: 'What the mailed link carried.' })

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
    apiKey: z.string().meta({ description: 'The first secret key. Shown once.' }),
    keyPrefix: KeyPrefix,
    signingSecret: z.string().meta({ description: '`whsec_…`. Shown once.' }),
    emailConfirmed: z.boolean(),
    confirmation: z.object({ sentTo: z.string(), resend, waits }).nullable(),
    exportLines,
    mcpUrl: z.string(),
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
    apiKey: z.string().meta({ description: 'The new secret key. Shown once.' }),
    keyPrefix: KeyPrefix,
    revokedKeys: z.int().meta({ description: 'How many secret keys stopped.' }),
    signingSecret: z.string().nullable().meta({ description: 'The new one, if it was asked for. Shown once.' }),
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
    heldMail: z.int().meta({ description: 'Mails that go out once the address is confirmed.' }),
    waits,
    resend,
  })
  .meta({ id: 'Confirmation' })

export const ConfirmationRequest = z
  .object({
    language,
    email: z.string().optional().meta({ description: 'Another address than the one on file: it is confirmed anew.' }),
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

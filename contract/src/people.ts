import { z } from 'zod'
import { User } from './approvals.ts'
import { PolicyWarnings } from './policy-warnings.ts'
import { TenantId, Timestamp } from './schemas.ts'

// People who sign in: invitations, mailed links and sessions.

/** Why a session does not count. They are the reasons of `invalid_user_session`. */
export const SESSION_FAULTS = ['closed', 'expired', 'unknown', 'malformed', 'user_inactive'] as const
export type SessionFault = (typeof SESSION_FAULTS)[number]

/** Why a mailed link opens no session. They are the reasons of `invalid_sign_in_link`. */
export const SIGN_IN_FAULTS = ['spent', 'expired', 'unknown', 'malformed', 'user_inactive'] as const
export type SignInFault = (typeof SIGN_IN_FAULTS)[number]

export const SESSION_SHAPE = /^tus_[0-9a-f]{48}$/

const language = z
  .string()
  .optional()
  .meta({ description: '`ka` makes the mail Georgian, anything else English; the workspace’s language, unless set.' })

export const InvitationRequest = z
  .object({
    email: z.string().meta({ examples: ['ana@shop.example'] }),
    displayName: z.string().optional().meta({ description: 'The part of the address before the @, unless set.' }),
    role: z.string().optional().meta({ description: '`member`, unless set.' }),
    language,
  })
  .meta({ id: 'InvitationRequest' })
export const Invited = z
  .object({
    invited: z.literal(true),
    user: User,
    status: z.enum(['queued', 'held', 'not_sent']),
    reason: z.string().optional().meta({ description: 'Why the mail waits, or was not sent.' }),
  })
  .meta({ id: 'Invited' })

export const UserRemoved = z
  .object({ removed: z.literal(true), id: z.int(), warnings: PolicyWarnings })
  .meta({ id: 'UserRemoved' })

export const SignInRequest = z
  .object({
    email: z.string().meta({ examples: ['ana@shop.example'] }),
    language,
    tenantId: TenantId.optional().meta({ description: 'Read from a provider’s key only: which of its businesses.' }),
  })
  .meta({ id: 'SignInRequest' })
export const SignInAccepted = z
  .object({ accepted: z.literal(true), email: z.string(), message: z.string() })
  .meta({ id: 'SignInAccepted', description: 'The same for every address.' })

export const OpenSessionRequest = z
  .object({ token: z.string().max(8192).meta({ description: 'The token of the mailed link, after `#signin=`.' }) })
  .meta({ id: 'OpenSessionRequest' })

const signedIn = { user: User, tenantId: TenantId, tenantName: z.string(), expiresAt: Timestamp }
export const UserSession = z.object(signedIn).meta({ id: 'UserSession' })
export const OpenedSession = z
  .object({ token: z.string().meta({ description: 'The session, `tus_…`, which is shown once.' }), ...signedIn })
  .meta({ id: 'OpenedSession' })
export const SessionClosed = z.object({ closed: z.literal(true) }).meta({ id: 'SessionClosed' })

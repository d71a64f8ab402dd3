import type { KeyKind } from '@tether/contract'
import type { Clock } from '../../foundation/clock/index.ts'
import type { Keyring } from '../../foundation/crypto/index.ts'
import type { Database } from '../../foundation/db/index.ts'
import type { Egress } from '../../foundation/egress/index.ts'
import type { Log } from '../../foundation/log/index.ts'
import type { Metrics } from '../../foundation/metrics/index.ts'
import type { Settings } from '../../settings/index.ts'

/** What a request leaves the process for; each purpose has connections of its own, so that none can starve another. */
export type Purpose = 'tool' | 'event' | 'check' | 'picture'

/** What the house gives every verb. Built once by `app.ts`, handed down, and replaced field by field in a test. */
export type House = {
  readonly settings: Settings
  readonly db: Database
  readonly log: Log
  readonly clock: Clock
  readonly keyring: Keyring
  readonly metrics: Metrics
  readonly egress: Egress<Purpose>
}

type Caller = { readonly requestId: string; readonly address: string }

/** The role of a caller who states no role. */
export const DEFAULT_ROLE = 'api'

/**
 * By what right a caller acts, and as which person: what is attributed to somebody, or needs somebody's authority, asks this
 * and not the kind of key. Every member has a user (null for nobody in particular) and a role.
 */
export type Actor =
  /** A key of the tenant. Only a secret key's caller may name a user and a role: asserted, not authenticated. */
  | { readonly by: 'key'; readonly userId: number | null; readonly role: string }
  /** An action token: it confirms one staged write, as the user whom it was bound to at staging. */
  | { readonly by: 'token'; readonly actionId: string; readonly userId: number | null; readonly role: string }
  /** The same, given to the customer whom the action is about. */
  | { readonly by: 'customer'; readonly actionId: string; readonly userId: null; readonly role: string }

/** Who is asking, when it is a tenant's key. Built from the credential alone: nothing in a body changes it. */
export type TenantAsking = Caller & {
  readonly kind: KeyKind
  readonly tenantId: number
  readonly keyPrefix: string
  readonly tenantName: string
  readonly plan: string
  readonly emailConfirmed: boolean
  readonly actor: Actor
  /** The narrower boundary that a secret-key caller says it acts in: asserted, not authenticated. */
  readonly scopeId: number | null
  readonly surface: 'web' | 'mobile' | 'unknown'
  /** Proved by a customer token that the tenant's own server signed. */
  readonly customer: Customer | null
  /** The signed-in person's own token for the tenant's API. Shape-checked, passed on, never kept and never logged. */
  readonly upstreamToken: string | null
  readonly wiring: Wiring
  readonly terms: TenantTerms
}

/** What the operator laid down for this tenant, beside its plan. */
export type TenantTerms = {
  readonly moderation: 'default' | 'on' | 'off'
  /** In US dollars. Null means that the tenant has no ceiling of its own. */
  readonly dailyCapUsd: number | null
  readonly monthlyCapUsd: number | null
}

export type Customer = {
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly locale?: string
}

/** What a call needs of its tenant. It comes with the credential, so that a call asks the database nothing more. */
export type Wiring = {
  readonly endpointUrl: string | null
  /** Where the imported API is. */
  readonly apiUrl: string | null
  readonly catalogVersion: number
  /** Counts the changes of its documents. */
  readonly knowledgeVersion: number
  /** Counts the changes of its policy and its people. */
  readonly authorityVersion: number
  readonly packVersion: number
  readonly sealedSigningSecret: string | null
  readonly sealedPreviousSecret: string | null
}

export type OperatorAsking = Caller & { readonly kind: 'operator' }
export type AnyoneAsking = Caller & { readonly kind: 'anyone' }
export type Asking = TenantAsking | OperatorAsking | AnyoneAsking

/** What a verb is called with: the house, and who is asking. There is no query without the second. */
export type Context<Who extends Asking = TenantAsking> = House & { readonly asking: Who }

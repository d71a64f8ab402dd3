import type { KeyKind } from '@tether/contract'
import type { Clock } from '../../foundation/clock/index.ts'
import type { Keyring } from '../../foundation/crypto/index.ts'
import type { Database } from '../../foundation/db/index.ts'
import type { Egress } from '../../foundation/egress/index.ts'
import type { Log } from '../../foundation/log/index.ts'
import type { Metrics } from '../../foundation/metrics/index.ts'
import type { Settings } from '../../settings/index.ts'

/** What a request leaves the process for; each purpose has connections of its own, so that none can starve another. */
export type Purpose = 'tool' | 'site'

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

/** Who is asking, when it is a tenant's key. Built from the credential alone: nothing in a body changes it. */
export type TenantAsking = Caller & {
  readonly kind: KeyKind
  readonly tenantId: number
  readonly keyPrefix: string
  readonly tenantName: string
  readonly plan: string
  readonly emailConfirmed: boolean
  /** The narrower boundary and the person that a secret-key caller says it acts for: asserted, not authenticated. */
  readonly scopeId: number | null
  readonly userId: number | null
  readonly userRole: string
  readonly surface: 'web' | 'mobile' | 'unknown'
  /** Set for an action token: the one staged write that it may confirm, and for whom it speaks. */
  readonly actionId: string | null
  readonly approverUserId: number | null
  /** Proved by a customer token that the tenant's own server signed. */
  readonly customer: Customer | null
  /** The signed-in person's own token for the tenant's API. Shape-checked, passed on, never kept and never logged. */
  readonly upstreamToken: string | null
  readonly wiring: Wiring
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
  readonly catalogVersion: number
  readonly sealedSigningSecret: string | null
  readonly sealedPreviousSecret: string | null
}

export type OperatorAsking = Caller & { readonly kind: 'operator' }
export type AnyoneAsking = Caller & { readonly kind: 'anyone' }
export type Asking = TenantAsking | OperatorAsking | AnyoneAsking

/** What a verb is called with: the house, and who is asking. There is no query without the second. */
export type Context<Who extends Asking = TenantAsking> = House & { readonly asking: Who }

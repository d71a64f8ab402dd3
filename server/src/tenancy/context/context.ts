import type { KeyKind } from '@tether/contract'
import type { Clock } from '../../kernel/clock/index.ts'
import type { Keyring, Place } from '../../kernel/crypto/index.ts'
import type { Database } from '../../kernel/db/index.ts'
import type { Egress } from '../../kernel/egress/index.ts'
import type { Log } from '../../kernel/log/index.ts'
import type { Metrics } from '../../kernel/metrics/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'

/** What a request leaves the process for; each purpose has connections of its own, so that none can starve another. */
export type Purpose = 'tool' | 'event' | 'notice' | 'check' | 'crawl' | 'picture'

/** What the house gives every verb. Built once by `core.ts`, handed down, and replaced field by field in a test. */
export type House = {
  readonly settings: Settings
  readonly db: Database
  readonly log: Log
  readonly clock: Clock
  readonly keyring: Keyring
  readonly metrics: Metrics
  readonly egress: Egress<Purpose>
}

/**
 * Who acted, in one number: somebody's userId; minus the id that they have here, if they have no userId; 0 for nobody in
 * particular. Headers and bodies hold positive ids only, so that nobody can claim to be the second.
 */
export const numberOf = ({ id, userId }: { readonly id: number; readonly userId: number | null }): number =>
  userId ?? -id

/** A person as their decisions are recorded. */
export type Decider = {
  /** What they are called now (`numberOf`), for the tenant's own system. It may be another person's once they are removed. */
  readonly userId: number
  /** The id under which they are registered, which no one else ever gets; 0 for no one, and for a userId that is only stated. */
  readonly personId: number
}

/** The userId behind such a number, as the tenant's own system knows it. */
export const userIdOf = (number: number | null): number | null => (number !== null && number > 0 ? number : null)

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
  /** The owner of the workspace, signed in to the console by a mailed link: as good as a secret key, while the session lives. */
  | { readonly by: 'owner'; readonly sessionHash: Buffer; readonly userId: null; readonly role: string }
  /** An action token: it confirms one staged write, as the user whom it was bound to at staging. */
  | {
      readonly by: 'token'
      readonly actionId: string
      readonly userId: number | null
      /** The person who was registered with that userId when the token was bound; 0 for no one. */
      readonly personId: number
      readonly role: string
    }
  /**
   * A signed-in person. `userId` is the number by which approvals and the trail name them (`numberOf`), and `role` the one that
   * they are registered with. What they decide counts while their session lives.
   */
  | {
      readonly by: 'person'
      readonly userId: number
      readonly personId: number
      readonly sessionHash: Buffer
      readonly role: string
    }
  /** The same as a token, given to the customer whom the action is about. */
  | { readonly by: 'customer'; readonly actionId: string; readonly userId: null; readonly role: string }

/**
 * The registered person who acts, or 0 for no one, where the credential settles it. Null where the caller states a userId, which
 * has to be looked up among the people.
 */
export function personOfCredential(actor: Actor): number | null {
  if ('personId' in actor) return actor.personId
  return actor.userId === null ? 0 : null
}

/** Who is asking, when it is a tenant's key. Built from the credential alone: nothing in a body changes it. */
export type TenantAsking = Caller & {
  readonly kind: KeyKind
  readonly tenantId: number
  /** Null where a signed-in person, or the owner, asks through a page, without a key. */
  readonly keyPrefix: string | null
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
type TenantTerms = {
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
  /** Counts the changes of its preview. */
  readonly previewVersion: number
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

type SealedColumn = 'signing_secret' | 'customer_token_key' | 'email_sealed'

/** The place that a tenant's sealed value is bound to, so that it opens there and nowhere else. */
export const placeOf = (tenantId: number, column: SealedColumn): Place => ({
  table: 'tenants',
  column,
  tenantId,
  row: tenantId,
})

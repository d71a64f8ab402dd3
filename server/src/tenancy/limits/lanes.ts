import type { BucketLimit } from './verdict.ts'

/** `none` is for paths that are never limited (`/health`, `/swagger`, `/openapi`). */
export type Lane = 'runtime' | 'control' | 'none'

/**
 * Whose allowance a request uses. A request with an invalid key is anonymous. `addressBucket` is the client's address
 * in its bucket form (an IPv6 address counts as its /64). `credentialHash` identifies the credential without revealing
 * it, and stays the same when the credential is rotated. The operator's credential belongs to no tenant.
 */
export type LimitedCaller =
  | { readonly kind: 'anonymous'; readonly addressBucket: string }
  | {
      readonly kind: 'credential'
      readonly tenantId: number | null
      readonly publishable: boolean
      readonly credentialHash: string
      readonly addressBucket: string
    }

/**
 * Each is per minute, and 0 refuses every request of its kind. Where 0 turns a limit off, the setting says so; none of
 * these does.
 */
type RateCeilings = {
  readonly runtimePerMinute: number
  readonly controlPerMinute: number
  readonly anonymousPerMinute: number
  readonly visitorPerMinute: number
  /** How many times what one credential may, all credentials of a tenant may together. */
  readonly tenantFactor: number
}

/** The limits that a request must pass; empty if it is not limited. */
export function bucketLimitsOf(lane: Lane, caller: LimitedCaller, ceilings: RateCeilings): BucketLimit[] {
  if (lane === 'none') return []
  if (caller.kind === 'anonymous') return [bucketLimit('anonymous', caller.addressBucket, ceilings.anonymousPerMinute)]
  const { tenantId, credentialHash, publishable, addressBucket } = caller
  // The braces keep the buckets of one request together in a Redis that shards by hash tag.
  const own = tenantId === null ? `{${credentialHash}}` : `{${tenantId}}:${credentialHash}`
  const ceiling = lane === 'runtime' ? ceilings.runtimePerMinute : ceilings.controlPerMinute
  const limits = [bucketLimit(lane, own, ceiling)]
  // A tenant makes as many keys as it likes; what it may ask for does not grow with them.
  if (tenantId !== null) limits.push(bucketLimit('tenant', `{${tenantId}}:${lane}`, ceiling * ceilings.tenantFactor))
  // The lanes are separate for a visitor as well, because loading pages must not use up the chat.
  if (publishable) limits.push(bucketLimit('visitor', `${own}:${lane}:${addressBucket}`, ceilings.visitorPerMinute))
  return limits
}

const bucketLimit = (name: string, rest: string, limit: number): BucketLimit => ({
  name,
  bucket: `${name}:${rest}`,
  limit,
})

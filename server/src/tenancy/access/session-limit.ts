import type { House } from '../context/index.ts'
import { bucketLimitsOf, type Lane, type LimitedCaller, type Limiter } from '../limits/index.ts'
import { addressBucket } from './client-address.ts'
import type { LiveSession } from './sessions.ts'
import { openStrangers } from './strangers.ts'
import { tooMany } from './too-many.ts'

type Counting = Pick<Limiter, 'takeAll'>
type Sets = Pick<House, 'settings'>

async function spend({ settings }: Sets, limiter: Counting, lane: Lane, caller: LimitedCaller): Promise<void> {
  const verdict = await limiter.takeAll(bucketLimitsOf(lane, caller, settings.rateLimit), undefined)
  if (!verdict.admitted) throw tooMany(verdict)
}

/** Counts the requests of people who are signed in to a page: the gate knows keys alone. */
export const countingSessions =
  (house: Sets, limiter: Counting) =>
  ({ tenantId, hash }: Pick<LiveSession, 'tenantId' | 'hash'>, address: string): Promise<void> =>
    spend(house, limiter, 'control', {
      kind: 'credential',
      tenantId,
      publishable: false,
      credentialHash: hash.toString('hex'),
      addressBucket: addressBucket(address),
    })

/** Whose a request without a key claims to be, and from where it comes. */
type Claimed = { readonly tenantId: number; readonly address: string }

/**
 * Whether a request is signed as it claims. It is counted: what is signed by its tenant, in this lane, and anything else by its
 * address. An address that has lately sent much that is not signed is refused before anything is looked up for it.
 */
export type ProveSigned = (claimed: Claimed, lane: Lane, isSigned: () => Promise<boolean>) => Promise<boolean>

export function countingSigned(house: Sets, limiter: Counting): ProveSigned {
  const strangers = openStrangers(house.settings.rateLimit.anonymousPerMinute)
  return async ({ tenantId, address }, lane, isSigned) => {
    const from = addressBucket(address)
    // By the address, too: whoever was proven is held up by nobody who names the same tenant from elsewhere.
    const looked = await strangers.look(`${tenantId} ${from}`, from, async () =>
      (await isSigned()) ? { tenantId } : undefined,
    )
    if (looked.refused !== null) throw tooMany(looked.refused)
    const isProven = looked.found !== undefined
    const caller: LimitedCaller = isProven
      ? { kind: 'credential', tenantId, publishable: false, credentialHash: 'signed', addressBucket: from }
      : { kind: 'anonymous', addressBucket: from }
    await spend(house, limiter, lane, caller)
    return isProven
  }
}

import type { House } from '../context/index.ts'
import { bucketLimitsOf, type Lane, type LimitedCaller, type Limiter } from '../limits/index.ts'
import { addressBucket } from './client-address.ts'
import type { LiveSession } from './sessions.ts'
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

/** Null is the tenant of whoever signed with nobody's secret. */
export type SpendSigned = (tenantId: number | null, address: string) => Promise<void>

/** Counts the requests of routes that their sender signs: those of a tenant together, and what is not signed by its address. */
export const countingSigned =
  (house: Sets, limiter: Counting): SpendSigned =>
  (tenantId, address) =>
    spend(
      house,
      limiter,
      'runtime',
      tenantId === null
        ? { kind: 'anonymous', addressBucket: addressBucket(address) }
        : {
            kind: 'credential',
            tenantId,
            publishable: false,
            credentialHash: 'signed',
            addressBucket: addressBucket(address),
          },
    )

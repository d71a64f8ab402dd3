import { refuse } from '../../foundation/http/index.ts'
import type { House } from '../context/index.ts'
import { bucketLimitsOf, type Limiter } from '../limits/index.ts'
import { addressBucket } from './client-address.ts'
import type { LiveSession } from './sessions.ts'

/** Counts the requests of people who are signed in to a page: the gate knows keys alone. */
export const countingSessions =
  ({ settings }: Pick<House, 'settings'>, limiter: Pick<Limiter, 'takeAll'>) =>
  async ({ tenantId, hash }: Pick<LiveSession, 'tenantId' | 'hash'>, address: string): Promise<void> => {
    const caller = {
      kind: 'credential',
      tenantId,
      publishable: false,
      credentialHash: hash.toString('hex'),
      addressBucket: addressBucket(address),
    } as const
    const verdict = await limiter.takeAll(bucketLimitsOf('control', caller, settings.rateLimit), undefined)
    if (verdict.admitted) return
    throw refuse('rate_limited', `Too many requests: try again in ${verdict.retryAfterSeconds} s.`)
  }

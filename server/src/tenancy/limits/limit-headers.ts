import type { Verdict } from './verdict.ts'

/** The headers of an answer under a rate limit; empty if the request is not limited. */
export function limitHeaders(verdict: Verdict): Record<string, string> {
  if (verdict.limit === Number.POSITIVE_INFINITY) return {}
  const headers: Record<string, string> = {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.resetSeconds),
  }
  if (!verdict.admitted) headers['Retry-After'] = String(verdict.retryAfterSeconds)
  return headers
}

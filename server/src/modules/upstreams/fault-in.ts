import type { EgressFailure } from '../../kernel/egress/index.ts'

/** The way out says what happened in words of its own; the client wraps them. */
export function faultIn(error: unknown): EgressFailure | null {
  for (let next: unknown = error, depth = 0; depth < 5 && typeof next === 'object' && next !== null; depth++) {
    // The cast is true because the guarded fetch alone sets it.
    if ('fault' in next) return next.fault as EgressFailure
    next = 'cause' in next ? next.cause : undefined
  }
  return null
}

// How often each answer was given, each event written and each state left: a proof that reaches little proves little.
import type { Said, Seen } from './words.ts'

export type Tally = Map<string, number>

const count = (tally: Tally, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

export const tallySaid = (tally: Tally, [status, code]: Said): void => count(tally, `says ${code ?? status}`)

export function tallySeen(tally: Tally, { state, trail }: Seen): void {
  count(tally, `ends ${state}`)
  for (const event of trail) count(tally, `trail ${event.replace(/ .*/, '')}`)
}

const ALWAYS = {
  says: [
    'Executed',
    'Replayed',
    'ACTION_ALREADY_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'PENDING_ACTION_NOT_FOUND',
    'AI_ACTION_REQUIRES_CONFIRMATION',
    'EXECUTION_INDETERMINATE',
    'EXECUTION_FAILED_RETRYABLE',
    'EXECUTION_ATTEMPTS_EXHAUSTED',
    'VALIDATION_ERROR',
    'approver_unknown',
    'approver_forbidden',
    'awaiting_approvers',
    'precondition_failed',
    'precondition_error',
  ],
  ends: ['pending', 'executing', 'executed', 'failed', 'indeterminate', 'precondition_failed'],
  trail: ['proposed', 'approved', 'executed', 'superseded', 'failed', 'verified', 'unverified', 'replayed'],
}
const OVER_TIME = {
  says: ['action_rejected', 'action_expired', 'ACTION_NOT_INDETERMINATE', 'FORBIDDEN', 'CONFLICT'],
  ends: ['rejected', 'expired'],
  trail: ['rejected', 'expired'],
}

// Nobody dies in a race, there is one action, and only its own execution can change what a precondition reads.
const NOT_IN_A_RACE = [
  'ends executing',
  'ends precondition_failed',
  'says IDEMPOTENCY_KEY_REUSED',
  'says precondition_failed',
  'trail unverified',
]

/** What was never reached, of what a race can reach, or of what a sequence can. */
export function unreached(tally: Tally, what: 'race' | 'sequence'): string[] {
  const all = [ALWAYS, ...(what === 'sequence' ? [OVER_TIME] : [])].flatMap((names) =>
    Object.entries(names).flatMap(([kind, each]) => each.map((name) => `${kind} ${name}`)),
  )
  return all.filter((name) => !tally.has(name) && !(what === 'race' && NOT_IN_A_RACE.includes(name)))
}

export const tell = (tally: Tally): string =>
  [...tally]
    .sort(([, one], [, other]) => other - one)
    .map(([what, times]) => `${what} ${times}`)
    .join(', ')

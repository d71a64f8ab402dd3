import { ACTION_STATES, type ActionState } from '@tether/contract'

// The life of a staged write as a total table: the compiler refuses a forgotten pair, the SQL repeats it in every `where`, and
// a test compares the two. `indeterminate` is a state of its own, because "exactly once" ends where our database ends: beyond
// it we send an idempotency key, and admit when contact was lost.
export const TRANSITIONS = [
  /** One confirm wins the right to execute. */
  'claim',
  /** The endpoint answered success. */
  'succeed',
  /** The endpoint refused the write for good. */
  'fail',
  /** It is certain that nothing was applied: the action may be confirmed again. */
  'release',
  /** The last of its attempts was not applied either. */
  'exhaust',
  /** No answer came, or one that does not tell what happened: only a resend under the same key can. */
  'lose_contact',
  'reject',
  'expire',
  /** The precondition no longer holds. */
  'break',
] as const
export type Transition = (typeof TRANSITIONS)[number]

const NO = null
const END = {
  claim: NO,
  succeed: NO,
  fail: NO,
  release: NO,
  exhaust: NO,
  lose_contact: NO,
  reject: NO,
  expire: NO,
  break: NO,
} as const

export const NEXT = {
  pending: { ...END, claim: 'executing', reject: 'rejected', expire: 'expired', break: 'precondition_failed' },
  executing: {
    ...END,
    succeed: 'executed',
    fail: 'failed',
    release: 'pending',
    exhaust: 'failed',
    lose_contact: 'indeterminate',
  },
  indeterminate: { ...END, succeed: 'executed', fail: 'failed', lose_contact: 'indeterminate' },
  executed: END,
  failed: END,
  rejected: END,
  expired: END,
  precondition_failed: END,
} as const satisfies Record<ActionState, Record<Transition, ActionState | null>>

/** The states that a transition may start from. */
export const from = (transition: Transition): ActionState[] =>
  ACTION_STATES.filter((state) => NEXT[state][transition] !== null)

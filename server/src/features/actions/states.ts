// The life of a staged write, as a total table: the compiler refuses a forgotten pair, the SQL repeats it as guards, and a
// test compares the two. `indeterminate` is a state of its own, because "exactly once" ends where our database ends: outside
// it we send an idempotency key and admit when contact was lost.
export const STATES = [
  'pending',
  'executing',
  'executed',
  'failed',
  'rejected',
  'expired',
  'indeterminate',
  'precondition_failed',
] as const
export type State = (typeof STATES)[number]

export const TRANSITIONS = [
  /** One confirm wins the right to execute. */
  'claim',
  /** The endpoint answered success. */
  'succeed',
  /** The endpoint refused, or will never accept. */
  'fail',
  /** Nothing was applied for certain: it may be confirmed again. */
  'release',
  /** The last attempt that it had was not applied. */
  'exhaust',
  /** No answer, or one that does not tell: only a resend under the same key can. */
  'lose_contact',
  'reject',
  'expire',
  /** What had to hold does not hold any more. */
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
} as const satisfies Record<State, Record<Transition, State | null>>

/** From which states a transition may start: what the SQL guards on. */
export const from = (transition: Transition): State[] => STATES.filter((state) => NEXT[state][transition] !== null)

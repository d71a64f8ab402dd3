import type { ActionState } from '@tether/contract'
import type { EndpointClaim } from '../../tools/calls/index.ts'
import type { KnownWrite } from './queries.ts'

// What the business remembers of a write, held against what stands here. Whatever is not certain is called that.

export type There = 'performed' | 'refused' | 'open'

export type Finding =
  /** It was performed, and nothing here knows of it. */
  | 'performed_and_unknown'
  /** It was performed, and stands here as something else. */
  | 'performed_and_stands_otherwise'
  /** It was refused, and stands here as something else. */
  | 'refused_and_stands_otherwise'
  /** The business does not know the end of it itself, or it is still under way here. */
  | 'cannot_tell'

export type Compared =
  | { readonly finding: Finding }
  /** Both say the same. */
  | { readonly finding: null; readonly lost?: undefined }
  /** Nothing here knows of it, and it was refused: nothing was done, and nothing is to be done. */
  | { readonly finding: null; readonly lost: true }

const AGREES: Compared = { finding: null }

/** 5xx is no answer that says what was done. */
export const thereOf = ({ status }: Pick<EndpointClaim, 'status'>): There =>
  status === null || status < 200 || status >= 500 ? 'open' : status < 300 ? 'performed' : 'refused'

const AS_PERFORMED: Readonly<Record<ActionState, Finding | null>> = {
  executed: null,
  executing: 'cannot_tell',
  indeterminate: 'performed_and_stands_otherwise',
  pending: 'performed_and_stands_otherwise',
  failed: 'performed_and_stands_otherwise',
  rejected: 'performed_and_stands_otherwise',
  expired: 'performed_and_stands_otherwise',
  precondition_failed: 'performed_and_stands_otherwise',
}
const AS_REFUSED: Readonly<Record<ActionState, Finding | null>> = {
  executed: 'refused_and_stands_otherwise',
  executing: 'cannot_tell',
  indeterminate: 'refused_and_stands_otherwise',
  pending: 'refused_and_stands_otherwise',
  failed: null,
  // Nothing was done there, and nothing is said to have been done here.
  rejected: null,
  expired: null,
  precondition_failed: null,
}

/** `isOurs` where it is certain whose write it is: a claim that names no tool was made by an older receiver, perhaps of another workspace. */
export function compare(
  claim: Pick<EndpointClaim, 'status'>,
  known: Pick<KnownWrite, 'state'> | undefined,
  isOurs: boolean,
): Compared {
  const there = thereOf(claim)
  if (known === undefined) {
    if (there === 'refused') return { finding: null, lost: true }
    return { finding: there === 'performed' && isOurs ? 'performed_and_unknown' : 'cannot_tell' }
  }
  // Its first request is under way, as in any other minute.
  if (there === 'open') return known.state === 'executing' ? AGREES : { finding: 'cannot_tell' }
  const finding = (there === 'performed' ? AS_PERFORMED : AS_REFUSED)[known.state]
  return finding === null ? AGREES : { finding }
}

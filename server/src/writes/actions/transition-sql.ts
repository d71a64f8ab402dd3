import type { ActionState } from '@tether/contract'
import {
  type Announced,
  announced,
  EVENT,
  EVENTS_BELL,
  NOTICE,
  NOTICES_BELL,
  OF_ACTION,
} from '../../tenancy/outbox/index.ts'
import { TRAIL } from '../audit/index.ts'
import { from, type NEXT, type Transition } from './states.ts'

// The SQL that the transitions share. Each is one statement: the change, its trail and its event happen together, or not at all.

/** The states that a transition may start from stand in its `where`; the row count says who won. */
export const startsFrom = (transition: Transition, alias = 'a'): string =>
  `${alias}.state in (${from(transition)
    .map((state) => `'${state}'`)
    .join(', ')})`

/** One line of the table of states. The new state is written out for the reader, and the compiler checks it against the table. */
export type TransitionLine<From extends ActionState, Trigger extends Transition> = {
  [One in Trigger]: { readonly transition: One; readonly becomes: (typeof NEXT)[From][One] }
}[Trigger]

export type ActionEvent = Pick<Announced, 'event' | 'fields'> & {
  /** The id that the verb passes in, unless set. */
  readonly eventId?: string
}

/** What a transition announces to the tenant's server, of the rows of a CTE. */
export const announcedOfAction = (from: string, { eventId = '$eventId::text', ...event }: ActionEvent): string =>
  announced(from, { ...OF_ACTION, ...event, eventId })

/** What a transition writes besides its action, and a proposal besides that. */
export const TRANSITION = { wakes: [EVENTS_BELL], guest: { audit_events: TRAIL, outbox: EVENT } }
export const TOKEN = 'the token of an action lives and ends with the action'
export const PROPOSAL = {
  wakes: [EVENTS_BELL, NOTICES_BELL],
  guest: { ...TRANSITION.guest, keys: TOKEN, notices_due: NOTICE },
}

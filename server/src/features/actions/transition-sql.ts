import type { ActionState } from '@tether/contract'
import { type Announced, announced, OF_ACTION } from '../../ground/outbox/index.ts'
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
  /** The rows that the event is about: the changed ones, unless set. */
  readonly from?: string
}

/** What a transition announces to the tenant's server. */
export const announcedOfAction = ({ from = 'changed', eventId = '$eventId::text', ...event }: ActionEvent): string =>
  announced(from, { ...OF_ACTION, ...event, eventId })

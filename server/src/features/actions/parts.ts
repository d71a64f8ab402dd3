import { type Announced, announced, OF_ACTION } from '../../ground/outbox/index.ts'
import { from, type NEXT, type State, type Transition } from './states.ts'

// What every transition is made of. Each is one statement: the change, its trail, and what it tells, or none of them.

/** The old state stands in the `where` of every transition; the row count tells who won. */
export const guard = (transition: Transition, alias = 'a'): string =>
  `${alias}.state in (${from(transition)
    .map((state) => `'${state}'`)
    .join(', ')})`

/** One line of the table of states. What it becomes is written out for the reader, and the compiler holds it to the table. */
export type Line<From extends State, Trigger extends Transition> = {
  [One in Trigger]: { readonly transition: One; readonly becomes: (typeof NEXT)[From][One] }
}[Trigger]

/** SQL expressions over the row that was changed. */
export type Audited = {
  readonly event: string
  /** Whoever asks and by which route, where nothing else is said. */
  readonly userId?: string
  readonly source?: string
  readonly reason?: string
}

/** What one transition leaves in the trail, from the row that it changed. */
export const audited = ({
  event,
  userId = '$userId::bigint',
  source = '$source::text',
  reason = 'null::text',
}: Audited): string =>
  `insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason)
     select tenant_id, action_id, tool, ${event}, ${userId}, ${source}, payload_hash, subject, scope_id, ${reason} from changed`

export type Told = Pick<Announced, 'event' | 'fields'> & {
  /** What the verb hands in, where nothing else is said. */
  readonly eventId?: string
  /** The rows that tell: those that were changed, where nothing else is said. */
  readonly from?: string
}

/** What one transition tells the tenant's server. */
export const told = ({ from = 'changed', eventId = '$eventId::text', ...event }: Told): string =>
  announced(from, { ...OF_ACTION, ...event, eventId })

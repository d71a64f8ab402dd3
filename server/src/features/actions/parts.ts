import { announced, OF_ACTION } from '../../ground/outbox/index.ts'
import { from, type Transition } from './states.ts'

// What every transition is made of. Each is one statement: the change, its trail, and what it tells, or none of them.

/** The old state stands in the `where` of every transition; the row count tells who won. */
export const guard = (transition: Transition, alias = 'a'): string =>
  `${alias}.state in (${from(transition)
    .map((state) => `'${state}'`)
    .join(', ')})`

/** What one transition leaves in the trail, from the row that it changed. */
export const audited = (event: string, who: string, source: string, reason = 'null::text'): string =>
  `insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason)
     select tenant_id, action_id, tool, ${event}, ${who}, ${source}, payload_hash, subject, scope_id, ${reason} from changed`

/** What one transition tells the tenant's server. */
export const told = (event: string, eventId: string, fields = "'{}'", from = 'changed'): string =>
  announced(from, { ...OF_ACTION, event, eventId, fields })

/** SQL expressions over the row that was changed. Omitted ones are null, or `{}` for `fields`. */
export type Announced = {
  readonly event: string
  /** An id of the form `evt_…`, passed by the verb, or `NEW_EVENT_ID` in a statement over many rows. */
  readonly eventId: string
  readonly actionId?: string
  readonly sessionId?: string
  readonly tool?: string
  readonly scopeId?: string
  /** The event's own members, as the text of a JSON object. */
  readonly fields?: string
}

/** For an event of an action, whose row has the columns of `actions`. */
export const OF_ACTION = { actionId: 'action_id', sessionId: 'session_id', tool: 'tool', scopeId: 'scope_id' } as const

/** For statements over many rows, where the database makes the ids. */
export const NEW_EVENT_ID = `'evt_' || replace(gen_random_uuid()::text, '-', '')`

/**
 * Announces an event as part of the statement that makes the change, so that the event exists if and only if the change
 * commits. There is no other way to announce one. `from` is what the statement changed (a CTE with `tenant_id`, or a
 * query over one), with an `order by` if it announces several events of one action or conversation.
 */
export function announced(from: string, announcement: Announced): string {
  const { event, eventId, actionId = 'null::uuid', sessionId = 'null::text', tool = 'null::text' } = announcement
  const { scopeId = 'null::bigint', fields = "'{}'" } = announcement
  return `insert into outbox (tenant_id, event_id, event, action_id, session_id, tool, scope_id, lane, fields)
     select tenant_id, ${eventId}, ${event}, ${actionId}, ${sessionId}, ${tool}, ${scopeId},
            coalesce(${actionId}::text, ${sessionId}), ${fields}
       from ${from}`
}

/** Rings after every statement by which a write begins to wait for a person. */
export const NOTICES_BELL = 'notices'
/** Why other rooms write `notices_due`, by `noticed`. */
export const NOTICE = 'a notice is written with the change that makes a write wait'

/**
 * Queues a notice about each write of `from`, in the statement that makes it wait. The job of writes/notices decides whom it
 * tells, and drops the notice if the tenant uses no channel.
 */
export const noticed = (from: string, occasion = '0'): string =>
  `insert into notices_due (tenant_id, action_id, occasion) select tenant_id, action_id, ${occasion} from ${from}`

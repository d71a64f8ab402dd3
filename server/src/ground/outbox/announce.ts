/** SQL expressions over the row that was changed. What an event leaves out is null, or `{}` for its fields. */
export type Announced = {
  readonly event: string
  /** `evt_…`: handed in by the verb, or `NEW_EVENT_ID` in a statement over many rows. */
  readonly eventId: string
  readonly actionId?: string
  readonly sessionId?: string
  readonly tool?: string
  readonly scopeId?: string
  /** The members that this event has beside the common ones: a JSON object, as text. */
  readonly fields?: string
}

/** For an event of an action: the row has the columns of `actions`. */
export const OF_ACTION = { actionId: 'action_id', sessionId: 'session_id', tool: 'tool', scopeId: 'scope_id' } as const

/** For statements over many rows: the database makes the ids. */
export const NEW_EVENT_ID = `'evt_' || replace(gen_random_uuid()::text, '-', '')`

/**
 * What a change tells the tenant's server, as a part of the statement that makes the change: the event exists exactly when
 * the change commits. It is the only way to announce one. `from` is what the statement changed (a CTE with `tenant_id`, or a
 * query over one), with an `order by` where several events of one action or conversation are told in their order.
 */
export function announced(from: string, told: Announced): string {
  const { event, eventId, actionId = 'null::uuid', sessionId = 'null::text', tool = 'null::text' } = told
  const { scopeId = 'null::bigint', fields = "'{}'" } = told
  return `insert into outbox (tenant_id, event_id, event, action_id, session_id, tool, scope_id, lane, fields)
     select tenant_id, ${eventId}, ${event}, ${actionId}, ${sessionId}, ${tool}, ${scopeId},
            coalesce(${actionId}::text, ${sessionId}), ${fields}
       from ${from}`
}

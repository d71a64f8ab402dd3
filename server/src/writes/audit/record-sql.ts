// How a statement that changes an action records that in the trail.

/** SQL expressions over the row that was changed. */
export type Audited = {
  readonly event: string
  /** The caller and the route, unless set. */
  readonly userId?: string
  readonly personId?: string
  readonly source?: string
  readonly reason?: string
}

/** Why other rooms write `audit_events`, by `audited`. */
export const TRAIL = 'a change and its line in the trail are one statement'

/** What a transition leaves in the trail, read from the rows of `from`, the CTE that changed them. */
export const audited = (
  from: string,
  {
    event,
    userId = '$userId::bigint',
    personId = '$personId::bigint',
    source = '$source::text',
    reason = 'null::text',
  }: Audited,
): string =>
  `insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash, subject, scope_id, reason, person_id)
     select tenant_id, action_id, tool, ${event}, ${userId}, ${source}, payload_hash, subject, scope_id, ${reason}, ${personId} from ${from}`

/** Who caused an event, and through which route. */
export type CausedBy = { readonly userId: number; readonly personId: number; readonly source: string }

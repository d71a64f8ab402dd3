// SQL for who acted. A userId may belong to another person later, so what a person decides is kept under their internal id.

/** The number that names a decider in `approvals` and `actions`: minus the id of a registered person, or else the userId as stated. */
export const DECIDER = 'coalesce(-nullif($personId::bigint, 0), $userId::bigint)'

/** The id of the person who acts, or 0. Where the caller only states a userId, `$personId` is null, and the database looks it up. */
export const ACTING_PERSON = `coalesce($personId::bigint,
            (select u.id from users u where u.tenant_id = $tenantId::int and u.user_id = $userId::bigint), 0)`

/** SQL expressions of one row. */
type Named = { readonly userId: string; readonly at: string; readonly personId?: string }

/**
 * The id of the person whom a row names, or null. A row from before ids were recorded names the person who has its userId now, if
 * they were registered by then.
 */
export const personNamed = ({ userId, at, personId }: Named): string =>
  `case
            ${personId === undefined ? '' : `when ${personId} is not null then ${personId}`}
            when ${userId} < 0 then -${userId}
            when ${userId} > 0 then (
              select r.id from users r where r.tenant_id = $tenantId::int and r.user_id = ${userId} and r.created_at <= ${at})
          end`

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

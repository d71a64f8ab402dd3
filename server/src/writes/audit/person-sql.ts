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

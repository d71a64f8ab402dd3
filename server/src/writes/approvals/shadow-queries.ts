import { statement } from '../../kernel/db/index.ts'
import { ACTING_PERSON, personNamed } from '../audit/index.ts'

// A policy in shadow: tried beside the one in force. Who changes it holds the tenant's lock; who decides never takes that.

export type Decision = 'confirm' | 'reject' | 'amend'

/** `rules` is null once the trial has ended. */
export type ShadowRow = { version: number; rules: string | null; decided: number; differing: number; createdAt: Date }

const columns = `version, rules, decided, differing, created_at as "createdAt"`

export const findShadow = statement<ShadowRow, { tenantId: number }>(
  'approvals.find_shadow',
  `select ${columns} from shadow_policies where tenant_id = $tenantId::int`,
)

/** Another policy is tried from here on, or none. It counts from nothing: what was found is about the one before. */
export const putShadow = statement<ShadowRow, { tenantId: number; rules: string | null }>(
  'approvals.put_shadow',
  `with forgotten as (
     delete from shadow_differences where tenant_id = $tenantId::int
   )
   insert into shadow_policies as s (tenant_id, version, rules, created_at) values ($tenantId::int, 1, $rules::text, now())
   on conflict (tenant_id) do update
      set version = s.version + 1, rules = excluded.rules, decided = 0, differing = 0,
          created_at = excluded.created_at
   returning ${columns}`,
)

/**
 * One decision. The row of the shadow that it was judged by says how many there were; where another policy is tried by now, or
 * none, nothing is written. A difference of an ended trial that was written meanwhile goes with the next one.
 */
export const recordDecision = statement<
  { number: number },
  {
    tenantId: number
    version: number
    differs: boolean
    keep: number
    actionId: string
    decision: Decision
    userId: number
    /** Null where the caller only states the userId: then it is the person who has it. */
    personId: number | null
    policyVersion: number
    live: string
    shadow: string
  }
>(
  'approvals.record_decision',
  // The condition is a column: Citus runs no part of a statement in which a changed table has a condition that its values make false.
  `with counted as (
     update shadow_policies s set decided = decided + 1, differing = differing + $differs::boolean::int
       from actions a
      where s.tenant_id = $tenantId::int and s.version = $version::int and s.rules is not null
        and a.tenant_id = $tenantId::int and a.action_id = $actionId::uuid and a.state = 'pending' and a.expires_at > now()
     returning s.tenant_id, s.version, s.differing, a.action_id, a.tool, $differs::boolean as differs
   ), forgotten as (
     delete from shadow_differences d using counted c
      where d.tenant_id = $tenantId::int and c.differs
        and (d.version < c.version or d.number <= c.differing - $keep::int)
   )
   insert into shadow_differences (tenant_id, version, number, action_id, tool, decision, user_id, person_id, policy_version, live,
                                   shadow)
   select tenant_id, version, differing, action_id, tool, $decision::text, $userId::bigint,
          ${ACTING_PERSON},
          $policyVersion::int, $live::text, $shadow::text
     from counted where differs
   returning number`,
)

export type DifferenceRow = {
  number: number
  at: Date
  actionId: string
  tool: string
  decision: Decision
  userId: number
  registeredId: number | null
  registeredUserId: number | null
  displayName: string | null
  email: string | null
  policyVersion: number
  live: string
  shadow: string
}

export const listDifferences = statement<
  DifferenceRow,
  { tenantId: number; version: number; before: number | null; limit: number }
>(
  'approvals.list_differences',
  `select d.number, d.at, d.action_id as "actionId", d.tool, d.decision, d.user_id as "userId", u.id as "registeredId",
          u.user_id as "registeredUserId", u.display_name as "displayName", u.email,
          d.policy_version as "policyVersion", d.live, d.shadow
     from shadow_differences d
     left join users u on u.tenant_id = $tenantId::int and u.id = ${personNamed({ userId: 'd.user_id', at: 'd.at', personId: 'd.person_id' })}
    where d.tenant_id = $tenantId::int and d.version = $version::int and ($before::bigint is null or d.number < $before::bigint)
    order by d.number desc
    limit $limit::int`,
)

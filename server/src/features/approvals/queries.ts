import { statement } from '../../foundation/db/index.ts'
import type { StoredPerson } from './people-plan.ts'

/** Makes changes to a tenant's people and policy happen one after the other: whom an entry means depends on everybody else. */
export const lockTenant = statement<{ tenantId: number }, { tenantId: number }>(
  'approvals.lock_tenant',
  `select tenant_id as "tenantId" from tenants where tenant_id = $tenantId::int and deleted_at is null for no key update`,
)

export type PersonRow = StoredPerson & { createdAt: Date }

export const listPeople = statement<PersonRow, { tenantId: number }>(
  'approvals.list_people',
  `select id, user_id as "userId", display_name as "displayName", email, role, active, created_at as "createdAt"
     from users
    where tenant_id = $tenantId::int
    order by id`,
)

type Columns = {
  tenantId: number
  userIds: readonly (number | null)[]
  displayNames: readonly string[]
  emails: readonly (string | null)[]
  roles: readonly string[]
  active: readonly boolean[]
}

export const insertPeople = statement<unknown, Columns>(
  'approvals.insert_people',
  `insert into users (tenant_id, user_id, display_name, email, role, active)
   select $tenantId::int, e.user_id, e.display_name, e.email, e.role, e.active
     from unnest($userIds::bigint[], $displayNames::text[], $emails::text[], $roles::text[], $active::boolean[])
          with ordinality as e (user_id, display_name, email, role, active, at)
    order by e.at`,
)

export const updatePeople = statement<unknown, Columns & { ids: readonly number[] }>(
  'approvals.update_people',
  `update users u
      set user_id = e.user_id, display_name = e.display_name, email = e.email, role = e.role, active = e.active
     from unnest($userIds::bigint[], $displayNames::text[], $emails::text[], $roles::text[], $active::boolean[], $ids::bigint[])
          as e (user_id, display_name, email, role, active, id)
    where u.tenant_id = $tenantId::int and u.id = e.id`,
)

/** `rules` is the whole policy as JSON, or JSON's null once it is deleted. */
export type PolicyRow = { version: number; rules: string; createdAt: Date }
const policyColumns = `version, rules, created_at as "createdAt"`

export const latestPolicy = statement<PolicyRow, { tenantId: number }>(
  'approvals.latest_policy',
  `select ${policyColumns} from policies where tenant_id = $tenantId::int order by version desc limit 1`,
)

/**
 * Runs under the tenant's lock, so that no two versions get the same number. Documents of old versions go past a hundred, or
 * past `$keepBytes` in all: a judgement reads the newest one, and the rows of the others stay, with the hash.
 */
export const insertPolicy = statement<PolicyRow, { tenantId: number; rules: string; keepBytes: number }>(
  'approvals.insert_policy',
  `with older as (
     select p.version, row_number() over newest as nth, sum(octet_length(p.rules)) over newest as bytes_so_far
       from policies p
      where p.tenant_id = $tenantId::int and p.rules is not null
     window newest as (order by p.version desc rows unbounded preceding)
   ), deleted as (
     update policies p set rules = null, hash = coalesce(p.hash, encode(sha256(convert_to(p.rules, 'UTF8')), 'hex'))
       from older o
      where p.tenant_id = $tenantId::int and p.version = o.version
        and (o.nth >= 100 or o.bytes_so_far + octet_length($rules::text) > $keepBytes::bigint)
   )
   insert into policies (tenant_id, version, rules, hash)
   select $tenantId::int, coalesce(max(version), 0) + 1, $rules::text, encode(sha256(convert_to($rules::text, 'UTF8')), 'hex')
     from policies where tenant_id = $tenantId::int
   returning ${policyColumns}`,
)

export type GroundsRow = {
  policyVersion: number | null
  rules: string | null
  anyUser: boolean
  people: { userId: number; role: string; active: boolean }[]
  given: { userId: number; payloadHash: string }[]
}

/** Everything that a judgement needs, as of one moment. With `exists` the planner might scan the whole table for a first row. */
export const loadGrounds = statement<GroundsRow, { tenantId: number; actionId: string; userId: number | null }>(
  'approvals.load',
  `with latest as (
     select version, rules from policies where tenant_id = $tenantId::int order by version desc limit 1
   ), given as (
     select user_id, payload_hash, at from approvals
      where tenant_id = $tenantId::int and action_id = $actionId::uuid and under_policy
   ), named as (
     select user_id, role, active from users
      where tenant_id = $tenantId::int and user_id = any (array(select user_id from given) || $userId::bigint)
   )
   select (select version from latest) as "policyVersion", (select rules from latest) as rules,
          (select id from users where tenant_id = $tenantId::int order by id limit 1) is not null as "anyUser",
          coalesce((select json_agg(json_build_object('userId', user_id, 'role', role, 'active', active)) from named), '[]')
            as people,
          coalesce((select json_agg(json_build_object('userId', user_id, 'payloadHash', payload_hash) order by at, user_id)
                      from given), '[]') as given`,
)

import { statement } from '../../kernel/db/index.ts'
import type { StoredPerson } from './people-plan.ts'

/** Makes changes to a tenant's people and policy happen one after the other: whom an entry means depends on everybody else. */
export const lockTenant = statement<{ tenantId: number }, { tenantId: number }>(
  'approvals.lock_tenant',
  `select tenant_id as "tenantId" from tenants where tenant_id = $tenantId::int and deleted_at is null for no key update`,
)

export type PersonRow = StoredPerson & { createdAt: Date }

const personColumns = `id, user_id as "userId", display_name as "displayName", email, role, active, created_at as "createdAt"`

export const listPeople = statement<PersonRow, { tenantId: number }>(
  'approvals.list_people',
  `select ${personColumns} from users where tenant_id = $tenantId::int order by id`,
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

/** Taken before `updatePeople`: a sign-in that is under way commits first, so the update sees its session. */
export const lockPeople = statement<unknown, { tenantId: number; ids: readonly number[] }>(
  'approvals.lock_people',
  `select id from users where tenant_id = $tenantId::int and id = any ($ids::bigint[]) order by id for no key update`,
)

/**
 * A person who is set inactive is signed out everywhere. So is one whose address changes, except in the session that changes it, and
 * the links to the old address are spent.
 */
export const updatePeople = statement<unknown, Columns & { ids: readonly number[]; askingSession: Buffer | null }>(
  'approvals.update_people',
  `with moved as (
     select u.id, now() as at from users u join unnest($ids::bigint[], $emails::text[]) as e (id, email) on e.id = u.id
      where u.tenant_id = $tenantId::int and lower(u.email) is distinct from lower(e.email)
   ), spent as (
     update sign_in_links l set spent_at = now() from moved m
      where l.tenant_id = $tenantId::int and l.person_id = m.id and l.spent_at is null
   ), signed_out as (
     update user_sessions s set closed_at = now()
       from unnest($ids::bigint[], $active::boolean[]) as e (id, active) left join moved m on m.id = e.id
      where s.tenant_id = $tenantId::int and s.person_id = e.id and s.closed_at is null
        and (not e.active or (m.id is not null and s.hash is distinct from $askingSession::bytea))
   )
   update users u
      set user_id = e.user_id, display_name = e.display_name, email = e.email, role = e.role, active = e.active,
          email_since = coalesce(m.at, u.email_since)
     from unnest($userIds::bigint[], $displayNames::text[], $emails::text[], $roles::text[], $active::boolean[], $ids::bigint[])
          as e (user_id, display_name, email, role, active, id) left join moved m on m.id = e.id
    where u.tenant_id = $tenantId::int and u.id = e.id`,
  {
    guest: {
      sign_in_links: 'a new address spends the links mailed to the old one',
      user_sessions: 'a person who is removed or set inactive is signed out in the same statement',
    },
  },
)

/** Two people may share an address, and a person without one is found by none. */
export const peopleOfAddress = statement<PersonRow & { emailSince: Date }, { tenantId: number; email: string }>(
  'approvals.people_of_address',
  `select ${personColumns}, email_since as "emailSince" from users where tenant_id = $tenantId::int and lower(email) = lower($email::text) order by id limit 2`,
)

export const findPerson = statement<PersonRow, { tenantId: number; id: number }>(
  'approvals.find_person',
  `select ${personColumns} from users where tenant_id = $tenantId::int and id = $id::bigint`,
)

export const countPeople = statement<{ count: number }, { tenantId: number }>(
  'approvals.count_people',
  'select count(*)::int as count from users where tenant_id = $tenantId::int',
)

export const insertPerson = statement<
  PersonRow,
  { tenantId: number; displayName: string; email: string; role: string }
>(
  'approvals.insert_person',
  `insert into users (tenant_id, display_name, email, role)
   values ($tenantId::int, $displayName::text, $email::text, $role::text)
   returning ${personColumns}`,
)

/** Name and address go, and so does what the person had open. The trail keeps the number that named them. */
export const removePerson = statement<{ id: number }, { tenantId: number; id: number }>(
  'approvals.remove_person',
  `with signed_out as (
     update user_sessions set closed_at = now()
      where tenant_id = $tenantId::int and person_id = $id::bigint and closed_at is null
   )
   delete from users where tenant_id = $tenantId::int and id = $id::bigint returning id`,
  { guest: { user_sessions: 'a person who is removed or set inactive is signed out in the same statement' } },
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
   ), beyond as materialized (
     select p.version, coalesce(p.hash, encode(sha256(convert_to(p.rules, 'UTF8')), 'hex')) as hash
       from policies p join older o on o.version = p.version
      where p.tenant_id = $tenantId::int
        and (o.nth >= 100 or o.bytes_so_far + octet_length($rules::text) > $keepBytes::bigint)
   ), deleted as (
     update policies p set rules = null, hash = b.hash from beyond b
      where p.tenant_id = $tenantId::int and p.version = b.version
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
  people: { id: number; userId: number | null; role: string; active: boolean }[]
  given: { personId: number; payloadHash: string; underPolicy: boolean }[]
  /** A policy that is tried beside the one in force, where there is one. */
  shadowVersion: number | null
  shadowRules: string | null
}

/** Everything that a judgement needs, as of one moment. With `exists` the planner might scan the whole table for a first row. */
export const loadGrounds = statement<
  GroundsRow,
  {
    tenantId: number
    actionId: string
    /** What the caller states, where nothing proves who they are. */
    statedUserId: number | null
    personIds: readonly number[]
  }
>(
  'approvals.load',
  `with latest as (
     select version, rules from policies where tenant_id = $tenantId::int order by version desc limit 1
   ), tried as (
     select version, rules, created_at from shadow_policies where tenant_id = $tenantId::int and rules is not null
   ), given as (
     select greatest(-user_id, 0) as person_id, user_id, payload_hash, at, under_policy from approvals
      where tenant_id = $tenantId::int and action_id = $actionId::uuid
        and (under_policy or at >= (select created_at from tried))
   ), named as (
     select id, user_id, role, active from users
      where tenant_id = $tenantId::int
        and (user_id = $statedUserId::bigint
             or id = any (array(select person_id from given union all select unnest($personIds::bigint[]))))
   )
   select (select version from latest) as "policyVersion", (select rules from latest) as rules,
          (select id from users where tenant_id = $tenantId::int order by id limit 1) is not null as "anyUser",
          coalesce((select json_agg(json_build_object('id', id, 'userId', user_id, 'role', role, 'active', active)) from named), '[]')
            as people,
          coalesce((select json_agg(json_build_object('personId', person_id, 'payloadHash', payload_hash, 'underPolicy', under_policy)
                                    order by at, user_id)
                      from given), '[]') as given,
          (select version from tried) as "shadowVersion", (select rules from tried) as "shadowRules"`,
)

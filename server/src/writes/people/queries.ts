import { statement } from '../../kernel/db/index.ts'
import { oldRows } from '../../tenancy/jobs/index.ts'

/** A tenant that is there, and stays while something is written for it. */
const living = 'select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share'

/**
 * Writes the same single row for every address, known or not. It wakes nobody: if work for a known address began at once, it
 * would slow down the next request, which somebody could measure.
 */
export const askSignIn = statement<
  unknown,
  { ofTenant: number | null; ofProvider: number | null; email: string; language: string | null }
>(
  'people.ask_sign_in',
  `insert into sign_in_requests (of_tenant, of_provider, email, language)
   values ($ofTenant::int, $ofProvider::int, lower($email::text), $language::text)`,
)

export type AskedSignIn = {
  requestId: string
  ofTenant: number | null
  /** Who asked with the key of a provider means its businesses alone. */
  ofProvider: number | null
  email: string
  language: string | null
}

/**
 * In the transaction that answers it. Whoever asked longer ago than a link lives asks again. The next one is looked for once:
 * a join that looked again for each row would pass over what it has deleted, and delete all of them.
 */
export const takeSignIn = statement<AskedSignIn>(
  'people.take_sign_in',
  `with next as materialized (
     select request_id from sign_in_requests order by request_id limit 1 for update skip locked
   )
   delete from sign_in_requests r
    using next
    where r.request_id = next.request_id
   returning r.request_id::text as "requestId", r.of_tenant as "ofTenant", r.of_provider as "ofProvider", r.email, r.language`,
)

/**
 * Where one person alone has this address, and may act. Whoever knows an address can list it, so that what others list must never
 * push out where somebody belongs: a workspace that may not mail the address does not count, and the first are those where
 * they have signed in lately, then those where they were listed first.
 */
export const tenantsOfAddress = statement<
  { tenantId: number; personId: number },
  { email: string; emailHash: string | null; ofTenant: number | null; limit: number }
>(
  'people.of_address',
  `with listed as (
     select u.tenant_id, min(u.id) as person_id, bool_and(t.email_confirmed_at is not null) as confirmed
       from users u
       join tenants t on t.tenant_id = u.tenant_id and t.deleted_at is null
      where lower(u.email) = $email::text and ($ofTenant::int is null or u.tenant_id = $ofTenant::int)
        and (t.email_confirmed_at is not null or $emailHash::text is null or t.email_hash = $emailHash::text)
      group by u.tenant_id
     having count(*) = 1 and bool_and(u.active)
   )
   select l.tenant_id as "tenantId", l.person_id::float8 as "personId"
     from listed l
    order by l.confirmed desc,
             exists (select from user_sessions s where s.tenant_id = l.tenant_id and s.person_id = l.person_id) desc,
             l.person_id
    limit $limit::int`,
  { looks: 'finds the tenants of an address at the inbox sign-in' },
)

/** How many people of the workspace have signed in, as far as is remembered. */
export const countSignedIn = statement<{ count: number }, { tenantId: number }>(
  'people.count_signed_in',
  `select count(distinct person_id)::int as count from user_sessions where tenant_id = $tenantId::int`,
)

/** The same among the businesses of a provider that is still one. */
export const businessesOfAddress = statement<
  { tenantId: number; personId: number },
  { email: string; providerId: number; ofTenant: number | null; limit: number }
>(
  'people.businesses_of_address',
  // The provider is looked up by itself, because Citus does not join tables by a column other than the tenant.
  `with provider as materialized (
     select p.tenant_id from tenants p where p.tenant_id = $providerId::int and p.provider and p.deleted_at is null
   )
   select u.tenant_id as "tenantId", min(u.id)::float8 as "personId"
     from users u
     join tenants b on b.tenant_id = u.tenant_id and b.deleted_at is null
     join provider p on p.tenant_id = b.provider_tenant_id
    where lower(u.email) = $email::text and ($ofTenant::int is null or u.tenant_id = $ofTenant::int)
    group by u.tenant_id
   having count(*) = 1 and bool_and(u.active)
    order by u.tenant_id desc
    limit $limit::int`,
  { looks: 'finds the businesses of a provider in which an address may sign in' },
)

type NewLink = {
  tenantId: number
  linkId: string
  personId: number
  /** Where it is mailed; null if it is printed. */
  email: string | null
  minutes: number
}

/** Inserts nothing if the person has another address by now. */
export const insertLink = statement<unknown, NewLink>(
  'people.insert_link',
  `insert into sign_in_links (tenant_id, link_id, person_id, email, expires_at)
   select u.tenant_id, $linkId::uuid, u.id, lower(u.email), now() + make_interval(secs => $minutes::float8 * 60)
     from users u
    where u.tenant_id = $tenantId::int and u.id = $personId::bigint
      and ($email::text is null or lower(u.email) = lower($email::text))`,
)

/** A link is spent once it was used, and once its person has another address. */
export type LinkRow = { spent: boolean; expired: boolean; expiresAt: Date; active: boolean; tenantName: string }

export const findLink = statement<LinkRow, { tenantId: number; linkId: string }>(
  'people.find_link',
  `select l.spent_at is not null or (u.id is not null and l.email is distinct from lower(u.email)) as spent, l.expires_at <= now() as expired, l.expires_at as "expiresAt",
          coalesce(u.active, false) as active, t.name as "tenantName"
     from sign_in_links l
     join tenants t on t.tenant_id = $tenantId::int and t.deleted_at is null
     left join users u on u.tenant_id = $tenantId::int and u.id = l.person_id
    where l.tenant_id = $tenantId::int and l.link_id = $linkId::uuid`,
)

/**
 * Spends the link, and with it every other that its person was mailed, and opens the session. It locks the person first: a change
 * of the address that is under way is waited for, and one that comes later finds the session and closes it.
 */
export const openSession = statement<
  { personId: number; expiresAt: Date },
  { tenantId: number; linkId: string; hash: Buffer; lifetimeSeconds: number }
>(
  'people.open_session',
  `with living as (
     ${living}
   ), person as (
     select u.id from users u
       join sign_in_links m on m.tenant_id = $tenantId::int and m.person_id = u.id and m.link_id = $linkId::uuid
      where u.tenant_id = $tenantId::int and u.active and m.email is not distinct from lower(u.email)
        for share of u
   ), spent as (
     update sign_in_links l set spent_at = now()
       from living t, person p
      where l.tenant_id = $tenantId::int and l.link_id = $linkId::uuid and l.spent_at is null and l.expires_at > now()
        and l.person_id = p.id
     returning l.tenant_id, l.person_id
   ), others as (
     update sign_in_links o set spent_at = now()
       from spent s
      where o.tenant_id = $tenantId::int and o.person_id = s.person_id and o.spent_at is null
        and o.link_id <> $linkId::uuid
   )
   insert into user_sessions (tenant_id, hash, person_id, expires_at)
   select tenant_id, $hash::bytea, person_id, now() + make_interval(secs => $lifetimeSeconds::float8) from spent
   returning person_id as "personId", expires_at as "expiresAt"`,
  { guest: { user_sessions: 'a link opens its session in the same statement' } },
)

export const findExpiry = statement<{ expiresAt: Date }, { tenantId: number; hash: Buffer }>(
  'people.find_expiry',
  `select expires_at as "expiresAt" from user_sessions where tenant_id = $tenantId::int and hash = $hash::bytea`,
)

/** For a week after its end, whoever still sends a link is told what became of it. */
const isOld = `expires_at < now() - interval '7 days'`

export const oldLinks = oldRows('people.forget_links', {
  table: 'sign_in_links',
  columns: ['link_id'],
  type: 'uuid',
  due: isOld,
})

import type { AccountEventType, Plan } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'

export const nextTenantId = statement<{ tenantId: number }>(
  'tenants.next_id',
  `select nextval('tenant_ids')::int as "tenantId"`,
)

export type NewTenantValues = {
  tenantId: number
  name: string
  plan: Plan
  selfServe: boolean
  emailSealed: string | null
  emailHash: string | null
  countHash: string | null
  confirmed: boolean
  signingSecret: string
  keyHash: Buffer
  keyPrefix: string
  language: string | null
  providerId: number | null
}

/** A tenant and its first key exist together or not at all. */
export const insertTenant = statement<{ tenantId: number; createdAt: Date }, NewTenantValues>(
  'tenants.insert',
  `with made as (
     insert into tenants
       (tenant_id, name, plan, self_serve, email_sealed, email_hash, count_hash, email_confirmed_at, signing_secret,
        language, provider_tenant_id)
     values ($tenantId::int, $name::text, $plan::text, $selfServe::boolean, $emailSealed::text, $emailHash::text,
             $countHash::text, case when $confirmed::boolean then now() end, $signingSecret::text, $language::text, $providerId::int)
     returning tenant_id, created_at
   ), first_key as (
     insert into keys (tenant_id, hash, prefix, kind)
     select tenant_id, $keyHash::bytea, $keyPrefix::text, 'secret' from made
   ), announced as (
     insert into account_events (tenant_id, type, key_prefix, detail)
     select tenant_id, 'key.issued', $keyPrefix::text, 'secret' from made
   )
   select tenant_id as "tenantId", created_at as "createdAt" from made`,
  { guest: { keys: 'a tenant begins with its first key, and a leak revokes all of them' } },
)

export const insertSandbox = statement<
  unknown,
  { tenantId: number; name: string; hash: Buffer; prefix: string; keySeconds: number }
>(
  'tenants.insert_sandbox',
  `with made as (
     insert into tenants (tenant_id, name, plan, self_serve, sandbox)
     values ($tenantId::int, $name::text, 'free', true, true)
     returning tenant_id
   )
   insert into keys (tenant_id, hash, prefix, kind, expires_at)
   select tenant_id, $hash::bytea, $prefix::text, 'sandbox', now() + make_interval(secs => $keySeconds::float8) from made`,
  { guest: { keys: 'a tenant begins with its first key, and a leak revokes all of them' } },
)

export type TenantRow = {
  tenantId: number
  name: string
  plan: Plan
  selfServe: boolean
  emailConfirmedAt: Date | null
  emailSealed: string | null
  customerTokenKeyIssued: boolean
  intent: string | null
  language: string | null
  provider: boolean
  providerTenantId: number | null
  moderation: 'default' | 'on' | 'off'
  dailyCapUsd: number | null
  monthlyCapUsd: number | null
  createdAt: Date
}
const columns = `tenant_id as "tenantId", name, plan, self_serve as "selfServe", email_confirmed_at as "emailConfirmedAt",
          email_sealed as "emailSealed", customer_token_key is not null as "customerTokenKeyIssued", intent, language, provider,
          provider_tenant_id as "providerTenantId", moderation, daily_cap_usd::float8 as "dailyCapUsd",
          monthly_cap_usd::float8 as "monthlyCapUsd", created_at as "createdAt"`

export const findTenant = statement<TenantRow, { tenantId: number }>(
  'tenants.find',
  `select ${columns} from tenants where tenant_id = $tenantId::int and deleted_at is null`,
)

/** Of a provider that was deleted nothing is said: its businesses have none any longer. */
export const listTenants = statement<TenantRow & { livingProviderId: number | null }, { after: number; limit: number }>(
  'tenants.list',
  `select page.*, p.tenant_id as "livingProviderId"
     from (select ${columns} from tenants
            where tenant_id > $after::int and deleted_at is null and not sandbox
            order by tenant_id
            limit $limit::int) as page
     left join tenants p on p.tenant_id = page."providerTenantId" and p.deleted_at is null
    order by page."tenantId"`,
  { looks: 'the operator lists all tenants' },
)

/** The token of a staged write is no key that anybody issued. */
export const countLiveKeys = statement<{ liveKeys: number }, { tenantId: number }>(
  'tenants.count_live_keys',
  `select count(*)::int as "liveKeys" from keys
    where tenant_id = $tenantId::int and kind <> 'action' and revoked_at is null
      and (expires_at is null or expires_at > now())`,
)

/** Nothing of it is on its way while it moves. A provider is no business of another, so it is not found. */
export const lockToMove = statement<{ tenantId: number }, { tenantId: number }>(
  'tenants.lock_to_move',
  `select tenant_id as "tenantId" from tenants
    where tenant_id = $tenantId::int and deleted_at is null and not provider for update`,
)

/** A flag beside a value distinguishes "leave it" from "set it to null". */
export const patchTenant = statement<
  TenantRow,
  {
    tenantId: number
    name: string | null
    plan: Plan | null
    moderation: string | null
    setDaily: boolean
    dailyCapUsd: number | null
    setMonthly: boolean
    monthlyCapUsd: number | null
    setProvider: boolean
    providerId: number | null
  }
>(
  'tenants.patch',
  `update tenants
      set name = coalesce($name::text, name),
          plan = coalesce($plan::text, plan),
          moderation = coalesce($moderation::text, moderation),
          daily_cap_usd = case when $setDaily::boolean then $dailyCapUsd::numeric else daily_cap_usd end,
          monthly_cap_usd = case when $setMonthly::boolean then $monthlyCapUsd::numeric else monthly_cap_usd end,
          provider_tenant_id = case when $setProvider::boolean then $providerId::int else provider_tenant_id end
    where tenant_id = $tenantId::int and deleted_at is null
      and ($plan::text is null or lower($plan::text) = 'free' or email_confirmed_at is not null)
   returning ${columns}`,
)

export type AddressRow = {
  tenantId: number
  name: string
  emailSealed: string | null
  emailHash: string | null
  countHash: string | null
  confirmedAt: Date | null
  language: string | null
}
const addressColumns = `tenant_id as "tenantId", name, email_sealed as "emailSealed", email_hash as "emailHash",
          count_hash as "countHash", email_confirmed_at as "confirmedAt", language`

export const shareAddress = statement<AddressRow, { tenantId: number }>(
  'tenants.share_address',
  `select ${addressColumns} from tenants where tenant_id = $tenantId::int and deleted_at is null for share`,
)

export const lockAddress = statement<AddressRow, { tenantId: number }>(
  'tenants.lock_address',
  `select ${addressColumns} from tenants where tenant_id = $tenantId::int and deleted_at is null for no key update`,
)

/**
 * Those of a provider, and those that nobody has confirmed, take turns with the others: whoever makes many with somebody else's address
 * does not keep the links of that person's own from them.
 */
export const tenantsOfAddress = statement<{ tenantId: number }, { emailHash: string; limit: number }>(
  'tenants.of_address',
  `select tenant_id as "tenantId" from (
     select tenant_id, row_number() over (
              partition by provider_tenant_id, email_confirmed_at is null order by tenant_id desc) as turn
       from tenants
      where email_hash = $emailHash::text and deleted_at is null) one
    order by turn, tenant_id desc
    limit $limit::int`,
  { looks: 'finds the tenant of an address that asks for recovery' },
)

/** Tombstones count, because a deletion does not free the address. */
export const countAddress = statement<{ count: number }, { countHash: string; emailHash: string; but: number | null }>(
  'tenants.count_address',
  `select count(*)::int as count from tenants
    -- An address that was stored before there was a hash for counting has the other one alone.
    where (count_hash = $countHash::text or (email_hash = $emailHash::text and count_hash is null))
      and tenant_id is distinct from $but::int`,
  { looks: 'an address may have one development tenant' },
)

export const confirmAddress = statement<unknown, { tenantId: number }>(
  'tenants.confirm_address',
  `update tenants
      set email_confirmed_at = least(email_confirmed_at, now()),
          origins = array(select o from unnest(origins || held_origins) with ordinality as u (o, at)
                           group by o order by min(at)),
          held_origins = '{}'
    where tenant_id = $tenantId::int and deleted_at is null`,
)

export const changeAddress = statement<
  unknown,
  {
    tenantId: number
    sealed: string
    emailHash: string | null
    countHash: string | null
    confirmed: boolean
    language: string | null
  }
>(
  'tenants.change_address',
  `with opened_by_former as (update console_sessions set closed_at = now() where tenant_id = $tenantId::int
      and closed_at is null and key_prefix is null and email_hash is distinct from $emailHash::text)
   update tenants t
      set email_sealed = $sealed::text, email_hash = $emailHash::text, count_hash = $countHash::text,
          language = coalesce($language::text, language),
          email_confirmed_at = case when $confirmed::boolean then coalesce(email_confirmed_at, moment.at) end
     from (select now() as at) as moment
    where t.tenant_id = $tenantId::int and t.deleted_at is null`,
  { guest: { console_sessions: 'console sessions end with a leak, and with the address that opened them' } },
)

export const setLanguage = statement<unknown, { tenantId: number; language: string }>(
  'tenants.set_language',
  'update tenants set language = $language::text where tenant_id = $tenantId::int and deleted_at is null',
)

export const setIntent = statement<unknown, { tenantId: number; intent: string }>(
  'tenants.set_intent',
  `with changed as (
     update tenants set intent = $intent::text where tenant_id = $tenantId::int and deleted_at is null returning tenant_id
   )
   insert into account_events (tenant_id, type, detail)
   select tenant_id, 'intent.changed', $intent::text from changed`,
)

export const setCustomerTokenKey = statement<unknown, { tenantId: number; sealed: string }>(
  'tenants.set_customer_token_key',
  `with changed as (
     update tenants set customer_token_key = $sealed::text
      where tenant_id = $tenantId::int and deleted_at is null
     returning tenant_id
   )
   insert into account_events (tenant_id, type)
   select tenant_id, 'customer_token_key.issued' from changed`,
)

/** The old secret stays for a day, while deliveries carry both signatures. */
export const rotateSigningSecret = statement<unknown, { tenantId: number; sealed: string }>(
  'tenants.rotate_signing_secret',
  `with changed as (
     update tenants
        set previous_signing_secret = signing_secret, signing_secret = $sealed::text, signing_secret_rotated_at = now()
      where tenant_id = $tenantId::int and deleted_at is null
     returning tenant_id
   )
   insert into account_events (tenant_id, type)
   select tenant_id, 'signing_secret.rotated' from changed`,
)

export const setEndpointUrl = statement<unknown, { tenantId: number; url: string | null }>(
  'tenants.set_endpoint_url',
  'update tenants set endpoint_url = $url::text where tenant_id = $tenantId::int and deleted_at is null',
)

export const setWebhookUrl = statement<unknown, { tenantId: number; url: string | null }>(
  'tenants.set_webhook_url',
  'update tenants set events_webhook_url = $url::text where tenant_id = $tenantId::int and deleted_at is null',
)

export type CompromiseRow = { revokedKeys: number; customerTokenKeyReplaced: boolean }

/** One statement stops everything that may have leaked, and starts its replacements. */
export const compromise = statement<
  CompromiseRow,
  {
    tenantId: number
    keyHash: Buffer
    keyPrefix: string
    signingSecret: string | null
    customerTokenKey: string
    /** The owner's session that asks for it, which stays; the others end with the keys. */
    owner: Buffer | null
  }
>(
  'tenants.compromise',
  `with gone as (
     update keys set revoked_at = now() where tenant_id = $tenantId::int and revoked_at is null returning tenant_id
   ), signed_out as (
     update console_sessions set closed_at = now()
      where tenant_id = $tenantId::int and closed_at is null and hash is distinct from $owner::bytea
   ), changed as (
     update tenants t
        set signing_secret = coalesce($signingSecret::text, t.signing_secret),
            previous_signing_secret = case when $signingSecret::text is null then t.previous_signing_secret end,
            signing_secret_rotated_at = case when $signingSecret::text is null then t.signing_secret_rotated_at else moment.at end,
            customer_token_key = case when t.customer_token_key is null then null else $customerTokenKey::text end
       from (select now() as at) as moment
      where t.tenant_id = $tenantId::int and t.deleted_at is null
     returning t.tenant_id, t.customer_token_key is not null as replaced
   ), made as (
     insert into keys (tenant_id, hash, prefix, kind, label)
     select tenant_id, $keyHash::bytea, $keyPrefix::text, 'secret', 'after a compromise' from changed
     returning tenant_id, prefix
   ), announced as (
     insert into account_events (tenant_id, type, key_prefix, detail)
     select tenant_id, 'account.compromise', prefix, (select count(*) from gone) || ' keys revoked' from made
     union all
     select tenant_id, 'signing_secret.rotated', null, null from made where $signingSecret::text is not null
     union all
     select tenant_id, 'customer_token_key.issued', null, null from changed where replaced
   )
   select (select count(*)::int from gone) as "revokedKeys", replaced as "customerTokenKeyReplaced" from changed`,
  {
    guest: {
      keys: 'a tenant begins with its first key, and a leak revokes all of them',
      console_sessions: 'console sessions end with a leak, and with the address that opened them',
    },
  },
)

export type AccountEventRow = {
  type: AccountEventType
  at: Date
  keyPrefix: string | null
  callerHash: string | null
  detail: string | null
}

export const listAccountEvents = statement<AccountEventRow, { tenantId: number; limit: number }>(
  'tenants.list_account_events',
  `select type, at, key_prefix as "keyPrefix", caller_hash as "callerHash", detail
     from account_events
    where tenant_id = $tenantId::int
    order by event_id desc
    limit $limit::int`,
)

export const readSecrets = statement<
  { signingSecret: string | null; previousSigningSecret: string | null; customerTokenKey: string | null },
  { tenantId: number }
>(
  'tenants.read_secrets',
  `select signing_secret as "signingSecret",
          case when signing_secret_rotated_at > now() - interval '24 hours' then previous_signing_secret end
            as "previousSigningSecret",
          customer_token_key as "customerTokenKey"
     from tenants
    where tenant_id = $tenantId::int and deleted_at is null`,
)

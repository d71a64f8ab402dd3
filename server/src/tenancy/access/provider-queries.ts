import { statement } from '../../kernel/db/index.ts'
import { KEY_EVENT, type KeyRow, keyColumns, keyEvent, live, MADE_KEY } from './queries.ts'

const IS_PROVIDER = 'a tenant is a provider as long as it has a provider key'

/**
 * Shared: it waits for whoever takes the authority away, and whoever takes it away waits for what was begun under it. It comes
 * before every lock of a business.
 */
export const lockProvider = statement<{ provider: boolean; confirmed: boolean }, { tenantId: number }>(
  'access.lock_provider',
  `select provider, email_confirmed_at is not null as confirmed from tenants
    where tenant_id = $tenantId::int and deleted_at is null for share`,
)

const ofProvider = `tenant_id = $tenantId::int and provider_tenant_id = $providerId::int and deleted_at is null`

export const lockBusiness = statement<{ tenantId: number }, { tenantId: number; providerId: number }>(
  'access.lock_business',
  `select tenant_id as "tenantId" from tenants where ${ofProvider} for no key update`,
)

export const findBusiness = statement<{ tenantId: number }, { tenantId: number; providerId: number }>(
  'access.find_business',
  `select tenant_id as "tenantId" from tenants where ${ofProvider}`,
)

/** A session says nothing of its workspace. */
export const findBusinessOfSession = statement<{ tenantId: number }, { providerId: number; hash: Buffer }>(
  'access.find_business_of_session',
  `select t.tenant_id as "tenantId"
     from user_sessions s
     join tenants t on t.tenant_id = s.tenant_id and t.provider_tenant_id = $providerId::int and t.deleted_at is null
    where s.hash = $hash::bytea`,
  { looks: 'finds the business of a session among those of a provider' },
)

/** None where the tenant may not be a provider: what it is may have changed since it was looked at. */
export const insertProviderKey = statement<
  KeyRow,
  { tenantId: number; hash: Buffer; prefix: string; label: string | null }
>(
  'access.insert_provider_key',
  `with granted as (
     update tenants set provider = true
      where tenant_id = $tenantId::int and deleted_at is null and provider_tenant_id is null and email_confirmed_at is not null
     returning tenant_id
   ), old as (
     update keys k set revoked_at = now() from granted g
      where k.tenant_id = $tenantId::int and k.tenant_id = g.tenant_id and k.kind = 'provider' and k.revoked_at is null
   ), made as (
     insert into keys (tenant_id, hash, prefix, kind, label)
     select tenant_id, $hash::bytea, $prefix::text, 'provider', $label::text from granted
     returning tenant_id, ${keyColumns}
   ), ${keyEvent('key.issued', 'made', "kind || ', by the operator'")}
   ${MADE_KEY}`,
  { guest: { account_events: KEY_EVENT, tenants: IS_PROVIDER } },
)

/** Its keys are revoked, and stay known as those of a provider that is none any longer. */
export const withdrawProvider = statement<{ revoked: number }, { tenantId: number }>(
  'access.withdraw_provider',
  `with gone as (
     update keys set revoked_at = now(), withdrawn = true
      where tenant_id = $tenantId::int and kind in ('provider', 'provider_inbox') and revoked_at is null
     returning tenant_id, prefix
   ), taken as (
     update tenants set provider = false where tenant_id = $tenantId::int
   ), ${keyEvent('key.revoked', 'gone', "'provider authority withdrawn'")}
   select count(*)::int as revoked from gone`,
  { guest: { account_events: KEY_EVENT, tenants: IS_PROVIDER } },
)

export const revokeInboxKey = statement<{ prefix: string }, { tenantId: number; prefix: string }>(
  'access.revoke_provider_inbox_key',
  `with gone as (
     update keys set revoked_at = now()
      where tenant_id = $tenantId::int and prefix = $prefix::text and kind = 'provider_inbox' and ${live}
     returning tenant_id, prefix, kind
   ), ${keyEvent('key.revoked', 'gone', 'kind')}
   select prefix from gone`,
  { guest: { account_events: KEY_EVENT } },
)

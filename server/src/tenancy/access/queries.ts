import type { KeyKind } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { BATCH, oldRows } from '../jobs/index.ts'
import { sealedRows } from '../sealing/index.ts'

export type CredentialRow = TenantColumns & {
  prefix: string
  kind: KeyKind
  lastUsedAt: Date | null
  actionId: string | null
  approverUserId: number | null
  /** The person of that userId when the token was bound; null from before this was recorded. */
  approverPersonId: number | null
  selfConfirm: boolean
  /** The key that it came of by rotation. */
  limitedAs: Buffer | null
  /** Its provider lost the authority: it opens nothing, and its holder is told so. */
  withdrawn: boolean
}

/** What a request needs to know of its tenant. */
export type TenantColumns = {
  tenantId: number
  tenantName: string
  plan: string
  emailConfirmed: boolean
  provider: boolean
  origins: string[]
  endpointUrl: string | null
  catalogVersion: number
  knowledgeVersion: number
  previewVersion: number
  authorityVersion: number
  apiUrl: string | null
  packVersion: number
  signingSecret: string | null
  previousSigningSecret: string | null
  customerTokenKey: string | null
  moderation: 'default' | 'on' | 'off'
  dailyCapUsd: number | null
  monthlyCapUsd: number | null
}

export const tenantColumns = `t.tenant_id as "tenantId", t.name as "tenantName", t.plan, t.email_confirmed_at is not null as "emailConfirmed", t.provider, t.origins,
          t.endpoint_url as "endpointUrl", t.api_url as "apiUrl", t.catalog_version as "catalogVersion", t.knowledge_version as "knowledgeVersion",
          t.preview_version as "previewVersion", t.pack_version as "packVersion", t.authority_version as "authorityVersion", t.signing_secret as "signingSecret",
          case when t.signing_secret_rotated_at > now() - interval '24 hours' then t.previous_signing_secret end
            as "previousSigningSecret",
          t.customer_token_key as "customerTokenKey", t.moderation, t.daily_cap_usd::float8 as "dailyCapUsd",
          t.monthly_cap_usd::float8 as "monthlyCapUsd"`

const credentialColumns = `k.hash, k.prefix, k.kind, k.last_used_at as "lastUsedAt",
          k.action_id as "actionId", k.approver_user_id as "approverUserId",
          k.approver_person_id as "approverPersonId", k.self_confirm as "selfConfirm", k.limited_as as "limitedAs",
          k.withdrawn, ${tenantColumns}`
const opensSomething = `(k.revoked_at is null or k.withdrawn)
      and (k.expires_at is null or k.expires_at > now())
      and t.deleted_at is null`

type FoundRow = CredentialRow & { hash: Buffer }

/**
 * Every request runs this one query. From a key's hash, it finds everything that the request needs to know of its
 * tenant.
 */
export const findCredentials = statement<FoundRow, { hashes: readonly Buffer[] }>(
  'access.find_credentials',
  `select ${credentialColumns}
     from keys k
     join tenants t on t.tenant_id = k.tenant_id
    where k.hash = any($hashes::bytea[]) and ${opensSomething}`,
  { looks: 'finds the tenant of a key that does not name it' },
)

/** Or this one, where the tables are divided by tenant. */
export const findCredentialsOf = statement<FoundRow, { tenantId: number; hashes: readonly Buffer[] }>(
  'access.find_credentials_of',
  `select ${credentialColumns}
     from keys k
     join tenants t on t.tenant_id = $tenantId::int
    where k.tenant_id = $tenantId::int and k.hash = any($hashes::bytea[]) and ${opensSomething}`,
)

/** The same of a tenant where a page asks, which has no key. */
export const findTenant = statement<TenantColumns, { tenantId: number }>(
  'access.find_tenant',
  `select ${tenantColumns} from tenants t where t.tenant_id = $tenantId::int and t.deleted_at is null`,
)

/** Writes the last use of many keys at once. A time never moves back. */
export const touchKeys = statement<unknown, { tenantIds: number[]; hashes: Buffer[]; times: Date[] }>(
  'access.touch_keys',
  `update keys k
      set last_used_at = used.at
     from unnest($tenantIds::int[], $hashes::bytea[], $times::timestamptz[]) as used (tenant_id, hash, at)
    where k.tenant_id = used.tenant_id and k.hash = used.hash and (k.last_used_at is null or k.last_used_at < used.at)`,
  { batches: BATCH },
)

/** Why this room writes `account_events`, by `keyEvent`. */
export const KEY_EVENT = 'issuing, rotating and revoking a key are account events'

/** SQL that records an event for each key of `from`. `detail` is SQL over its columns. */
export const keyEvent = (type: string, from: string, detail: string): string =>
  `announced as (
     insert into account_events (tenant_id, type, key_prefix, detail)
     select tenant_id, '${type}', prefix, ${detail} from ${from}
   )`

export type KeyRow = {
  prefix: string
  kind: KeyKind
  label: string | null
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}
/** What a statement returns of the key that it made. */
export const MADE_KEY = `select prefix, kind, label, "createdAt", "lastUsedAt", "expiresAt", "revokedAt" from made`

export const keyColumns = `prefix, kind, label, created_at as "createdAt", last_used_at as "lastUsedAt",
          expires_at as "expiresAt", revoked_at as "revokedAt"`

// An account issues, counts and rotates these kinds itself. The others have their own routes.
const ofTheAccount = `kind in ('secret', 'agent', 'publishable', 'inbox', 'ci', 'ci_replace')`
// Whoever may issue them in the workspace's name: all of them together have a limit.
const countedKinds = `kind in ('secret', 'agent', 'publishable', 'inbox', 'ci', 'ci_replace', 'provider_inbox')`
// An account also sees and may revoke the keys of a provider. The operator issued the first, but its holder acts in this
// workspace's name.
const shownToTheAccount = `kind in ('secret', 'agent', 'publishable', 'inbox', 'ci', 'ci_replace', 'provider', 'provider_inbox')`
export const live = `revoked_at is null and (expires_at is null or expires_at > now())`

/** Every key that is not revoked, and the newest `$mostRevoked` of the others. */
const keyList = (name: string, ofKinds: string) =>
  statement<KeyRow, { tenantId: number; mostRevoked: number }>(
    name,
    `with listed as (
     select prefix from keys where tenant_id = $tenantId::int and ${ofKinds} and revoked_at is null
     union all
     (select prefix from keys
       where tenant_id = $tenantId::int and ${ofKinds} and revoked_at is not null
       order by revoked_at desc
       limit $mostRevoked::int)
   )
   select ${keyColumns} from keys
    where tenant_id = $tenantId::int and prefix in (select prefix from listed)
    order by created_at desc, prefix`,
  )

export const listKeys = keyList('access.list_keys', shownToTheAccount)
export const listInboxKeys = keyList('access.list_provider_inbox_keys', `kind = 'provider_inbox'`)

// The key of a provider whose authority was withdrawn stays known as one.
const REVOKED_LONG_AGO = `revoked_at < now() - make_interval(days => $days::int) and kind <> 'provider' and not withdrawn`

export const oldKeys = oldRows('access.forget_keys', {
  table: 'keys',
  columns: ['prefix'],
  type: 'text',
  due: REVOKED_LONG_AGO,
  order: 'revoked_at',
})

/** False as soon as the key is revoked, has expired, or its workspace is gone. */
export const keyLives = statement<{ lives: boolean }, { tenantId: number; prefix: string }>(
  'access.key_lives',
  `select exists (
     select 1 from keys k
       join tenants t on t.tenant_id = $tenantId::int and t.deleted_at is null
      where k.tenant_id = $tenantId::int and k.prefix = $prefix::text and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > now())) as lives`,
)

export const findKey = statement<KeyRow, { tenantId: number; prefix: string }>(
  'access.find_key',
  `select ${keyColumns} from keys where tenant_id = $tenantId::int and prefix = $prefix::text`,
)

/**
 * Changes to a tenant's keys happen one after the other, because limits and "the last one" are counted under this lock.
 */
export const lockTenant = statement<{ tenantId: number }, { tenantId: number }>(
  'access.lock_tenant',
  `select tenant_id as "tenantId" from tenants where tenant_id = $tenantId::int and deleted_at is null for no key update`,
)

/** Locked, so that it is not revoked before what it asks for is committed. */
export const lockAsker = statement<{ prefix: string }, { tenantId: number; askingKey: string }>(
  'access.lock_asker',
  `select prefix from keys where tenant_id = $tenantId::int and prefix = $askingKey::text and ${live} for share`,
)

export const insertKey = statement<
  KeyRow,
  {
    tenantId: number
    hash: Buffer
    prefix: string
    kind: KeyKind
    label: string | null
    limit: number
    /** The key itself, of the widget alone. */
    sealed: string | null
    /** Who asked for it, in words, where that was not the workspace itself. */
    by: string
  }
>(
  'access.insert_key',
  `with made as (
     insert into keys (tenant_id, hash, prefix, kind, label, sealed)
     select $tenantId::int, $hash::bytea, $prefix::text, $kind::text, $label::text, $sealed::text
      where (select count(*) from keys where tenant_id = $tenantId::int and ${countedKinds} and ${live}) < $limit::int
     returning tenant_id, ${keyColumns}
   ), ${keyEvent('key.issued', 'made', 'kind || $by::text')}
   ${MADE_KEY}`,
  { guest: { account_events: KEY_EVENT } },
)

/** If the old key was the widget's, which is kept sealed, so is the new one. */
export const rotateKey = statement<
  KeyRow,
  { tenantId: number; oldPrefix: string; hash: Buffer; newPrefix: string; sealed: string; by: string }
>(
  'access.rotate_key',
  `with old as (
     update keys set revoked_at = now()
      where tenant_id = $tenantId::int and prefix = $oldPrefix::text and ${ofTheAccount} and ${live}
     returning tenant_id, prefix, kind, label, sealed, coalesce(limited_as, hash) as limited_as
   ), made as (
     insert into keys (tenant_id, hash, prefix, kind, label, sealed, limited_as)
     select tenant_id, $hash::bytea, $newPrefix::text, kind, label, case when sealed is not null then $sealed::text end,
            limited_as
       from old
     returning tenant_id, ${keyColumns}
   ), ${keyEvent('key.rotated', 'made', "'replaces ' || $oldPrefix::text || $by::text")}
   ${MADE_KEY}`,
  { guest: { account_events: KEY_EVENT } },
)

export const findWidgetKey = statement<{ prefix: string; sealed: string }, { tenantId: number }>(
  'access.find_widget_key',
  `select prefix, sealed from keys where tenant_id = $tenantId::int and sealed is not null and ${live}`,
)

export const ownsPublishableKey = statement<{ owns: boolean }, { tenantId: number; hashes: readonly string[] }>(
  'access.owns_publishable_key',
  `select exists (
     select 1 from keys
      where tenant_id = $tenantId::int and kind = 'publishable' and encode(hash, 'hex') = any ($hashes::text[]) and ${live}
   ) as owns`,
)

/** We keep only the widget's key, because it is on public pages and a workspace can ask for it again. */
export const sealedKeys = sealedRows('access.reseal_key', {
  what: 'the key of a widget',
  table: 'keys',
  id: 'prefix',
  column: 'sealed',
  needed: 'revoked_at is null',
})

/** `known` distinguishes a key that does not exist from the last secret key, which must stay. */
export const revokeKey = statement<
  { revoked: boolean; known: boolean },
  { tenantId: number; prefix: string; by: string }
>(
  'access.revoke_key',
  `with gone as (
     update keys set revoked_at = now()
      where tenant_id = $tenantId::int and prefix = $prefix::text and ${shownToTheAccount} and ${live}
        and (kind <> 'secret'
             or (select count(*) from keys where tenant_id = $tenantId::int and kind = 'secret' and ${live}) > 1)
     returning tenant_id, prefix, kind
   ), ${keyEvent('key.revoked', 'gone', 'kind || $by::text')}
   select exists (select 1 from gone) as revoked,
          exists (
            select 1 from keys
             where tenant_id = $tenantId::int and prefix = $prefix::text and ${shownToTheAccount} and ${live}) as known`,
  { guest: { account_events: KEY_EVENT } },
)

export const tenantsWithPrefix = statement<{ tenantId: number }, { prefix: string; tenantId: number | null }>(
  'access.tenants_with_prefix',
  `select tenant_id as "tenantId" from keys
    where prefix = $prefix::text and revoked_at is null and ($tenantId::int is null or tenant_id = $tenantId::int)`,
  { looks: 'the operator revokes a key without knowing its tenant' },
)

/** The operator may revoke a key of any kind, even the last secret one. */
export const revokeAnyKey = statement<{ prefix: string }, { tenantId: number; prefix: string }>(
  'access.revoke_any_key',
  `with gone as (
     update keys set revoked_at = now()
      where tenant_id = $tenantId::int and prefix = $prefix::text and revoked_at is null
     returning tenant_id, prefix, kind
   ), ${keyEvent('key.revoked', 'gone', "kind || ', by the operator'")}
   select prefix from gone`,
  { guest: { account_events: KEY_EVENT } },
)

/** With what the customer tokens of a workspace are signed, sealed. */
export const findCustomerTokenKey = statement<{ customerTokenKey: string | null }, { tenantId: number }>(
  'access.find_customer_token_key',
  `select customer_token_key as "customerTokenKey" from tenants where tenant_id = $tenantId::int and deleted_at is null`,
)

import type { TenantAsking } from '../context/index.ts'

/**
 * SQL: the tenant, while whoever asks may still ask: the key whose prefix is `$askingKey` is alive, and so is the session
 * `$askingSession` of the person or the owner who acts. Null means that none takes part; a page has no key, and most keys have no session.
 * All of these rows are locked, the tenant's first, so that none changes before the statement is committed. A statement that has
 * to wait for them goes by what they say afterwards; whatever else it reads is older. `orNobody` says when a key is not needed.
 */
export const askedBy = (and = 'true', orNobody = 'false'): string =>
  `with tenant as (
       select t.tenant_id, case when t.email_confirmed_at is not null then t.email_hash end as owner_hash from tenants t
        where t.tenant_id = $tenantId::int and t.deleted_at is null and ${and}
          for share
     ), living_key as (
       select k.tenant_id from keys k
        where k.tenant_id = $tenantId::int and k.prefix = $askingKey::text
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
          for share
     ), living_session as (
       select s.tenant_id from user_sessions s
        where s.tenant_id = $tenantId::int and s.hash = $askingSession::bytea
          and s.closed_at is null and s.expires_at > now()
          for share
     ), living_owner as (
       select c.tenant_id, c.email_hash from console_sessions c
        where c.tenant_id = $tenantId::int and c.hash = $askingSession::bytea
          and c.closed_at is null and c.expires_at > now()
          for share
     )
     select t.tenant_id from tenant t
      where ($askingKey::text is not null or $askingSession::bytea is not null or ${orNobody})
        -- Counted, because what only exists could be looked for before the tenant is locked.
        and ($askingKey::text is null or (select count(*) from living_key k where k.tenant_id = t.tenant_id) > 0)
        and ($askingSession::bytea is null or (select count(*) from living_session s where s.tenant_id = t.tenant_id)
             + (select count(*) from living_owner c where c.tenant_id = t.tenant_id and c.email_hash = t.owner_hash) > 0)`

/** What `askedBy` asks for. */
export type AskingRows = { readonly askingKey: string | null; readonly askingSession: Buffer | null }

export const askingRows = ({ keyPrefix, actor }: Pick<TenantAsking, 'keyPrefix' | 'actor'>): AskingRows => ({
  askingKey: keyPrefix,
  askingSession: actor.by === 'person' || actor.by === 'owner' ? actor.sessionHash : null,
})

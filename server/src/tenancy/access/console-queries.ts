import { statement } from '../../kernel/db/index.ts'
import { oldRows } from '../jobs/index.ts'
import { type TenantColumns, tenantColumns } from './queries.ts'

export type ConsoleRow = TenantColumns & { keyPrefix: string | null; expiresAt: Date; stale: boolean }

/**
 * The living session with its tenant, in the one query of a page. What it came from must live, too: the key, or the address as it was
 * confirmed.
 */
export const findConsole = statement<
  ConsoleRow,
  { tenantId: number; hash: Buffer; idleSeconds: number; touchSeconds: number }
>(
  'access.find_console',
  `select s.key_prefix as "keyPrefix", s.expires_at as "expiresAt",
          s.last_used_at <= now() - make_interval(secs => $touchSeconds::float8) as stale, ${tenantColumns}
     from console_sessions s
     join tenants t on t.tenant_id = $tenantId::int and t.deleted_at is null
     left join keys k on k.tenant_id = $tenantId::int and k.prefix = s.key_prefix and k.kind = 'secret'
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    where s.tenant_id = $tenantId::int and s.hash = $hash::bytea and s.closed_at is null and s.expires_at > now()
      and s.last_used_at > now() - make_interval(secs => $idleSeconds::float8)
      and (k.prefix is not null or (s.key_prefix is null and s.email_hash = t.email_hash and t.email_confirmed_at is not null))`,
)

export const touchConsole = statement<unknown, { tenantId: number; hash: Buffer }>(
  'access.touch_console',
  `update console_sessions set last_used_at = now()
    where tenant_id = $tenantId::int and hash = $hash::bytea and closed_at is null`,
)

export const closeConsole = statement<unknown, { tenantId: number; hash: Buffer }>(
  'access.close_console',
  `update console_sessions set closed_at = now()
    where tenant_id = $tenantId::int and hash = $hash::bytea and closed_at is null`,
)

/** While the key lives: a revocation either comes first, and nothing is opened, or ends what was opened. */
export const openByKey = statement<
  { expiresAt: Date },
  { tenantId: number; keyHash: Buffer; hash: Buffer; lifetimeSeconds: number }
>(
  'access.open_console_by_key',
  `with tenant as (
     select t.tenant_id from tenants t where t.tenant_id = $tenantId::int and t.deleted_at is null for key share
   ), living as (
     select k.tenant_id, k.prefix from keys k
      where k.tenant_id = $tenantId::int and k.hash = $keyHash::bytea and k.kind = 'secret' and (select count(*) from tenant) > 0
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        for share of k
   )
   insert into console_sessions (tenant_id, hash, key_prefix, expires_at)
   select tenant_id, $hash::bytea, prefix, now() + make_interval(secs => $lifetimeSeconds::float8) from living
   returning expires_at as "expiresAt"`,
)

/** In the transaction that issues something on the word of the session. The address itself is locked with the tenant. */
export const lockOwner = statement<{ hash: Buffer }, { tenantId: number; hash: Buffer }>(
  'access.lock_owner',
  `select c.hash from console_sessions c
     join tenants t on t.tenant_id = $tenantId::int and t.email_hash = c.email_hash and t.email_confirmed_at is not null
    where c.tenant_id = $tenantId::int and c.hash = $hash::bytea and c.closed_at is null and c.expires_at > now()
      for share of c`,
)

const isOld = 'expires_at < now()'

export const oldConsoles = oldRows('access.forget_consoles', {
  table: 'console_sessions',
  id: `encode(hash, 'hex')`,
  columns: ['hash'],
  type: 'text',
  isFound: `r.hash = decode(found.id, 'hex')`,
  due: isOld,
})

import { statement } from '../../kernel/db/index.ts'
import { waitingRequests } from './queries.ts'

/** Writes the same single row for every address, known or not, and wakes nobody, as `askRecovery` does. */
export const askConsole = statement<unknown, { emailHash: string; callerHash: string; language: string }>(
  'signup.ask_console',
  `with noted as (
     insert into signup_ledger (kind, hash) values ('link', $callerHash::text)
   )
   insert into console_requests (email_hash, language) values ($emailHash::text, $language::text)`,
)

export type ConsoleRequest = { requestId: string; emailHash: string; language: string }

export const consoleRequests = waitingRequests<ConsoleRequest>('console', 'console_requests')

/** Spends the link and opens the session. It is bound to the address as it stands confirmed at this moment. */
export const openByLink = statement<
  { expiresAt: Date },
  { tenantId: number; linkId: string; hash: Buffer; lifetimeSeconds: number }
>(
  'signup.open_console',
  `with tenant as (
     select t.tenant_id, t.email_hash from tenants t
      where t.tenant_id = $tenantId::int and t.deleted_at is null and t.email_confirmed_at is not null and t.email_hash is not null
        for share
   ), spent as (
     update account_links l set used_at = now()
       from tenant t
      where l.tenant_id = $tenantId::int and l.link_id = $linkId::text and l.purpose = 'console'
        and l.used_at is null and l.superseded_at is null and l.expires_at > now() and t.tenant_id = l.tenant_id
     returning t.tenant_id, t.email_hash
   )
   insert into console_sessions (tenant_id, hash, email_hash, expires_at)
   select tenant_id, $hash::bytea, email_hash, now() + make_interval(secs => $lifetimeSeconds::float8) from spent
   returning expires_at as "expiresAt"`,
  { guest: { console_sessions: 'a link opens its console session in the same statement' } },
)

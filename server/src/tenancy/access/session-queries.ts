import { statement } from '../../kernel/db/index.ts'
import { oldRows } from '../jobs/index.ts'

export type SessionRow = {
  personId: number
  closed: boolean
  expired: boolean
  expiresAt: Date
  /** Its last use was written so long ago that it is time to write it again. */
  stale: boolean
  /** Null where the person was removed. */
  active: boolean | null
  userId: number | null
  displayName: string | null
  email: string | null
  role: string | null
  createdAt: Date | null
}

export const findSession = statement<
  SessionRow,
  { tenantId: number; hash: Buffer; idleSeconds: number; touchSeconds: number }
>(
  'access.find_session',
  `select s.person_id as "personId", s.closed_at is not null as closed,
          s.expires_at <= now() or s.last_used_at <= now() - make_interval(secs => $idleSeconds::float8) as expired,
          s.expires_at as "expiresAt", s.last_used_at <= now() - make_interval(secs => $touchSeconds::float8) as stale,
          u.active, u.user_id as "userId", u.display_name as "displayName", u.email, u.role, u.created_at as "createdAt"
     from user_sessions s
     left join users u on u.tenant_id = $tenantId::int and u.id = s.person_id
    where s.tenant_id = $tenantId::int and s.hash = $hash::bytea`,
)

export const sessionLives = statement<{ lives: boolean }, { tenantId: number; hash: Buffer }>(
  'access.session_lives',
  `select exists (
     select 1 from user_sessions s join users u on u.tenant_id = $tenantId::int and u.id = s.person_id and u.active
      where s.tenant_id = $tenantId::int and s.hash = $hash::bytea and s.closed_at is null and s.expires_at > now()) as lives`,
)

export const touchSession = statement<unknown, { tenantId: number; hash: Buffer }>(
  'access.touch_session',
  `update user_sessions set last_used_at = now()
    where tenant_id = $tenantId::int and hash = $hash::bytea and closed_at is null`,
)

export const closeSession = statement<unknown, { tenantId: number; hash: Buffer }>(
  'access.close_session',
  `update user_sessions set closed_at = now()
    where tenant_id = $tenantId::int and hash = $hash::bytea and closed_at is null`,
)

/** `findSession` refuses it unless its person is active. */
export const lendSession = statement<
  { personId: number },
  { tenantId: number; hash: Buffer; personId: number; seconds: number }
>(
  'access.lend_session',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into user_sessions (tenant_id, hash, person_id, expires_at)
   select tenant_id, $hash::bytea, $personId::bigint, now() + make_interval(secs => $seconds::float8) from living
   returning person_id as "personId"`,
)

/** Nobody has signed in, so nothing of it stays. */
export const endLent = statement<unknown, { tenantId: number; hash: Buffer }>(
  'access.end_lent_session',
  'delete from user_sessions where tenant_id = $tenantId::int and hash = $hash::bytea',
)

/** For a week after its end, whoever still sends one is told what became of it. */
const isOld = `expires_at < now() - interval '7 days'`

export const oldSessions = oldRows('access.forget_sessions', {
  table: 'user_sessions',
  id: `encode(hash, 'hex')`,
  columns: ['hash'],
  type: 'text',
  isFound: `r.hash = decode(found.id, 'hex')`,
  due: isOld,
})

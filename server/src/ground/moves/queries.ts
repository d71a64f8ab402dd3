import { statement } from '../../foundation/db/index.ts'

/** Where a tenant stands in one database. */
export type Standing = {
  moving: 'closing' | 'leaving' | 'arriving' | 'moved' | null
  /** The run that set the mark. */
  movingBy: string | null
  deleted: boolean
  sandbox: boolean
  provider: boolean
  providerTenantId: number | null
}

export const readStanding = statement<Standing, { tenantId: number }>(
  'moves.read_standing',
  `select moving, moving_by as "movingBy", deleted_at is not null as deleted, sandbox, provider, provider_tenant_id as "providerTenantId"
     from tenants where tenant_id = $tenantId::int`,
)

/** `switchedBy`: the run whose marks are on both sides of a move that has switched. */
export type MoveRecord = {
  fromName: string
  toName: string
  state: 'copying' | 'switched' | 'done'
  switchedBy: string | null
}

/** Waits for a switch whose answer was lost: what it answers is decided. */
export const settleMove = statement<MoveRecord, { tenantId: number }>(
  'moves.settle',
  `select from_name as "fromName", to_name as "toName", state, switched_by as "switchedBy"
     from tenant_moves where moved_tenant = $tenantId::int for update`,
)

/** What other moves have begun and not ended, whose marks count. */
export const listUnfinished = statement<{ tenantId: number; fromName: string; toName: string }, { tenantId: number }>(
  'moves.list_unfinished',
  `select moved_tenant as "tenantId", from_name as "fromName", to_name as "toName" from tenant_moves
    where state <> 'done' and (moved_tenant <> $tenantId::int or state = 'switched')`,
)

/** A move that is over gives its row to the next one. */
export const beginMove = statement<unknown, { tenantId: number; fromName: string; toName: string }>(
  'moves.begin',
  `insert into tenant_moves as m (moved_tenant, from_name, to_name, state, started_at)
   values ($tenantId::int, $fromName::text, $toName::text, 'copying', now())
   on conflict (moved_tenant) do update
      set from_name = excluded.from_name, to_name = excluded.to_name, state = 'copying', started_at = excluded.started_at,
          switched_at = null, finished_at = null, switched_by = null
    where m.state = 'done'`,
)

/** The one change by which a tenant goes from one database to the other. */
export const switchMove = statement<unknown, { tenantId: number; runner: string }>(
  'moves.switch',
  `update tenant_moves set state = 'switched', switched_at = now(), switched_by = $runner::uuid
    where moved_tenant = $tenantId::int and state = 'copying'`,
)

export const finishMove = statement<unknown, { tenantId: number; by: string | null }>(
  'moves.finish',
  `update tenant_moves set state = 'done', finished_at = now()
    where moved_tenant = $tenantId::int and state = 'switched' and switched_by is not distinct from $by::uuid`,
)

export const forgetMove = statement<unknown, { tenantId: number }>(
  'moves.forget',
  `delete from tenant_moves where moved_tenant = $tenantId::int and state = 'copying'`,
)

/** Of two commands for one deployment the second is refused. The lock ends with the connection, and so with a command that is killed. */
export const takeTurn = statement<{ taken: boolean }>(
  'moves.take_turn',
  'select pg_try_advisory_xact_lock(7303014552) as taken',
)

/** Who has the turn. Other roles' connections show no address. */
export const readTurn = statement<{ pid: number; address: string | null; since: string }>(
  'moves.read_turn',
  `select a.pid, host(a.client_addr) as address, to_char(a.xact_start at time zone 'UTC', 'HH24:MI:SS "UTC on" YYYY-MM-DD') as since
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32) + l.objid::bigint = 7303014552 and a.xact_start is not null
    limit 1`,
)

export const newestEvent = statement<{ at: string }, { tenantId: number }>(
  'moves.newest_event',
  `select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as at from audit_events
    where tenant_id = $tenantId::int order by id desc limit 1`,
)

/** Of the first database, which knows of every move. */
export const readUnfinished = statement<{ seconds: number }>(
  'moves.read_unfinished',
  `select coalesce(extract(epoch from now() - min(started_at)), 0)::float8 as seconds from tenant_moves where state <> 'done'`,
)

/** No trigger fires from here on, so that each row is written as it is, and the marks of a move hold nothing up. */
export const silenceTriggers = statement<unknown>(
  'moves.silence_triggers',
  `select set_config('session_replication_role', 'replica', true)`,
)

export const listenToMarks = statement<unknown, { on: number }>(
  'moves.listen_to_marks',
  `select setval('moves_underway', $on::bigint, true)`,
)

export const limitWait = statement<unknown, { ms: number }>(
  'moves.limit_wait',
  `select set_config('lock_timeout', $ms::int::text, true)`,
)

/** It waits for all who hold the row, and whoever asks for it afterwards sees the mark. */
export const lockTenant = statement<unknown, { tenantId: number }>(
  'moves.lock_tenant',
  'select tenant_id from tenants where tenant_id = $tenantId::int for update',
)

type Marked = { tenantId: number; runner: string }

/** It may have become one of these while it was copied. */
const MAY_GO = 'deleted_at is null and not sandbox and not provider and provider_tenant_id is null'

export const markClosing = statement<unknown, Marked>(
  'moves.mark_closing',
  `update tenants set moving = 'closing', moving_by = $runner::uuid
    where tenant_id = $tenantId::int and ${MAY_GO} and moving is null`,
)

export const markLeaving = statement<unknown, Marked>(
  'moves.mark_leaving',
  `update tenants set moving = 'leaving'
    where tenant_id = $tenantId::int and ${MAY_GO} and moving = 'closing' and moving_by = $runner::uuid`,
)

/** A tenant that stays where it is. */
export const unmark = statement<unknown, Marked>(
  'moves.unmark',
  `update tenants set moving = null, moving_by = null
    where tenant_id = $tenantId::int and moving in ('closing', 'leaving') and moving_by = $runner::uuid`,
)

type Switched = { tenantId: number; by: string | null }

/** Whose marks a move lifts that has switched. One that a version of before has switched does not say it. */
const BY_IT = 'moving_by = coalesce($by::uuid, moving_by)'

/** What a move leaves: nothing by which an address or an id would be taken twice. */
export const markMoved = statement<unknown, Switched>(
  'moves.mark_moved',
  `update tenants set moving = 'moved', moving_by = null, email_hash = null, count_hash = null, email_confirmed_at = null
    where tenant_id = $tenantId::int and moving = 'leaving' and ${BY_IT}`,
)

export const makePlace = statement<unknown, Marked>(
  'moves.make_place',
  `insert into tenants as t (tenant_id, plan, self_serve, deleted_at, moving, moving_by)
   values ($tenantId::int, 'free', false, now(), 'arriving', $runner::uuid)
   on conflict (tenant_id) do update set deleted_at = excluded.deleted_at, moving = 'arriving', moving_by = excluded.moving_by
    where t.moving in ('arriving', 'moved')`,
)

/** Whoever copies holds it while it writes: a command that was overtaken writes no longer. */
export const holdPlace = statement<{ tenantId: number }, Marked>(
  'moves.hold_place',
  `select tenant_id as "tenantId" from tenants
    where tenant_id = $tenantId::int and moving = 'arriving' and moving_by = $runner::uuid for share`,
)

export const clearPlace = statement<unknown, Marked>(
  'moves.clear_place',
  `delete from tenants where tenant_id = $tenantId::int and moving = 'arriving' and moving_by = $runner::uuid`,
)

/** No row where the fence has been lifted meanwhile. */
export const readFenced = statement<{ row: string }, Marked>(
  'moves.read_fenced',
  `select t::text as row from tenants t
    where t.tenant_id = $tenantId::int and t.moving = 'leaving' and t.moving_by = $runner::uuid`,
)

/** What the copy of a tenant's row has in common with it. */
export const sumTenant = statement<{ sum: string }, { tenantId: number }>(
  'moves.sum_tenant',
  `select md5((to_jsonb(t) - 'moving' - 'deleted_at')::text) as sum from tenants t where t.tenant_id = $tenantId::int`,
)

/** The row as it came still says that it leaves. */
export const markArriving = statement<unknown, { tenantId: number }>(
  'moves.mark_arriving',
  `update tenants set moving = 'arriving', deleted_at = now() where tenant_id = $tenantId::int`,
)

/** From here on it is served. */
export const arrive = statement<{ tenantId: number }, Switched & { detail: string }>(
  'moves.arrive',
  `with arrived as (
     update tenants set moving = null, moving_by = null, deleted_at = null
      where tenant_id = $tenantId::int and moving = 'arriving' and ${BY_IT} returning tenant_id
   ), announced as (
     insert into account_events (tenant_id, type, detail) select tenant_id, 'database.changed', $detail::text from arrived
   )
   select tenant_id as "tenantId" from arrived`,
)

export const countExecuting = statement<{ count: number }, { tenantId: number }>(
  'moves.count_executing',
  `select count(*)::int as count from actions where tenant_id = $tenantId::int and state = 'executing'`,
)

/** Transactions that write, by their numbers. Those that are underway now have seen a mark that is committed, or are among them. */
export const readWriters = statement<{ underway: string[] }>(
  'moves.read_writers',
  `select array(select pg_snapshot_xip(pg_current_snapshot())::text) as underway`,
)

/** What must be the same on both sides, and what a role must be allowed. */
export type Server = {
  maySilence: boolean
  owns: boolean
  role: string
  collation: string
  formats: string
}

export const readServer = statement<Server>(
  'moves.read_server',
  `select quote_ident(current_user) as role, has_parameter_privilege('session_replication_role', 'SET') as "maySilence",
          (select pg_has_role(current_user, relowner, 'usage') from pg_class where oid = 'audit_events'::regclass) as owns,
          (select datcollate || ' ' || pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as collation,
          concat_ws(', ', current_setting('timezone'), current_setting('datestyle'), current_setting('intervalstyle'),
                    current_setting('bytea_output'), current_setting('extra_float_digits')) as formats`,
)

/** A table by what it takes to copy it. `key`: the primary key after the tenant. `counted`: the columns that a sequence counts. */
export type TableShape = {
  name: string
  columns: string[]
  key: { name: string; type: string }[] | null
  counted: { column: string; sequence: string }[]
}

export const readShapes = statement<TableShape, { names: readonly string[] }>(
  'moves.read_shapes',
  `select c.relname::text as name,
          array(select a.attname::text || ' ' || format_type(a.atttypid, a.atttypmod) from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
          (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by k.nth)
             from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, nth)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
            where i.indrelid = c.oid and i.indisprimary and a.attname <> 'tenant_id') as key,
          coalesce((select json_agg(json_build_object('column', a.attname, 'sequence', pg_get_serial_sequence(c.relname::text, a.attname)))
             from pg_attribute a where a.attrelid = c.oid and a.attidentity <> ''), '[]') as counted
     from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relname = any ($names::text[])
    order by c.relname`,
)

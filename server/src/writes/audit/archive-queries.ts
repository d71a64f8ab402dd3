import { statement, type Transaction } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

/** Whether this role may take anything out of the trail. */
export const ownsTrail = statement<{ owns: boolean }>(
  'audit.owns_trail',
  `select owns_trail('audit_events'::regclass) as owns`,
)

const BEFORE = `(date_trunc('month', now() at time zone 'UTC') - make_interval(months => $keepMonths::int)) at time zone 'UTC'`

/** The tenants after one that have events of months that are no longer kept in the table. */
export const listToArchive = statement<
  { tenantId: number },
  { after: number; only: number | null; keepMonths: number; limit: number }
>(
  'audit.list_to_archive',
  `select h.tenant_id as "tenantId" from audit_heads h
    where h.tenant_id > $after::int and ($only::int is null or h.tenant_id = $only::int)
      and exists (select 1 from audit_events e where e.tenant_id = h.tenant_id and e.occurred_at < ${BEFORE})
    order by h.tenant_id
    limit $limit::int`,
  { looks: SWEEP },
)

export type Month = {
  /** Such as 2026-03. */
  month: string
  /** The event before it, and that event's hash. */
  afterId: number
  afterHash: string
  lastId: number
  lastAt: Date
}

/** The oldest month that is not archived yet and no longer kept in the table. */
export const findMonth = statement<Month, { tenantId: number; keepMonths: number }>(
  'audit.find_month',
  `with archived as (
     select last_id, last_hash from audit_archives where tenant_id = $tenantId::int order by first_id desc limit 1
   ), first as (
     select date_trunc('month', e.occurred_at at time zone 'UTC') as month from audit_events e
      where e.tenant_id = $tenantId::int and e.id > coalesce((select last_id from archived), 0) and e.occurred_at < ${BEFORE}
      order by e.id
      limit 1
   )
   select to_char(f.month, 'YYYY-MM') as month, coalesce((select last_id from archived), 0) as "afterId",
          coalesce((select last_hash from archived), repeat('0', 64)) as "afterHash", l.id as "lastId", l.occurred_at as "lastAt"
     from first f
    cross join lateral (
          select e.id, e.occurred_at from audit_events e
           where e.tenant_id = $tenantId::int and e.occurred_at < (f.month + interval '1 month') at time zone 'UTC'
           order by e.occurred_at desc, e.id desc
           limit 1) l`,
)

export type ArchiveRow = { firstId: number; lastId: number; file: string; sha256: string }

/** Archives of which some rows are still in the table: whoever was taking them out was stopped. */
export const listLeftBehind = statement<ArchiveRow, { tenantId: number }>(
  'audit.list_left_behind',
  `select a.first_id as "firstId", a.last_id as "lastId", a.file, a.file_sha256 as sha256 from audit_archives a
    where a.tenant_id = $tenantId::int
      and a.last_id >= (select min(e.id) from audit_events e where e.tenant_id = $tenantId::int)
    order by a.first_id`,
)

/** Writes nothing for a tenant that is gone, or where somebody else has archived the same. */
export const insertArchive = statement<
  unknown,
  {
    tenantId: number
    firstId: number
    lastId: number
    month: string
    previousHash: string
    lastHash: string
    lastAt: Date
    file: string
    sha256: string
  }
>(
  'audit.insert_archive',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into audit_archives (tenant_id, first_id, last_id, month, previous_hash, last_hash, last_at, file, file_sha256, archived_at)
   select tenant_id, $firstId::bigint, $lastId::bigint, ($month::text || '-01')::date, $previousHash::text, $lastHash::text,
          $lastAt::timestamptz, $file::text, $sha256::text, now()
     from living`,
)

/** The trail refuses to lose an event, unless its owner says here that a file has it. */
export const announceArchiving = (tx: Transaction, tenantId: number): Promise<void> =>
  // Citus passes `set local` on to its workers, but not `set_config`. The command takes no values.
  tx.script(`set local tether.archiving_tenant = '${tenantId}'`)

export const takeOut = statement<unknown, { tenantId: number; afterId: number; lastId: number }>(
  'audit.take_out',
  'delete from audit_events where tenant_id = $tenantId::int and id > $afterId::bigint and id <= $lastId::bigint',
)

/** Deleted tenants whose archives a folder may still hold. */
export const listDeleted = statement<{ tenantId: number }, { tenantIds: readonly number[] }>(
  'audit.list_deleted',
  'select tenant_id as "tenantId" from tenants where tenant_id = any ($tenantIds::int[]) and deleted_at is not null',
  { looks: 'tells the operator which archives belong to deleted tenants' },
)

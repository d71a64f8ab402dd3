import { statement } from '../../kernel/db/index.ts'
import { BATCH, oldRows } from '../../tenancy/jobs/index.ts'

export type CallRow = {
  readonly tenantId: number
  readonly at: Date
  readonly requestId: string
  readonly tool: string
  readonly domain: string
  readonly surface: string
  readonly status: string
  readonly httpStatus: number | null
  readonly attempts: number
  readonly durationMs: number
}

/** Writes the rows of many calls at once. A tenant that is deleted or being deleted gets no rows, and does not block the others. */
export const insertCalls = statement<unknown, { tenantIds: readonly number[]; rows: string }>(
  'calls.insert',
  `with living as (
     select tenant_id from tenants where tenant_id = any ($tenantIds::int[]) and deleted_at is null for key share skip locked
   )
   insert into tool_calls (tenant_id, at, request_id, tool, domain, surface, status, http_status, attempts, duration_ms)
   select c."tenantId", c.at, c."requestId", c.tool, c.domain, c.surface, c.status, c."httpStatus", c.attempts, c."durationMs"
     from json_to_recordset($rows::json) as c (
            "tenantId" int, at timestamptz, "requestId" text, tool text, domain text, surface text, status text,
            "httpStatus" int, attempts int, "durationMs" int)
     join living l on l.tenant_id = c."tenantId"`,
  { batches: BATCH },
)

type ListedCall = Omit<CallRow, 'tenantId'> & { readonly callId: number }

export const listCalls = statement<
  ListedCall,
  { tenantId: number; tool: string | null; status: string | null; before: number | null; limit: number }
>(
  'calls.list',
  `select call_id as "callId", at, request_id as "requestId", tool, domain, surface, status, http_status as "httpStatus", attempts,
          duration_ms as "durationMs"
     from tool_calls
    where tenant_id = $tenantId::int and ($tool::text is null or tool = $tool::text)
      and ($status::text is null or status = $status::text) and ($before::bigint is null or call_id < $before::bigint)
    order by call_id desc
    limit $limit::int`,
  { unprepared: true },
)

const IS_OLD = 'at < now() - make_interval(secs => $days::float8 * 86400)'

export const oldCalls = oldRows('calls.forget', {
  table: 'tool_calls',
  columns: ['call_id'],
  type: 'bigint',
  due: IS_OLD,
  order: 'at',
})

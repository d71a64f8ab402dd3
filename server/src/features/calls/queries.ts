import { statement } from '../../foundation/db/index.ts'

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

/** Writes the rows of many calls at once. The lock waits for a running deletion: a tenant that is gone by then gets no rows. */
export const insertCalls = statement<unknown, { rows: string }>(
  'calls.insert',
  `insert into tool_calls (tenant_id, at, request_id, tool, domain, surface, status, http_status, attempts, duration_ms)
   select c."tenantId", c.at, c."requestId", c.tool, c.domain, c.surface, c.status, c."httpStatus", c.attempts, c."durationMs"
     from json_to_recordset($rows::json) as c (
            "tenantId" int, at timestamptz, "requestId" text, tool text, domain text, surface text, status text,
            "httpStatus" int, attempts int, "durationMs" int)
     join tenants t on t.tenant_id = c."tenantId" and t.deleted_at is null
      for share of t`,
)

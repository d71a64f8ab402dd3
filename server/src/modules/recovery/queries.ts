import type { ActionState } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'

export type Workspace = {
  tenantId: number
  hasEndpoint: boolean
  /**
   * Some of its writes may have gone to an imported API or an MCP server, which claim nothing. This includes a server that the tenant
   * has removed: the lost writes may be older than the removal.
   */
  callsOthers: boolean
}

/** Workspaces that have anywhere to send a write to. */
export const listWorkspaces = statement<
  Workspace,
  { after: number; tenantIds: readonly number[] | null; limit: number }
>(
  'recovery.list_workspaces',
  `select w.* from (
     select t.tenant_id as "tenantId", t.endpoint_url is not null as "hasEndpoint",
            t.api_url is not null or t.upstreams_version > 0 as "callsOthers"
       from tenants t
      where t.tenant_id > $after::int and t.deleted_at is null
        and ($tenantIds::int[] is null or t.tenant_id = any ($tenantIds::int[]))
   ) as w
   where w."hasEndpoint" or w."callsOthers"
   order by w."tenantId"
   limit $limit::int`,
  { looks: 'the operator asks the endpoint of every tenant' },
)

export type KnownWrite = { requestId: string; actionId: string; tool: string; state: ActionState }

/** Which of these keys are those of writes, and what became of each. */
export const findWrites = statement<KnownWrite, { tenantId: number; requestIds: readonly string[] }>(
  'recovery.find_writes',
  `select idempotency_key as "requestId", action_id as "actionId", tool, state
     from actions where tenant_id = $tenantId::int and idempotency_key = any ($requestIds::text[])`,
)

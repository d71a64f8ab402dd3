import { type Json, stringifyJson } from '../../kernel/json/index.ts'
import { type TenantAsking, userIdOf } from '../../tenancy/context/index.ts'
import type { ToolCall } from './transport.ts'

/** What the tenant's endpoint receives. */
export function envelopeOf(tenantId: number, call: ToolCall, now: number): string {
  const { tool, mode, requestId, onBehalf } = call
  const envelope: { [member: string]: Json } = {
    type: 'tool_call',
    request_id: requestId,
    mode,
    tool: tool.name,
    arguments: call.arguments,
    is_write: tool.isWrite,
    tenant: { organization_id: tenantId, scope_id: onBehalf.scopeId },
    user: { id: onBehalf.userId, role: onBehalf.userRole },
    customer: onBehalf.customerId === null ? null : { id: onBehalf.customerId },
    session_id: call.sessionId,
    action_id: call.actionId,
    occurred_at: new Date(now).toISOString(),
  }
  return stringifyJson(envelope)
}

export const testEnvelopeOf = (asking: TenantAsking, requestId: string, now: number): string =>
  ourOwn(asking, { type: 'endpoint_test', tool: 'test.ping', arguments: {} }, requestId, now)

type ClaimsAsked = { readonly since: Date; readonly after: string; readonly now: number }

/** Asks which writes were claimed since then, by their keys in order, from the one after this. */
export const claimsEnvelopeOf = (
  asking: TenantAsking,
  requestId: string,
  { since, after, now }: ClaimsAsked,
): string => {
  const given = { since: since.toISOString(), after }
  return ourOwn(asking, { type: 'claims_list', tool: 'claims.list', arguments: given }, requestId, now)
}

type OurOwn = { readonly type: string; readonly tool: string; readonly arguments: object }

/** No tool can have a name with a dot, so an endpoint that looks for one finds nothing to do. */
function ourOwn({ tenantId, scopeId, actor }: TenantAsking, what: OurOwn, requestId: string, now: number): string {
  return JSON.stringify({
    type: what.type,
    request_id: requestId,
    mode: 'read',
    tool: what.tool,
    arguments: what.arguments,
    is_write: false,
    tenant: { organization_id: tenantId, scope_id: scopeId },
    user: { id: userIdOf(actor.userId), role: actor.role },
    customer: null,
    session_id: null,
    action_id: null,
    occurred_at: new Date(now).toISOString(),
  })
}

import { type Json, stringifyJson } from '../../foundation/json/index.ts'
import { type TenantAsking, userIdOf } from '../../ground/context/index.ts'
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

/** No tool can have a name with a dot, so an endpoint that looks for one finds nothing to do. */
export function testEnvelopeOf({ tenantId, scopeId, actor }: TenantAsking, requestId: string, now: number): string {
  return JSON.stringify({
    type: 'endpoint_test',
    request_id: requestId,
    mode: 'read',
    tool: 'test.ping',
    arguments: {},
    is_write: false,
    tenant: { organization_id: tenantId, scope_id: scopeId },
    user: { id: userIdOf(actor.userId), role: actor.role },
    customer: null,
    session_id: null,
    action_id: null,
    occurred_at: new Date(now).toISOString(),
  })
}

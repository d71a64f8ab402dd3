import { type Json, type JsonObject, stringifyJson } from '../../foundation/json/index.ts'
import type { TenantAsking } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'

export type CallInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly mode: 'read' | 'execute'
  /** Of a read: new with each call. Of a confirmed write: the action's idempotency key, for ever the same. */
  readonly requestId: string
  readonly sessionId: string | null
  readonly actionId: string | null
}

/** What the tenant's endpoint receives. Who it is for comes from the credential and from nothing else. */
export function envelopeOf(asking: TenantAsking, input: CallInput, now: number): string {
  const { tool, mode, requestId } = input
  const envelope: { [member: string]: Json } = {
    type: 'tool_call',
    request_id: requestId,
    mode,
    tool: tool.name,
    arguments: input.arguments,
    is_write: tool.isWrite,
    tenant: { organization_id: asking.tenantId, scope_id: asking.scopeId },
    user: { id: asking.userId, role: asking.userRole },
    customer: asking.customer === null ? null : { id: asking.customer.id },
    session_id: input.sessionId,
    action_id: input.actionId,
    occurred_at: new Date(now).toISOString(),
  }
  return stringifyJson(envelope)
}

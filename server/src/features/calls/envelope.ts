import { type Json, type JsonObject, stringifyJson } from '../../foundation/json/index.ts'
import type { TenantAsking } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'

/** For whom a call is made. It comes from the credential, or from what was staged under one, and from nothing else. */
export type OnBehalf = {
  readonly scopeId: number | null
  readonly userId: number | null
  readonly userRole: string
  readonly customerId: string | null
}

export type CallInput = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly mode: 'read' | 'execute'
  /** Of a read: new with each call. Of a confirmed write: the action's idempotency key, for ever the same. */
  readonly requestId: string
  readonly onBehalf: OnBehalf
  readonly sessionId: string | null
  readonly actionId: string | null
}

export const onBehalfOf = ({ scopeId, userId, userRole, customer }: TenantAsking): OnBehalf => ({
  scopeId,
  userId,
  userRole,
  customerId: customer?.id ?? null,
})

/** What the tenant's endpoint receives. */
export function envelopeOf(tenantId: number, input: CallInput, now: number): string {
  const { tool, mode, requestId, onBehalf } = input
  const envelope: { [member: string]: Json } = {
    type: 'tool_call',
    request_id: requestId,
    mode,
    tool: tool.name,
    arguments: input.arguments,
    is_write: tool.isWrite,
    tenant: { organization_id: tenantId, scope_id: onBehalf.scopeId },
    user: { id: onBehalf.userId, role: onBehalf.userRole },
    customer: onBehalf.customerId === null ? null : { id: onBehalf.customerId },
    session_id: input.sessionId,
    action_id: input.actionId,
    occurred_at: new Date(now).toISOString(),
  }
  return stringifyJson(envelope)
}

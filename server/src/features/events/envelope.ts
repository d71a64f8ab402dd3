/** A row of the outbox, as far as the receiver is told of it. */
export type Announcement = {
  readonly tenantId: number
  readonly eventId: string
  readonly event: string
  readonly actionId: string | null
  readonly sessionId: string | null
  readonly tool: string | null
  readonly scopeId: number | null
  readonly occurredAt: Date
  /** A JSON object, as it was written with the change. */
  readonly fields: string
}

/**
 * What the tenant's server receives: made of the row alone, so that every attempt carries the same bytes. It names a tool
 * and is no call: no arguments, no `is_write`, no `mode`.
 */
export function envelopeOf(told: Announcement): string {
  const { eventId, event, occurredAt, tenantId, scopeId, actionId, sessionId, tool, fields } = told
  const common = JSON.stringify({
    type: 'event',
    event,
    request_id: eventId,
    occurred_at: occurredAt.toISOString(),
    tenant: { organization_id: tenantId, scope_id: scopeId },
    action_id: actionId,
    session_id: sessionId,
    tool,
  })
  // Numbers in the fields stay as they were written.
  const own = fields.trim().slice(1, -1).trim()
  return own === '' ? common : `${common.slice(0, -1)},${own}}`
}

/** A row of the outbox, as far as the receiver sees it. */
type Announcement = {
  readonly tenantId: number
  readonly eventId: string
  readonly event: string
  readonly actionId: string | null
  readonly sessionId: string | null
  readonly tool: string | null
  readonly scopeId: number | null
  readonly occurredAt: Date
  /** The text of a JSON object, as it was written with the change. */
  readonly fields: string
}

/**
 * Makes what the tenant's server receives. It depends on the row alone, so that every attempt sends the same bytes. It
 * names a tool but is not a call: it has no arguments, no `is_write` and no `mode`.
 */
export function envelopeOf(announcement: Announcement): string {
  const { eventId, event, occurredAt, tenantId, scopeId, actionId, sessionId, tool, fields } = announcement
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
  // We splice text, so that numbers in the fields stay as they were written.
  const own = fields.trim().slice(1, -1).trim()
  return own === '' ? common : `${common.slice(0, -1)},${own}}`
}

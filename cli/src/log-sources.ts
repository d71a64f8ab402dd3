// What there is to look back on, each as a source that answers with what is new since it was last asked.
import type { Client, Schemas } from '../../sdk/src/index.ts'

export type Entry = {
  readonly at: string
  readonly kind: 'audit' | 'call' | 'account'
  readonly what: string
  readonly about: string
  readonly detail: string
  /** As the service answered it. */
  readonly raw: Readonly<Record<string, unknown>>
}
export type Source = () => Promise<Entry[]>
type From = { readonly since: Date; readonly limit: number }

/** The trail is listed from its beginning, and has a place to go on from. */
export function openAuditLog(service: Client, { since, limit }: From): Source {
  let after: number | undefined
  return async () => {
    const query = after === undefined ? { from: since.toISOString(), limit: 1000 } : { after, limit: 1000 }
    let found: Entry[] = []
    for await (const event of service.audit(query)) {
      after = event.id
      found.push(ofAudit(event))
      if (found.length > 2 * limit) found = found.slice(-limit)
    }
    return found.slice(-limit)
  }
}

const ofAudit = (event: Schemas['AuditEvent']): Entry => ({
  at: event.occurredAt,
  kind: 'audit',
  what: event.event,
  about: event.tool ?? '',
  detail: [event.actionId, event.user?.displayName ?? (event.userId > 0 ? `user ${event.userId}` : null), event.reason]
    .filter((one) => one !== null)
    .join('  '),
  raw: { ...event },
})

/** Calls are listed with the newest first. */
export function openCallLog(service: Client, { since, limit }: From): Source {
  let seen = 0
  return async () => {
    const found: Entry[] = []
    let newest = seen
    const isFirst = seen === 0
    for await (const call of service.each('GET /v1/calls', { query: { limit: 200 } })) {
      if (call.callId <= seen || (isFirst && (call.at < since.toISOString() || found.length >= limit))) break
      newest = Math.max(newest, call.callId)
      found.push(ofCall(call))
    }
    seen = newest
    return found.reverse()
  }
}

const ofCall = (call: Schemas['CallRecord']): Entry => ({
  at: call.at,
  kind: 'call',
  what: call.status,
  about: call.tool,
  detail: [
    call.httpStatus === null ? null : `HTTP ${call.httpStatus}`,
    `${call.durationMs} ms`,
    call.attempts > 1 ? `${call.attempts} attempts` : null,
    call.surface,
  ]
    .filter((one) => one !== null)
    .join('  '),
  raw: { ...call },
})

const MOST_ACCOUNT_EVENTS = 200

export function openAccountLog(service: Client, { since, limit }: From): Source {
  let seen = new Set<string>()
  let isFirst = true
  return async () => {
    const { events } = await service.request('GET /v1/account/events', { query: { limit: MOST_ACCOUNT_EVENTS } })
    const entries = events.map(
      (event): Entry => ({
        at: event.at,
        kind: 'account',
        what: event.type,
        about: event.keyPrefix ?? '',
        detail: event.detail ?? '',
        raw: { ...event },
      }),
    )
    const nameOf = ({ raw }: Entry) => JSON.stringify(raw)
    const found = entries.filter((entry) => (isFirst ? entry.at >= since.toISOString() : !seen.has(nameOf(entry))))
    seen = new Set(entries.map(nameOf))
    const newest = isFirst ? found.slice(0, limit) : found
    isFirst = false
    return newest.reverse()
  }
}

import { cellOf } from './csv-cells.ts'
import { instantText } from './list.ts'
import type { AuditRow } from './queries.ts'

const COLUMNS = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'

/** RFC 4180. Holds nothing but the events: the same events are the same bytes. */
export const auditCsv = (events: readonly AuditRow[]): string => `${[COLUMNS, ...events.map(record)].join('\r\n')}\r\n`

const record = (event: AuditRow): string =>
  [
    event.id,
    instantText(event.occurredAt),
    event.actionId,
    event.tool,
    event.event,
    event.userId,
    event.source,
    event.payloadHash,
    event.subject,
    event.reason,
  ]
    .map(cellOf)
    .join(',')

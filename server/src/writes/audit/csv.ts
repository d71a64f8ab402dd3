import { withSignsTold } from '../../kernel/text/index.ts'
import { cellOf } from './csv-cells.ts'
import { instantText } from './list.ts'
import type { AuditRow } from './queries.ts'

const COLUMNS = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'

/** Follows RFC 4180. It contains nothing but the events, so that the same events give the same bytes. */
export const auditCsv = (events: readonly AuditRow[]): string =>
  `${[COLUMNS, ...events.map(csvRecord)].join('\r\n')}\r\n`

const csvRecord = (event: AuditRow): string =>
  [
    event.id,
    instantText(event.occurredAt),
    event.actionId,
    event.tool,
    event.event,
    // Somebody without a userId is named by the id that they have here.
    event.userId < 0 ? `person:${-event.userId}` : event.userId,
    event.source,
    event.payloadHash,
    event.subject === null ? null : withSignsTold(event.subject),
    event.reason === null ? null : withSignsTold(event.reason),
  ]
    .map(cellOf)
    .join(',')

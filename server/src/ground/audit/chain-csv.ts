// Exports the trail as CSV, with each event's own hash and the hash of the one before. Like the chain, it depends on
// nothing else of ours.
import { type Chained, isChained } from './chain.ts'
import { cellOf, cellsIn, textIn } from './csv-cells.ts'

const COLUMNS: readonly (readonly [name: string, member: keyof Chained, kind?: 'number'])[] = [
  ['tenant_id', 'tenantId', 'number'],
  ['id', 'id', 'number'],
  ['occurred_at', 'occurredAt'],
  ['action_id', 'actionId'],
  ['tool', 'tool'],
  ['event', 'event'],
  ['user_id', 'userId', 'number'],
  ['source', 'source'],
  ['payload_hash', 'payloadHash'],
  ['subject', 'subject'],
  ['scope_id', 'scopeId', 'number'],
  ['reason', 'reason'],
  ['previous_hash', 'previousHash'],
  ['hash', 'hash'],
]

export const CHAIN_HEADER = COLUMNS.map(([name]) => name).join()

export const chainCsv = (events: readonly Chained[]): string =>
  `${[CHAIN_HEADER, ...events.map(recordOf)].join('\r\n')}\r\n`

export const recordOf = (event: Chained): string => COLUMNS.map(([, member]) => cellOf(event[member])).join()

/** Returns undefined for a record that no export contains, as `readLine` does for a line. */
export function readRecord(record: string): Chained | undefined {
  const cells = cellsIn(record)
  if (cells?.length !== COLUMNS.length) return undefined
  const members = COLUMNS.map(([, member, kind], at) => {
    const text = textIn(cells[at] ?? '')
    return [member, kind === 'number' && text !== null ? Number(text) : text] as const
  })
  // A member may be null or not a number where no event has that, but then the event's hash differs.
  const event = Object.fromEntries(members) as unknown as Chained
  return isChained(event) && recordOf(event) === record ? event : undefined
}

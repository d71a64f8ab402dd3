// Exports the trail as CSV, with each event's own hash and the hash of the one before. Like the chain, it depends on
// nothing else of ours.
import { type Chained, isChained } from './chain.ts'
import { cellOf, cellsIn, textIn } from './csv.ts'

type Column = readonly [name: string, member: keyof Chained, kind?: 'number']

const COLUMNS: readonly Column[] = [
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
  ['person_id', 'personId', 'number'],
  ['previous_hash', 'previousHash'],
  ['hash', 'hash'],
]

/** Those of exports from before events named a person. */
const FORMER_COLUMNS = COLUMNS.filter(([name]) => name !== 'person_id')

const headerOf = (columns: readonly Column[]): string => columns.map(([name]) => name).join()

const CHAIN_HEADER = headerOf(COLUMNS)

export const chainCsv = (events: readonly Chained[]): string =>
  `${[CHAIN_HEADER, ...events.map((event) => recordOf(event))].join('\r\n')}\r\n`

const recordOf = (event: Chained, columns = COLUMNS): string =>
  columns.map(([, member]) => cellOf(event[member])).join()

type ReadRecord = (record: string) => Chained | undefined

const READERS: ReadonlyMap<string, ReadRecord> = new Map(
  [COLUMNS, FORMER_COLUMNS].map((columns) => [headerOf(columns), (record) => readRecord(record, columns)]),
)

/** Returns what reads the records under this header, or undefined for a line that is not the header of an export. */
export const readerUnder = (header: string): ReadRecord | undefined => READERS.get(header)

/** Returns undefined for a record that no export contains, as `readLine` does for a line. */
function readRecord(record: string, columns = COLUMNS): Chained | undefined {
  const cells = cellsIn(record)
  if (cells?.length !== columns.length) return undefined
  const members = columns.map(([, member, kind], at) => {
    const text = textIn(cells[at] ?? '')
    return [member, kind === 'number' && text !== null ? Number(text) : text] as const
  })
  // A member may be null or not a number where no event has that, but then the event's hash differs.
  const event = { personId: null, ...Object.fromEntries(members) } as unknown as Chained
  return isChained(event) && recordOf(event, columns) === record ? event : undefined
}

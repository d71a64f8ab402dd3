// Reads the trail of staged writes and checks its chain. The statements that make things happen write it.
export { type ArchivedMonth, type Archiving, archiveTrails, foldersOfDeleted, mayArchive } from './archive.ts'
export { type Break, breakAfter, type Chained, type ChainLink, GENESIS, lineOf, readLine } from './chain.ts'
export { CHAIN_HEADER, chainCsv, readerUnder } from './chain-csv.ts'
export { eventCounts, eventDays } from './count.ts'
export { auditCsv } from './csv.ts'
export {
  archivedOf,
  eventOf,
  type Filters,
  listChain,
  listEvents,
  listNewest,
  newestEvent,
  type Paged,
  type PageRequest,
  type TimeRange,
} from './list.ts'
export { ACTING_PERSON, DECIDER, personNamed } from './person-sql.ts'
export type { Archived, EventCount, ListedRow } from './queries.ts'
export { type Audited, audited, type CausedBy, TRAIL } from './record-sql.ts'
export { type Verified, verifyChain } from './verify.ts'

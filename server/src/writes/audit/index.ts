// Reads the trail of staged writes and checks its chain. The statements that make things happen write it.
export { type ArchivedMonth, type Archiving, archiveTrails, foldersOfDeleted, mayArchive } from './archive.ts'
export { type Break, breakAfter, type Chained, type ChainLink, GENESIS, readLine } from './chain.ts'
export { readerUnder } from './chain-csv.ts'
export { eventCounts, eventDays } from './count.ts'
export { auditCsv } from './csv.ts'
export {
  type Filters,
  listEvents,
  listNewest,
  newestEvent,
} from './list.ts'
export type { ListedRow } from './queries.ts'
export { ACTING_PERSON, type Audited, audited, type CausedBy, DECIDER, personNamed, TRAIL } from './record-sql.ts'
export { auditRoutes } from './routes.ts'
export { type Verified, verifyChain } from './verify.ts'

// Reads the trail of staged writes and checks its chain. The statements that make things happen write it.
export { type Break, type Chained, lineOf } from './chain.ts'
export { chainCsv } from './chain-csv.ts'
export { eventCounts } from './count.ts'
export { auditCsv } from './csv.ts'
export { eventOf, type Filters, listChain, listEvents, type Paged, type PageRequest, type TimeRange } from './list.ts'
export type { EventCount, ListedRow } from './queries.ts'
export { type Verified, verifyChain } from './verify.ts'

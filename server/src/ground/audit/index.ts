// The trail of staged writes: reading it, checking its chain. It is written by the statements that make things happen.
export { type Break, type Chained, lineOf } from './chain.ts'
export { chainCsv } from './chain-csv.ts'
export { eventCounts } from './count.ts'
export { auditCsv } from './csv.ts'
export { eventOf, type Filters, listChain, listEvents, type Page, type Paged, type Range } from './list.ts'
export type { EventCount, ListedRow } from './queries.ts'
export { type Verified, verifyChain } from './verify.ts'

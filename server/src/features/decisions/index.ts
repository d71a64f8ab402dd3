// What a person who decides sees of a staged write: the list, and one of them with all that its decision rests on.
export { alreadyApproved, waitsForOthers } from './already-approved.ts'
export { type DecidedOne, type Decision, decideAll } from './decide.ts'
export { argumentLabels, inWordsOf } from './in-words-of.ts'
export { latestSaid, type Said } from './latest-said.ts'
export { type ActionPage, type ListInput, listActions, waitingNow } from './list.ts'
export { type Looked, lookAt } from './look.ts'
export { openRecords, type RecordNow, type Records } from './record-now.ts'
export { decisionRoutes } from './routes.ts'

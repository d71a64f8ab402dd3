// What a person who decides sees of a staged write: the list, and one of them with all that its decision rests on.

export { decideAll } from './decide.ts'
export { DECIDING, type DecidingWords } from './deciding-words.ts'
export { argumentLabels, type InLine, inWordsOf } from './in-words-of.ts'
export {
  type ActionPage,
  alreadyApproved,
  changedAmong,
  listActions,
  listWaiting,
  waitingNow,
  waitsForOthers,
} from './list.ts'
export { type Changed, type Looked, lookAt } from './look.ts'
export { latestSaid, type Said } from './plain-words.ts'
export { type FallsShort, openRecords, type RecordNow, type Records } from './record-now.ts'
export { decisionRoutes } from './routes.ts'

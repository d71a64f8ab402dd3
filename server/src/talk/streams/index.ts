// The frames of turns, for whoever reads them again, on whichever instance that is.
export { streamDuties } from './duties.ts'
export { openRunningTurns, type RunningTurns } from './running-turns.ts'
export { noTape, openTape } from './tape.ts'

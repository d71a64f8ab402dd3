// The frames of turns, for whoever reads them again, on whichever instance that is.

export { openRunningTurns, type RunningTurns } from './running-turns.ts'
export { noTape, openTape, streamDuties } from './tape.ts'

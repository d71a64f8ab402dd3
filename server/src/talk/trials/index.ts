// Trials of a catalog: cases that say what a turn should choose, played without reaching the business.

export { trialRoutes } from './routes.ts'
export { openTrials, type Trials } from './run-trials.ts'
export { type WatchedCall, type WatchedTurn, watchTurn } from './watched-turn.ts'

// Runs the regular work of every room, in the process that serves or in separate ones.
export { BATCH, type Batch, batchesOf } from './batches.ts'
export { type Bell, openBell, ringing } from './bell.ts'
export type { Duty } from './duty.ts'
export {
  dueRows,
  type FoundRows,
  lockFound,
  type OldRows,
  ofFound,
  oldRows,
  SWEEP,
  type SweepFound,
  type SweepLook,
  type TakenRows,
  takenFrom,
} from './found-rows.ts'
export { startDuties, type Working } from './start-duties.ts'
export { forgetOld, LARGE_TABLE, type RowSweep, type Sweep, sweep, sweepRows } from './sweep.ts'
export { openTicker } from './ticker.ts'
export { patiently, waitAfter } from './waits.ts'

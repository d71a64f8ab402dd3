// Runs the regular work of every room, in the process that serves or in separate ones.
export { type Batch, batchesOf } from './batches.ts'
export { type Bell, openBell, ringing } from './bell.ts'
export type { Duty } from './duty.ts'
export { patiently } from './patiently.ts'
export { startDuties, type Working } from './start-duties.ts'
export { type Sweep, sweep } from './sweep.ts'
export { openTicker, type Ticker } from './ticker.ts'
export { waitAfter } from './waits.ts'

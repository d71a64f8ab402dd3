export { type Clock, systemClock, unixSeconds } from './clock.ts'
export { inTime } from './in-time.ts'

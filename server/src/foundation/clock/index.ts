export { type Clock, systemClock, unixSeconds } from './clock.ts'

import type { Clock } from '../../foundation/clock/index.ts'

/** How many seconds the clock of this house has been moved on: none, but in a test. All times are the database's. */
export const shiftOf = (clock: Clock): number => (clock.now() - Date.now()) / 1000

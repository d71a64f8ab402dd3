import type { Clock } from '../../kernel/clock/index.ts'

/** How many seconds a test has moved this house's clock; 0 otherwise. All times come from the database. */
export const shiftOf = (clock: Clock): number => (clock.now() - Date.now()) / 1000

import { TetherError } from '../../../sdk/src/index.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000

export const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)

/** What a restart of the service, or of the network, may answer. */
export const passes = (error: unknown): boolean =>
  error instanceof TetherError && (error.status === 0 || error.status >= 500 || error.status === 429)

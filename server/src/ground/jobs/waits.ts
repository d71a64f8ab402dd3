import type { Settings } from '../../settings/index.ts'

/** How often, and how patiently, something is delivered: an event or a mail. */
export type Waits = Pick<Settings['events'], 'maxAttempts' | 'firstWaitSeconds' | 'longestWaitSeconds'>

/** A crowd that failed together does not come back together; nobody comes back earlier than said. */
const JITTER = 0.2

/** Seconds until the next attempt, after so many that failed; null after the last one. `random` is from 0 to 1. */
export function waitAfter(tries: number, settings: Waits, random: number): number | null {
  const { maxAttempts, firstWaitSeconds, longestWaitSeconds } = settings
  if (tries >= maxAttempts) return null
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1) * (1 + JITTER * random))
}

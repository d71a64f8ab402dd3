import type { Settings } from '../../kernel/settings/index.ts'

/** How often we try to deliver an event or a mail, and how long we wait in between. */
export type Waits = Pick<Settings['events'], 'maxAttempts' | 'firstWaitSeconds' | 'longestWaitSeconds'>

/** Spreads out deliveries that failed together. None comes back earlier than promised. */
const JITTER = 0.2

/** Seconds until the next attempt after `tries` failed ones; null after the last. `random` is from 0 to 1. */
export function waitAfter(tries: number, settings: Waits, random: number): number | null {
  const { maxAttempts, firstWaitSeconds, longestWaitSeconds } = settings
  if (tries >= maxAttempts) return null
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1) * (1 + JITTER * random))
}

import { isUnavailable } from '../../kernel/db/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'
import type { Context } from '../context/index.ts'

/** How often we try to deliver an event or a mail, and how long we wait in between. */
type Waits = Pick<Settings['events'], 'maxAttempts' | 'firstWaitSeconds' | 'longestWaitSeconds'>

/** Spreads out deliveries that failed together. None comes back earlier than promised. */
const JITTER = 0.2

/** Seconds until the next attempt after `tries` failed ones; null after the last. `random` is from 0 to 1. */
export function waitAfter(tries: number, settings: Waits, random: number): number | null {
  const { maxAttempts, firstWaitSeconds, longestWaitSeconds } = settings
  if (tries >= maxAttempts) return null
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (tries - 1) * (1 + JITTER * random))
}

/**
 * What was performed must be recorded, so a database that is away for a moment is tried again. This is safe: an outcome is
 * guarded by its claim, and recording the same one twice changes nothing. When the tries are spent, the lease makes the
 * action indeterminate.
 */
export async function patiently<Result>({ clock }: Context, record: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await record()
    } catch (error) {
      if (attempt === 5 || !isUnavailable(error)) throw error
      await clock.wait(200 * 2 ** attempt)
    }
  }
}

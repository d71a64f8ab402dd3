import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** How long a test waits for what must come. It claims nothing of the time: a machine that is busy with other work may need most of it. */
export const PATIENCE_MS = 60_000

/** Polls until it holds, or fails with what never came. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, everyMs = 10): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await pause(everyMs)) {
    if (performance.now() > end) assert.fail(`It never happened that ${what}.`)
  }
}

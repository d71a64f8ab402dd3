import { checkClaim, keepFor } from './claim.ts'
import { admitTurn, checkSandbox } from './turns.ts'

/** What a turn and a mailed link ask of the sandbox that they are about. */
export const sandboxes = {
  /** Refuses a question to a sandbox that cannot answer any. */
  ready: checkSandbox,
  admit: admitTurn,
  check: checkClaim,
  keep: keepFor,
}

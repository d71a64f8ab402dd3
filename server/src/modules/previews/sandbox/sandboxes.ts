import { admitTurn, checkSandbox } from './turns.ts'

/** What a turn asks of its sandbox. */
export const sandboxes = {
  /** Refuses a question to a sandbox that cannot answer any. */
  ready: checkSandbox,
  admit: admitTurn,
}

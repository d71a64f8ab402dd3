// What a run of the command is asked for, and with what.
import type { Keyring } from '../../foundation/crypto/index.ts'
import type { Database } from '../../foundation/db/index.ts'
import type { NamedDatabase } from '../shards/index.ts'

export type Move = {
  /** The first leads. */
  readonly databases: readonly [NamedDatabase, ...NamedDatabase[]]
  /** A connection of its own to the first, which holds the right to move. */
  readonly guard: Pick<Database, 'transaction'>
  readonly keyring: Keyring
  readonly tenantId: number
  readonly to: string
  readonly limits: {
    /** For how long nothing of the tenant may be read or written. */
    readonly pauseMs: number
    /** How long to wait for what executes, and for transactions that write. */
    readonly waitMs: number
    /** How long a process may remember where it was. */
    readonly staleMs?: number
  }
  /** What has been reached, for whoever watches. */
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

import type { EgressFailure } from '../../kernel/egress/index.ts'
import type { Moved } from './declared-tool.ts'

/** What became of the request that carried the call itself, apart from those that only lead up to it. */
export type CallSent = {
  /** True from when the client handed it over: it may do so once. */
  begun: boolean
  /** True from when bytes of it may have reached the server. */
  sent: boolean
  /** The status of its answer. */
  status: number | null
  /** Why it has no answer. */
  fault: EgressFailure | null
}

export const nothingSent = (): CallSent => ({ begun: false, sent: false, status: null, fault: null })

/** What became of a piece of work with a server. */
export type Opened<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown; readonly message: string; readonly tracked: CallSent }

/** What is no longer as it was declared. */
export type LookEnd = Opened<Moved>

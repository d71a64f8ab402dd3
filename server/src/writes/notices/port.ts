import type { Queries } from '../../kernel/db/index.ts'
import type { ActionRow, judgedAction } from '../actions/index.ts'

/** A write of which those who may decide are told: that it waits, or, from the first reminder on, that it still does. */
export type Notice = {
  readonly tenantId: number
  readonly action: ActionRow
  readonly judged: ReturnType<typeof judgedAction>
  /** 0 when it begins to wait, else the number of the reminder. */
  readonly occasion: number
}

/**
 * A way in which people are told. It writes down what it has to tell in the transaction that takes the notice, and tells it
 * afterwards; a channel that can also tells what became of it.
 */
export type Channel = {
  /** The job drops the notices of a tenant that uses no channel. */
  isUsedBy(db: Queries, tenantId: number): Promise<boolean>
  take(tx: Queries, notice: Notice): Promise<void>
}

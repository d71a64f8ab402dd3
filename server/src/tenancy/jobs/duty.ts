/**
 * Regular work, which takes what is due and does it. Several processes may have the same duty, but each row is taken
 * once.
 */
export type Duty = {
  readonly name: string
  /** How often it looks if no bell rings. */
  readonly everyMs: number
  /** The bell that calls it when work has come. */
  readonly wokenBy?: string
  /** Takes what is due, does it, and returns how many. After some it runs again at once; after 0 it rests. */
  work(signal: AbortSignal): Promise<number>
  /** Ends what the duty leaves running when `work` returns. It is called once, after the signal. */
  finish?(): Promise<void>
}

/** Regular work: what is due is taken and done. Any number of processes may have the same duty; each row is taken once. */
export type Duty = {
  readonly name: string
  /** How often it looks when nobody calls. */
  readonly everyMs: number
  /** The bell that calls it: work has come. */
  readonly wokenBy?: string
  /** Takes what is due, does it, says how many. After some it is asked again at once; after none it rests. */
  work(signal: AbortSignal): Promise<number>
  /** For a duty that leaves something running when `work` returns: ends it. Called once, after the signal. */
  finish?(): Promise<void>
}

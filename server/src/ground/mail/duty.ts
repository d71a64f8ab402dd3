/** Work that a process does beside its requests: takes what is due, does it, and says how much it was. */
export type Duty = {
  readonly name: string
  readonly everyMs: number
  /** A NOTIFY channel that calls it before its time. */
  readonly wokenBy?: string
  work(signal: AbortSignal): Promise<number>
}

export type Periods = { readonly day: string; readonly month: string }

/** The UTC day and month of an instant, in the form of the counters' names. */
export const periodsOf = (now: number): Periods => {
  const day = new Date(now).toISOString().slice(0, 10)
  return { day, month: day.slice(0, 7) }
}

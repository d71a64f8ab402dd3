// Checks the output of a bench in a smoke run.

export type Printed = {
  readonly results?: readonly { readonly what?: string; readonly ratio?: number | null; readonly figures?: object }[]
  readonly skipped?: string
  readonly failed?: string
}

/** These need a corpus that lies outside of the repository, or loop devices. No other bench may be skipped. */
const NOT_EVERYWHERE = ['import-draft', 'power-cut', 'retrieval', 'site-reading']

export function smokeFault(name: string, { results = [], skipped, failed }: Printed): string | undefined {
  if (failed !== undefined) return failed
  if (skipped !== undefined) return NOT_EVERYWHERE.includes(name) ? undefined : `it was skipped: ${skipped}`
  if (results.length === 0) return 'it printed no result'
  // A figure that is not a number is null in JSON.
  const empty = results.find(({ ratio, figures }) => ratio === null || (ratio === undefined && figures === undefined))
  return empty === undefined ? undefined : `"${empty.what}" has no figure`
}

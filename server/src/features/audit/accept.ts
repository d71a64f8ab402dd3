/** Whether the caller would rather have a CSV file than JSON. JSON has not to be asked for, so a tie is for CSV. */
export function prefersCsv(accept: string | undefined): boolean {
  const csv = weightOf('text/csv', accept)
  return csv > 0 && csv >= weightOf('application/json', accept)
}

function weightOf(type: string, accept = ''): number {
  const weights = accept.split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    return name === type ? [Number(weight) || 0] : []
  })
  return Math.max(0, ...weights)
}

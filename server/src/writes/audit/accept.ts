/** True if the caller prefers a CSV file to JSON. Nobody has to ask for JSON, so a tie means CSV. */
export function prefersCsv(accept: string | undefined): boolean {
  const csv = preferenceFor('text/csv', accept)
  return csv > 0 && csv >= preferenceFor('application/json', accept)
}

function preferenceFor(type: string, accept = ''): number {
  const weights = accept.split(',').flatMap((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    return name === type ? [Number(weight) || 0] : []
  })
  return Math.max(0, ...weights)
}

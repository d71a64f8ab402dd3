/** A `Headers` object, or the plain object that Node, Express and Fastify hand to a request handler. */
export type ReceivedHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Finds a header in any letter case. One that came twice is joined, and then matches no form that we accept. */
export function header(headers: ReceivedHeaders, name: string): string | undefined {
  if (isGetter(headers)) return headers.get(name) ?? undefined
  const found = Object.entries(headers).filter(([one, value]) => one.toLowerCase() === name && value !== undefined)
  return found.length === 0 ? undefined : found.flatMap(([, value]) => value).join(', ')
}

const isGetter = (headers: ReceivedHeaders): headers is { get(name: string): string | null | undefined } =>
  typeof headers.get === 'function'

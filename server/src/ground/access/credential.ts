import type { IncomingHttpHeaders } from 'node:http'

/** The key that a request presents: `X-Api-Key`, or `Authorization: Bearer`. Null when it presents none. */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key']
  if (typeof own === 'string' && own.trim() !== '') return own.trim()
  const [scheme, token, ...rest] = (headers.authorization ?? '').trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null
  return token
}

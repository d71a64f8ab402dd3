import type { IncomingHttpHeaders } from 'node:http'

/** The key in `X-Api-Key` or `Authorization: Bearer`, or null if there is none. */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key']
  if (typeof own === 'string' && own.trim() !== '') return own.trim()
  const [scheme, token, ...rest] = (headers.authorization ?? '').trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null
  return token
}

import { type RequestHead, refuse } from '../../kernel/http/index.ts'
import type { Settings } from '../../kernel/settings/index.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A program sends no Origin. A browser does, and only a page of this service may speak MCP from one: another site could
 * otherwise use what stands in the reach of its visitor.
 */
export function refuseForeignOrigin({ http }: Pick<Settings, 'http'>, { headers }: RequestHead): void {
  const { origin = '' } = headers
  if (origin === '' || isOwn(origin, new URL(http.publicUrl))) return
  throw refuse(
    'origin_not_allowed',
    'A page of another site may not speak MCP to this service. Call it from a server or an agent, which sends no Origin header.',
  )
}

function isOwn(origin: string, own: URL): boolean {
  if (origin === own.origin) return true
  const given = URL.parse(origin)
  // This machine has several names for itself.
  return (
    given !== null &&
    LOOPBACK.has(given.hostname) &&
    LOOPBACK.has(own.hostname) &&
    given.protocol === own.protocol &&
    given.port === own.port
  )
}

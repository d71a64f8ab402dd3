import { isUnavailable } from '../../kernel/db/index.ts'
import { refuse, type ServerOptions } from '../../kernel/http/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../context/index.ts'

const PROBES: ReadonlySet<string> = new Set(['/ready', '/health'])
const AWAY_EVERY_MS = 10_000

const databaseAway = () =>
  refuse('database_unavailable', 'The database does not answer. Try again in a moment.', {}, { 'retry-after': '2' })

/**
 * Logs each request, and decides how to answer a failure. While the database is unavailable, each request's line says
 * 503, and a line at intervals says why.
 */
export function requestLog({
  log,
  metrics,
}: Pick<House, 'log' | 'metrics'>): Pick<ServerOptions, 'onServed' | 'onFailure' | 'refusalOf'> {
  const away = seldom(log, AWAY_EVERY_MS)
  return {
    onServed(served) {
      metrics.observeRequest(served)
      const { requestId, method, route, status, ms, logged } = served
      // A balancer asks every second. A no is worth a line; so many yeses are not.
      const level = PROBES.has(route) && status === 200 ? 'debug' : 'info'
      log[level]({ requestId, method, route, status, ms, ...logged }, 'request')
    },
    onFailure({ errorId, requestId, error }) {
      if (isUnavailable(error))
        away({ reason: error.message }, 'The database does not answer. Requests get 503 until it is back.')
      else log.error({ errorId, requestId, error }, 'A request failed on our side.')
    },
    refusalOf: (error) => (isUnavailable(error) ? databaseAway() : undefined),
  }
}

import { isUnavailable } from '../../foundation/db/index.ts'
import { refuse, type ServerOptions } from '../../foundation/http/index.ts'
import { seldom } from '../../foundation/log/index.ts'
import type { House } from '../context/index.ts'

const AWAY_EVERY_MS = 10_000

/**
 * What is written down of each request, and what a failure is to the caller. While the database is away each line says 503,
 * and one now and then says why.
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
      log.info({ requestId, method, route, status, ms, ...logged }, 'request')
    },
    onFailure({ errorId, requestId, error }) {
      if (isUnavailable(error))
        away({ reason: error.message }, 'The database does not answer; requests are refused with 503.')
      else log.error({ errorId, requestId, error }, 'A request failed on our side.')
    },
    refusalOf: (error) =>
      isUnavailable(error)
        ? refuse(
            'database_unavailable',
            'The database does not answer. Try again in a moment.',
            {},
            { 'retry-after': '2' },
          )
        : undefined,
  }
}

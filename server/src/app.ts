// The wiring: the only file that knows every room.
import { accountRoutes } from './features/accounts/index.ts'
import { operatorRoutes } from './features/operator/index.ts'
import { isUnavailable } from './foundation/db/index.ts'
import { type Failure, openServer, refuse, type Served } from './foundation/http/index.ts'
import { newId } from './foundation/ids/index.ts'
import { openMetrics } from './foundation/metrics/index.ts'
import {
  endpointsOf,
  openGate,
  openIdentify,
  openLastUsed,
  type Route,
  unmatchedAnswer,
} from './ground/access/index.ts'
import type { House } from './ground/context/index.ts'
import { openLimiter } from './ground/limits/index.ts'
import { healthRoutes } from './surfaces/health/index.ts'
import { referenceRoutes } from './surfaces/openapi/index.ts'
import { VERSION } from './version.ts'

export type AppParts = Omit<House, 'metrics'> & {
  /** Routes that a test mounts beside the real ones, behind the same gate. */
  readonly moreRoutes?: readonly Route[]
}

export type App = {
  readonly house: House
  readonly routes: readonly Route[]
  readonly server: ReturnType<typeof openServer>
  /** Writes down what waits. */
  flush(): Promise<void>
  /** Writes down what waits and lets go of what the app opened itself. The database is the caller's. */
  close(): Promise<void>
}

/** Every route of the service. `all` is asked late: the reference describes itself too. */
export const everyRoute = (info: { version: string; url: string }, more: readonly Route[] = []): readonly Route[] => {
  const routes: readonly Route[] = [
    ...healthRoutes,
    ...accountRoutes,
    ...operatorRoutes,
    ...referenceRoutes(() => routes, info),
    ...more,
  ]
  return routes
}

export function openApp({ moreRoutes, ...parts }: AppParts): App {
  const house: House = { ...parts, metrics: openMetrics() }
  const { settings, log, clock, metrics } = house
  const warn = (message: string) => log.warn({}, message)
  // The monotonic clock: a rate limit must not open or shut because somebody set the time.
  const limiter = openLimiter({
    redisUrl: settings.redis.url,
    queueLimit: settings.rateLimit.queueLimit,
    now: () => performance.now(),
    warn,
  })
  const lastUsed = openLastUsed(house)
  const gate = openGate({ house, identify: openIdentify(house, lastUsed), limiter })
  const routes = everyRoute({ version: VERSION, url: settings.http.publicUrl }, moreRoutes)
  const server = openServer({
    endpoints: endpointsOf(routes, house, gate),
    unmatched: unmatchedAnswer(routes, gate),
    newRequestId: () => newId('req'),
    parseJson: JSON.parse,
    https: settings.http.publicUrl.startsWith('https:'),
    onServed: (served) => {
      metrics.observeRequest(served)
      logServed(house, served)
    },
    onFailure: (failure) => logFailure(house, failure),
    refusalOf: (error) => (isUnavailable(error) ? databaseAway() : undefined),
  })
  metrics.gauge('tether_started_seconds', 'When this process was ready, in Unix seconds', () => startedAt / 1000)
  const startedAt = clock.now()
  return {
    house,
    routes,
    server,
    flush: lastUsed.flush,
    async close() {
      await server.close()
      await limiter.close()
      await lastUsed.close()
    },
  }
}

const databaseAway = () =>
  refuse('database_unavailable', 'The database does not answer. Try again in a moment.', {}, { 'retry-after': '2' })

function logServed({ log }: House, { requestId, method, route, status, ms, logged }: Served): void {
  log.info({ requestId, method, route, status, ms, ...logged }, 'request')
}

function logFailure({ log }: House, { errorId, requestId, error }: Failure): void {
  log.error({ errorId, requestId, error }, 'A request failed on our side.')
}

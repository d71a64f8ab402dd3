// The wiring: the only file that knows every room.
import { accountRoutes } from './features/accounts/index.ts'
import {
  actionRoutes,
  type ConfirmParts,
  noFaults,
  ruleList,
  type Sweeps,
  stageChecked,
  startSweeps,
} from './features/actions/index.ts'
import { approvalRoutes } from './features/approvals/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import { callRoutes, openCalls, type StageWrite } from './features/calls/index.ts'
import { catalogRoutes, openCatalogs } from './features/catalog/index.ts'
import { embedRoutes } from './features/embed/index.ts'
import { operatorRoutes } from './features/operator/index.ts'
import { isUnavailable } from './foundation/db/index.ts'
import { openEgress } from './foundation/egress/index.ts'
import { type Failure, openServer, refuse, type Served } from './foundation/http/index.ts'
import { newId } from './foundation/ids/index.ts'
import { parseJson } from './foundation/json/index.ts'
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
import { widgetRoutes } from './surfaces/widget/index.ts'
import { VERSION } from './version.ts'

export type AppParts = Omit<House, 'metrics' | 'egress'> & {
  /** A test's own way out: another resolver, another authority. */
  readonly egress?: House['egress']
  /** Where a proof lets this process crash. */
  readonly faults?: ConfirmParts['faults']
  /** Routes that a test mounts beside the real ones, behind the same gate. */
  readonly moreRoutes?: readonly Route[]
}

export type App = {
  readonly house: House
  readonly routes: readonly Route[]
  readonly server: ReturnType<typeof openServer>
  /** When it may listen: the first requests must not be counted before the shared limits are there. */
  ready(): Promise<void>
  /** The regular work of a process that serves: what is past its time, what a dead process left behind. */
  startWork(): void
  /** Writes down what waits. */
  flush(): Promise<void>
  /** Writes down what waits and lets go of what the app opened itself. The database is the caller's. */
  close(): Promise<void>
}

/** What lives as long as the process and belongs to one feature. */
export type Rooms = ConfirmParts & { readonly stage: StageWrite }

export type RouteInfo = { readonly version: string; readonly url: string }

/** Every route of the service. `all` is asked late: the reference describes itself too. */
export function everyRoute(info: RouteInfo, rooms: Rooms, more: readonly Route[] = []): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes,
    ...accountRoutes,
    ...catalogRoutes,
    ...callRoutes(rooms),
    ...actionRoutes(rooms),
    ...approvalRoutes,
    ...auditRoutes,
    ...embedRoutes,
    ...operatorRoutes,
    ...widgetRoutes(),
    ...referenceRoutes(() => routes, info),
    ...more,
  ]
  return routes
}

function openRooms(house: House, faults: ConfirmParts['faults']): Rooms {
  const catalogs = openCatalogs(house)
  const calls = openCalls(house)
  const stage: StageWrite = async (ctx, tool, given) =>
    stageChecked(ctx, calls, {
      tool,
      arguments: given,
      catalog: await catalogs.of(ctx),
      source: 'POST /v1/tools/{name}/call',
    })
  return { catalogs, calls, stage, prohibition: ruleList, faults }
}

function openWayOut({ toolTransport, environment, http }: House['settings']): House['egress'] {
  const { allowInsecureEndpoint: allowInsecure, allowPrivateNetworkEndpoint: allowPrivateNetwork } = toolTransport
  // A service that called itself would do it with somebody else's authority.
  const refuseNames = environment === 'Production' ? [new URL(http.publicUrl).hostname] : []
  return openEgress({
    policy: { allowInsecure, allowPrivateNetwork, refuseNames },
    purposes: { tool: {}, site: {} },
    userAgent: `Tether/${VERSION}`,
  })
}

export function openApp({ moreRoutes, ...parts }: AppParts): App {
  const house: House = { ...parts, metrics: openMetrics(), egress: parts.egress ?? openWayOut(parts.settings) }
  const rooms = openRooms(house, parts.faults ?? noFaults)
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
  const routes = everyRoute({ version: VERSION, url: settings.http.publicUrl }, rooms, moreRoutes)
  const server = openServer({
    endpoints: endpointsOf(routes, house, gate),
    unmatched: unmatchedAnswer(routes, gate),
    newRequestId: () => newId('req'),
    parseJson: (text) => parseJson(text),
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
  let sweeps: Sweeps | undefined
  const flush = async () => {
    await lastUsed.flush()
    await rooms.calls.flush()
  }
  return {
    house,
    routes,
    server,
    ready: () => limiter.ready(),
    startWork() {
      sweeps ??= startSweeps(house)
    },
    flush,
    async close() {
      await server.close()
      await sweeps?.close()
      await limiter.close()
      await house.egress.close()
      await flush()
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

// The wiring: the only file that knows every room.
import { accountRoutes } from './features/accounts/index.ts'
import {
  actionDuties,
  actionRoutes,
  type ConfirmParts,
  noFaults,
  ruleList,
  stageChecked,
  stageKeyOf,
  watchSweeps,
} from './features/actions/index.ts'
import { approvalRoutes } from './features/approvals/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import { callRoutes, openCalls, type StageWrite } from './features/calls/index.ts'
import { catalogRoutes, openCatalogs } from './features/catalog/index.ts'
import {
  type ChatRooms,
  type Classifier,
  chatDuties,
  chatRoutes,
  type ModelDesk,
  nothingWritten,
  openModeration,
  openRunningTurns,
  type Retrieval,
} from './features/chat/index.ts'
import { embedLetters, embedRoutes } from './features/embed/index.ts'
import { type EventParts, eventRoutes, forgetDuty, openPump, type Pump } from './features/events/index.ts'
import { operatorRoutes } from './features/operator/index.ts'
import { outcomeRoutes } from './features/outcomes/index.ts'
import { type SignupParts, signupDuties, signupLetters, signupRoutes } from './features/signup/index.ts'
import { answers, isUnavailable } from './foundation/db/index.ts'
import { openEgress } from './foundation/egress/index.ts'
import { type Failure, openServer, refuse, type Served } from './foundation/http/index.ts'
import { newId } from './foundation/ids/index.ts'
import { parseJson } from './foundation/json/index.ts'
import { seldom } from './foundation/log/index.ts'
import { openMetrics } from './foundation/metrics/index.ts'
import { openModelDesk } from './foundation/model/index.ts'
import {
  endpointsOf,
  openGate,
  openIdentify,
  openLastUsed,
  type Route,
  unmatchedAnswer,
} from './ground/access/index.ts'
import type { House } from './ground/context/index.ts'
import { type Duty, openBell, ringing, startDuties, type Working } from './ground/jobs/index.ts'
import { openLimiter } from './ground/limits/index.ts'
import { listMailDeliveries, MAIL_BELLS, openMail, watchMails } from './ground/mail/index.ts'
import { ANNOUNCES, EVENTS_BELL } from './ground/outbox/index.ts'
import { openSigner } from './ground/tenants/index.ts'
import { openLedger } from './ground/usage/index.ts'
import { healthRoutes } from './surfaces/health/index.ts'
import { referenceRoutes } from './surfaces/openapi/index.ts'
import { pageRoutes } from './surfaces/pages/index.ts'
import { widgetRoutes } from './surfaces/widget/index.ts'
import { VERSION } from './version.ts'

export type AppParts = Omit<House, 'metrics' | 'egress'> & {
  /** A test's own way out: another resolver, another authority. */
  readonly egress?: House['egress']
  /** Where a proof lets this process crash. */
  readonly faults?: ConfirmParts['faults']
  /** From 0 to 1: how jittered waits are. */
  readonly random?: () => number
  /** The models of the plans; those of the settings unless said. */
  readonly models?: ModelDesk
  /** What businesses have written; without it, nothing is looked up. */
  readonly retrieval?: Retrieval
  /** Routes that a test mounts beside the real ones, behind the same gate. */
  readonly moreRoutes?: readonly Route[]
}

export type App = {
  readonly house: House
  readonly routes: readonly Route[]
  readonly server: ReturnType<typeof openServer>
  /** The regular work: what is past its time, what a dead process left behind, what is to be told. */
  readonly duties: readonly Duty[]
  /** One of them, for tests: it sends events. */
  readonly pump: Pump
  /** When it may listen: the first requests must not be counted before the shared limits are there. */
  ready(): Promise<void>
  /** Begins the regular work in this process. */
  startWork(): void
  /** Writes down what waits. */
  flush(): Promise<void>
  /** Writes down what waits and lets go of what the app opened itself. The database is the caller's. */
  close(): Promise<void>
}

/** What lives as long as the process and belongs to one feature. */
export type Rooms = ConfirmParts & ChatRooms & EventParts & SignupParts & { readonly stage: StageWrite }

export type RouteInfo = { readonly version: string; readonly url: string }

/** Every route of the service. `all` is asked late: the reference describes itself too. */
export function everyRoute(info: RouteInfo, rooms: Rooms, more: readonly Route[] = []): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes,
    ...accountRoutes,
    ...signupRoutes(() => rooms),
    ...catalogRoutes,
    ...callRoutes(rooms),
    ...actionRoutes(rooms),
    ...chatRoutes(rooms),
    ...approvalRoutes,
    ...embedRoutes,
    ...auditRoutes,
    ...eventRoutes(rooms),
    ...outcomeRoutes,
    ...operatorRoutes,
    ...pageRoutes,
    ...widgetRoutes(),
    ...referenceRoutes(() => routes, info),
    ...more,
  ]
  return routes
}

/** The fixed list of what is forbidden, as a classifier of one category. */
const fixedList: Classifier = {
  async classify(text) {
    const principle = await ruleList.forbids({ tool: '', summary: text, argumentsText: '' })
    return principle === null ? [] : [{ category: 'minors', principle }]
  },
}

type Given = Pick<AppParts, 'faults' | 'retrieval'> & { readonly mail: SignupParts['mail']; readonly models: ModelDesk }

function openRooms(house: House, { faults, models, retrieval, mail }: Given): Rooms {
  const catalogs = openCatalogs(house)
  const calls = openCalls(house)
  const stage: StageWrite = async (ctx, tool, given, head) =>
    stageChecked(ctx, calls, {
      tool,
      arguments: given,
      catalog: await catalogs.of(ctx),
      source: 'POST /v1/tools/{name}/call',
      stageKey: stageKeyOf(head),
    })
  return {
    house,
    catalogs,
    calls,
    stage,
    prohibition: ruleList,
    faults: faults ?? noFaults,
    mail,
    sign: openSigner(house),
    otherDeliveries: mailDeliveries,
    models,
    retrieval: retrieval ?? nothingWritten,
    moderation: openModeration(house, fixedList),
    ledger: openLedger(house),
    turns: openRunningTurns(house),
  }
}

function openWayOut({ toolTransport, environment, http }: House['settings']): House['egress'] {
  const { allowInsecureEndpoint: allowInsecure, allowPrivateNetworkEndpoint: allowPrivateNetwork } = toolTransport
  // A service that called itself would do it with somebody else's authority.
  const refuseNames = environment === 'Production' ? [new URL(http.publicUrl).hostname] : []
  return openEgress({
    policy: { allowInsecure, allowPrivateNetwork, refuseNames },
    purposes: { tool: {}, picture: {}, check: {}, event: { connections: 128, origins: 2048 } },
    userAgent: `Tether/${VERSION}`,
  })
}

const LETTERS = [...signupLetters, ...embedLetters]
const MAIL_KINDS = new Set(LETTERS.map(({ kind }) => kind))

/** Mail is listed with the events, for whoever asks for a kind of it. */
const mailDeliveries: EventParts['otherDeliveries'] = {
  owns: (event) => MAIL_KINDS.has(event),
  // A mail is of no action.
  list: async (ctx, { actionId, failed, ...query }) =>
    actionId !== undefined
      ? { deliveries: [], count: 0, nextBefore: null }
      : listMailDeliveries(ctx, ctx.asking.tenantId, {
          ...query,
          ...(failed === undefined ? {} : { failed: failed === 'true' }),
        }),
}

/** Which bell rings after which statements. */
const BELLS = { [ANNOUNCES]: EVENTS_BELL, ...MAIL_BELLS }

export function openApp({ moreRoutes, ...parts }: AppParts): App {
  const bell = openBell(parts)
  const db = ringing(parts.db, bell.ring, BELLS)
  const house: House = { ...parts, db, metrics: openMetrics(), egress: parts.egress ?? openWayOut(parts.settings) }
  const mail = openMail(house, { kinds: LETTERS })
  const models: ModelDesk = parts.models ?? openModelDesk(parts.settings.ai, parts.clock.now)
  const rooms = openRooms(house, { ...parts, mail, models })
  const { settings, log, clock, metrics } = house
  const warn = (message: string) => log.warn({}, message)
  // The monotonic clock: a rate limit must not open or shut because somebody set the time.
  const limiter = openLimiter({
    redisUrl: settings.redis.url,
    queueLimit: settings.rateLimit.queueLimit,
    now: () => performance.now(),
    warn,
    inform: (message) => log.info({}, message),
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
    onFailure: failureLog(house),
    refusalOf: (error) => (isUnavailable(error) ? databaseAway() : undefined),
  })
  watchSweeps(house)
  watchMails(house)
  metrics.gauge('tether_database_up', 'Whether the database answers: 1 or 0', async () => Number(await answers(db)))
  metrics.gauge('tether_started_seconds', 'When this process was ready, in Unix seconds', () => startedAt / 1000)
  const startedAt = clock.now()
  const pump = openPump({ ...house, ring: bell.ring, ...(parts.random === undefined ? {} : { random: parts.random }) })
  const duties = dutiesOf(house, pump, mail.duties)
  let working: Working | undefined
  const flush = async () => {
    await lastUsed.flush()
    await rooms.calls.flush()
    await rooms.ledger.flush()
  }
  return {
    house,
    routes,
    server,
    duties,
    pump,
    ready: () => limiter.ready(),
    startWork() {
      working ??= startDuties({ ...house, bell }, duties)
    },
    flush,
    async close() {
      await server.close()
      // What still runs has lost its reader, or never had one.
      await rooms.turns.close()
      await working?.close()
      mail.close()
      await models.close?.()
      await limiter.close()
      await house.egress.close()
      await flush()
    },
  }
}

/** The regular work of every room. */
const dutiesOf = (house: House, pump: Pump, mails: readonly Duty[]): readonly Duty[] => [
  ...actionDuties(house),
  pump,
  forgetDuty(house),
  ...mails,
  ...signupDuties(house),
  ...chatDuties(house),
]

const databaseAway = () =>
  refuse('database_unavailable', 'The database does not answer. Try again in a moment.', {}, { 'retry-after': '2' })

function logServed({ log }: House, { requestId, method, route, status, ms, logged }: Served): void {
  log.info({ requestId, method, route, status, ms, ...logged }, 'request')
}

/** While the database is away each line of a request says 503, and one now and then says why. */
function failureLog({ log }: House): (failure: Failure) => void {
  const away = seldom(log, 10_000)
  return ({ errorId, requestId, error }) => {
    if (isUnavailable(error))
      away({ reason: error.message }, 'The database does not answer; requests are refused with 503.')
    else log.error({ errorId, requestId, error }, 'A request failed on our side.')
  }
}

// The wiring: the only file that knows every room.
import { accountRoutes } from './features/accounts/index.ts'
import {
  type ActionRooms,
  actionDuties,
  actionRoutes,
  noFaults,
  ruleList,
  watchSweeps,
} from './features/actions/index.ts'
import { approvalRoutes } from './features/approvals/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import { callRoutes, openCalls } from './features/calls/index.ts'
import { catalogRoutes, openCatalogs } from './features/catalog/index.ts'
import {
  type ChatRooms,
  chatDuties,
  chatRoutes,
  fixedList,
  type ModelDesk,
  nothingWritten,
  openModeration,
  openRunningTurns,
  type Retrieval,
} from './features/chat/index.ts'
import { embedLetters, embedRoutes } from './features/embed/index.ts'
import { type EventParts, eventRoutes, forgetDuty, openPump, type Pump } from './features/events/index.ts'
import { openOffline } from './features/offline/index.ts'
import { operatorRoutes } from './features/operator/index.ts'
import { outcomeRoutes } from './features/outcomes/index.ts'
import { type SignupParts, signupDuties, signupLetters, signupRoutes } from './features/signup/index.ts'
import { openServer } from './foundation/http/index.ts'
import { newId } from './foundation/ids/index.ts'
import { parseJson } from './foundation/json/index.ts'
import { openMetrics } from './foundation/metrics/index.ts'
import { openModelDesk } from './foundation/model/index.ts'
import {
  endpointsOf,
  openGate,
  openIdentify,
  openLastUsed,
  type Route,
  requestLog,
  unmatchedAnswer,
} from './ground/access/index.ts'
import { type House, openWayOut } from './ground/context/index.ts'
import { type Duty, openBell, ringing, startDuties, type Working } from './ground/jobs/index.ts'
import { limiterOf } from './ground/limits/index.ts'
import { MAIL_BELLS, type MailRoom, openMail, watchMails } from './ground/mail/index.ts'
import { ANNOUNCES, EVENTS_BELL } from './ground/outbox/index.ts'
import { openSigner } from './ground/tenants/index.ts'
import { openLedger } from './ground/usage/index.ts'
import { healthRoutes, watchHealth } from './surfaces/health/index.ts'
import { referenceRoutes } from './surfaces/openapi/index.ts'
import { pageRoutes } from './surfaces/pages/index.ts'
import { widgetRoutes } from './surfaces/widget/index.ts'
import { VERSION } from './version.ts'

export type AppParts = Omit<House, 'metrics' | 'egress'> & {
  /** A test's own way out: another resolver, another authority. */
  readonly egress?: House['egress']
  /** Where a proof lets this process crash. */
  readonly faults?: ActionRooms['faults']
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
export type Rooms = ActionRooms & ChatRooms & EventParts & SignupParts

export type RouteInfo = { readonly version: string; readonly url: string }

/** Every route of the service. They are asked for late: the reference describes itself, too. */
export function everyRoute(info: RouteInfo, rooms: Rooms, more: readonly Route[] = []): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes,
    ...accountRoutes,
    ...signupRoutes(() => rooms),
    ...catalogRoutes,
    ...callRoutes,
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

type Given = Pick<AppParts, 'faults' | 'retrieval'> & { readonly mail: MailRoom; readonly models: ModelDesk }

function openRooms(house: House, { faults, models, retrieval, mail }: Given): Rooms {
  return {
    house,
    catalogs: openCatalogs(house),
    calls: openCalls(house),
    prohibition: ruleList,
    faults: faults ?? noFaults,
    mail,
    sign: openSigner(house),
    models,
    retrieval: retrieval ?? nothingWritten,
    moderation: openModeration(house, fixedList),
    ledger: openLedger(house),
    turns: openRunningTurns(house),
  }
}

/** Which bell rings after which statements. */
const BELLS = { [ANNOUNCES]: EVENTS_BELL, ...MAIL_BELLS }

export function openApp({ moreRoutes, ...parts }: AppParts): App {
  const bell = openBell(parts)
  const db = ringing(parts.db, bell.ring, BELLS)
  const egress = parts.egress ?? openWayOut(parts.settings, VERSION)
  const house: House = { ...parts, db, metrics: openMetrics(), egress }
  const { settings, clock } = house
  const mail = openMail(house, { kinds: [...signupLetters, ...embedLetters] })
  const models: ModelDesk = parts.models ?? openModelDesk(settings.ai, openOffline(), clock.now)
  const rooms = openRooms(house, { ...parts, mail, models })
  const limiter = limiterOf(house)
  const lastUsed = openLastUsed(house)
  const gate = openGate({ house, identify: openIdentify(house, lastUsed), limiter })
  const routes = everyRoute({ version: VERSION, url: settings.http.publicUrl }, rooms, moreRoutes)
  const server = openServer({
    endpoints: endpointsOf(routes, house, gate),
    unmatched: unmatchedAnswer(routes, gate),
    newRequestId: () => newId('req'),
    parseJson: (text) => parseJson(text),
    https: settings.http.publicUrl.startsWith('https:'),
    ...requestLog(house),
  })
  watchHealth(house)
  watchSweeps(house)
  watchMails(house)
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

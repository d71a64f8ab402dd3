// The wiring: the only file that knows every room.
import { accountRoutes } from './features/accounts/index.ts'
import { type ActionRooms, actionDuties, actionRoutes, noFaults, watchSweeps } from './features/actions/index.ts'
import { approvalRoutes, catalogWarningsOn } from './features/approvals/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import { callDuties, callRoutes, openCalls } from './features/calls/index.ts'
import { type CatalogParts, catalogRoutes, openCatalogs } from './features/catalog/index.ts'
import { type Channels, channelRoutes, openChannels, postChannel } from './features/channels/index.ts'
import {
  type ChatRooms,
  chatDuties,
  chatRoutes,
  deleteSession,
  fixedList,
  type ModelsByPlan,
  openModeration,
  type Retrieval,
} from './features/chat/index.ts'
import { conversationRoutes } from './features/conversations/index.ts'
import { decisionRoutes } from './features/decisions/index.ts'
import { draftDuties } from './features/drafts/index.ts'
import { embedLetters, embedRoutes } from './features/embed/index.ts'
import { type EventParts, eventRoutes, forgetDuty, openPump, type Pump } from './features/events/index.ts'
import { importedApiOf, importOf, importRoutes } from './features/imports/index.ts'
import { type Finder, knowledgeRoutes, openEmbeddings, openLibrary, openRetrieval } from './features/knowledge/index.ts'
import { type Listeners, listeningDuties, listeningRoutes, openListeners } from './features/listening/index.ts'
import { noticeDuties, noticeLetters } from './features/notices/index.ts'
import { openOffline } from './features/offline/index.ts'
import { operatorRoutes } from './features/operator/index.ts'
import { outcomeRoutes } from './features/outcomes/index.ts'
import { peopleDuties, peopleLetters, peopleRoutes, sealAddress } from './features/people/index.ts'
import {
  openClaim,
  openCrawls,
  openShelf,
  type PreviewRooms,
  previewLetters,
  previewRoutes,
  type ReadSite,
  refreshDuty,
  sandboxDuties,
  sandboxes,
  withPreviews,
} from './features/previews/index.ts'
import { openWatches } from './features/proposals/index.ts'
import { providerDuties, providerRoutes } from './features/providers/index.ts'
import { openRecovery, type Recovery } from './features/recovery/index.ts'
import { reminderDuties } from './features/reminders/index.ts'
import { type SignupParts, signupDuties, signupLetters, signupRoutes } from './features/signup/index.ts'
import { noTape, openRunningTurns, openTape, streamDuties } from './features/streams/index.ts'
import { openTrials, type Trials, trialRoutes } from './features/trials/index.ts'
import { declaredUpstream, upstreamDuties, upstreamRoutes, upstreamTransport } from './features/upstreams/index.ts'
import { openVocabulary, vocabularyDuties, vocabularyRoutes } from './features/vocabulary/index.ts'
import { ruleList } from './features/writes/index.ts'
import { openServer } from './foundation/http/index.ts'
import { newId } from './foundation/ids/index.ts'
import { parseJson } from './foundation/json/index.ts'
import { openMetrics } from './foundation/metrics/index.ts'
import { openEmbedder, openModels, priceOf } from './foundation/model/index.ts'
import { readSite } from './foundation/sites/index.ts'
import {
  accessDuties,
  consoleDuties,
  countingSessions,
  countingSigned,
  endpointsOf,
  type Gate,
  isOwnDoor,
  openGate,
  openIdentify,
  openLastUsed,
  type ProveSigned,
  type Route,
  requestLog,
  sessionDuties,
  unmatchedAnswer,
} from './ground/access/index.ts'
import { type Context, type House, openWayOut } from './ground/context/index.ts'
import { type Duty, openBell, ringing, startDuties, type Working } from './ground/jobs/index.ts'
import { limiterOf } from './ground/limits/index.ts'
import { type AnyMailKind, type MailRoom, openMail, watchMails } from './ground/mail/index.ts'
import { openSigner } from './ground/tenants/index.ts'
import { openLedger } from './ground/usage/index.ts'
import { type ConsoleParts, consoleRoutes } from './surfaces/console/index.ts'
import { consoleLetters } from './surfaces/console-page/index.ts'
import { docsRoutes } from './surfaces/docs/index.ts'
import { healthRoutes, openReadiness, type ReadinessRoom, watchHealth } from './surfaces/health/index.ts'
import { type InboxParts, inboxRoutes } from './surfaces/inbox/index.ts'
import { mcpRoutes } from './surfaces/mcp/index.ts'
import { openAiRoutes } from './surfaces/openai/index.ts'
import { referenceRoutes } from './surfaces/openapi/index.ts'
import { pageRoutes } from './surfaces/pages/index.ts'
import { tryRoutes } from './surfaces/try/index.ts'
import { uiMessageStream } from './surfaces/ui-message/index.ts'
import { widgetRoutes } from './surfaces/widget/index.ts'
import { VERSION } from './version.ts'

export type AppParts = Omit<House, 'metrics' | 'egress'> & {
  /** A test may bring its own way out, with another resolver and certificate authority. */
  readonly egress?: House['egress']
  /** The points at which a proof crashes this process. */
  readonly faults?: ActionRooms['faults']
  /** Wraps the calls of tools. A proof puts a fault there. */
  readonly calls?: (calls: ActionRooms['calls']) => ActionRooms['calls']
  /** Returns a number from 0 to 1, for the jitter of waits. */
  readonly random?: () => number
  /** The models of the plans. The default is those of the settings. */
  readonly models?: ModelsByPlan
  /** Finds what businesses have written. A test may bring another. */
  readonly retrieval?: Retrieval
  /** Reads a public website. A test may bring another. */
  readonly readSite?: ReadSite
  /** False if the schema lacks what this build needs. A test has made its schema itself. */
  readonly schemaFits?: () => Promise<boolean>
  /** Whether other instances share the database. Unless set, they do, except on the embedded one, which has one process. */
  readonly shared?: boolean
  /** Routes that a test mounts beside the real ones, behind the same gate. */
  readonly moreRoutes?: readonly Route[]
}

export type App = {
  readonly house: House
  readonly routes: readonly Route[]
  readonly server: ReturnType<typeof openServer>
  /** The regular work: overdue rows, what a dead process left behind, and events and mails to send. */
  readonly duties: readonly Duty[]
  /** The duty that sends events, for tests. */
  readonly pump: Pump
  /** Resolves when the app may listen. Until the shared limits are ready, requests would be counted wrongly. */
  ready(): Promise<void>
  /** Finds the writes that businesses performed and this database does not know, after it lost its last transactions. */
  readonly recovery: Recovery
  /** Tells balancers to send nothing more, while everything is still answered. */
  drain(): void
  /** Begins the regular work in this process. */
  startWork(): void
  /** Waits for what has been answered already and is still being done. */
  settled(): Promise<void>
  /** Writes what is queued in memory. */
  flush(): Promise<void>
  /** Writes what is queued and closes what the app opened. The database belongs to the caller. */
  close(): Promise<void>
}

/** The parts of features that live as long as the process. */
export type Rooms = ActionRooms &
  ChatRooms &
  EventParts &
  SignupParts &
  PreviewRooms &
  Finder & {
    readonly channels: Channels
    readonly listeners: Listeners
    readonly readiness: ReadinessRoom
    readonly trials: Trials
  }

/** How requests are counted that come without a key. */
type Spends = { readonly sessions: InboxParts['spend'] & ConsoleParts['spend']; readonly signed: ProveSigned }

export type RouteInfo = { readonly version: string; readonly url: string }

/** What the catalog asks of other rooms. */
const CATALOG_PARTS: CatalogParts = { policyWarnings: catalogWarningsOn, importOf, declaredUpstream }

/** Every route of the service. The reference reads them late, because it describes itself, too. */
export function everyRoute(
  info: RouteInfo,
  rooms: Rooms,
  more: readonly Route[] = [],
  { sessions, signed }: Spends = { sessions: async () => {}, signed: async () => false },
): readonly Route[] {
  const routes: readonly Route[] = [
    ...healthRoutes(rooms.readiness),
    ...accountRoutes,
    ...signupRoutes(() => rooms),
    ...catalogRoutes(CATALOG_PARTS),
    ...importRoutes(rooms),
    ...upstreamRoutes,
    ...callRoutes(rooms),
    ...actionRoutes(rooms),
    ...decisionRoutes(rooms),
    ...chatRoutes(rooms, { 'ui-message': uiMessageStream }),
    ...conversationRoutes({ erase: deleteSession }),
    ...trialRoutes(rooms),
    ...peopleRoutes,
    ...approvalRoutes({ toolsOf: toolsIn(rooms) }),
    ...knowledgeRoutes(rooms),
    ...previewRoutes(rooms),
    ...embedRoutes,
    ...auditRoutes,
    ...eventRoutes(rooms),
    ...listeningRoutes({ listeners: rooms.listeners, prove: signed }),
    ...channelRoutes({ channels: rooms.channels, prove: signed }),
    ...outcomeRoutes,
    ...vocabularyRoutes,
    ...operatorRoutes,
    ...providerRoutes(configuring(rooms)),
    ...mcpRoutes(rooms),
    ...openAiRoutes(rooms),
    ...pageRoutes(() => routes),
    ...inboxRoutes({ rooms, spend: sessions }),
    ...consoleRoutes({ rooms, verbs: configuring(rooms), spend: sessions }),
    ...tryRoutes(rooms),
    ...widgetRoutes(() => rooms.models.of('free').model.kind === 'offline'),
    ...referenceRoutes(() => routes, info),
    ...docsRoutes(info.url),
    ...more,
  ]
  return routes
}

/** The tools that a workspace has registered. */
const toolsIn =
  ({ catalogs }: Pick<Rooms, 'catalogs'>) =>
  async (ctx: Context) =>
    (await catalogs.of(ctx)).tools

/** With what a configuration is placed, in the console and by a provider. */
const configuring = (rooms: Pick<Rooms, 'catalogs'>) => ({ ...CATALOG_PARTS, toolsOf: toolsIn(rooms) })

type RoomParts = Pick<AppParts, 'calls' | 'faults' | 'retrieval' | 'readSite' | 'schemaFits' | 'shared'> & {
  readonly mail: MailRoom
  readonly models: ModelsByPlan
}

function openRooms(house: House, { models, mail, readSite: read = readSite, ...parts }: RoomParts): Rooms {
  const { faults, retrieval, schemaFits = async () => true, shared = house.db.engine === 'server' } = parts
  const ledger = openLedger(house)
  const finder = { library: openLibrary(house), embeddings: openEmbeddings(house, ledger, openEmbedder) }
  const calls = openCalls(house, importedApiOf, upstreamTransport)
  const deciding: ActionRooms = {
    catalogs: openCatalogs(house),
    calls: parts.calls?.(calls) ?? calls,
    prohibition: ruleList,
    faults: faults ?? noFaults,
  }
  const answering = {
    catalogs: deciding.catalogs,
    models,
    retrieval: retrieval ?? withPreviews(openRetrieval(finder), openShelf(house)),
    vocabulary: openVocabulary(),
    moderation: openModeration(house, fixedList),
    ledger,
  }
  const offline = { model: openOffline(), name: 'offline', price: priceOf(house.settings.ai.prices, 'offline') }
  return {
    house,
    ...finder,
    ...deciding,
    ...answering,
    channels: openChannels(house, deciding),
    listeners: openListeners(house, shared),
    mail,
    sign: openSigner(house),
    trials: openTrials({ ...answering, offline }),
    crawls: openCrawls(house, read, VERSION),
    sandboxes,
    openClaim,
    turns: openRunningTurns(house, shared ? openTape(house) : noTape),
    watches: openWatches(house),
    readiness: openReadiness({ ...house, schemaFits }),
  }
}

/** Every kind of mail that the service writes. */
export const everyMailKind = (catalogs: () => Rooms['catalogs']): readonly AnyMailKind[] => [
  ...signupLetters,
  ...embedLetters,
  ...peopleLetters,
  ...previewLetters,
  ...consoleLetters,
  ...noticeLetters({ catalogs, sealAddress }),
]

/** What an operator is woken by. */
const WATCHES = [watchHealth, watchSweeps, watchMails]

export function openApp({ moreRoutes, ...parts }: AppParts): App {
  const bell = openBell(parts)
  const db = ringing(parts.db, bell.ring)
  const egress = parts.egress ?? openWayOut(parts.settings, VERSION, (path) => isOwnDoor(routes, path))
  const house: House = { ...parts, db, metrics: openMetrics(), egress }
  const { settings, clock } = house
  const mail = openMail(house, { kinds: everyMailKind(() => rooms.catalogs) })
  const models: ModelsByPlan = parts.models ?? openModels(settings.ai, openOffline(), clock.now)
  const rooms = openRooms(house, { ...parts, mail, models })
  const limiter = limiterOf(house)
  const lastUsed = openLastUsed(house)
  const gate = openGate({ house, identify: openIdentify(house, lastUsed), limiter })
  const routes = everyRoute({ version: VERSION, url: settings.http.publicUrl }, rooms, moreRoutes, {
    sessions: countingSessions(house, limiter),
    signed: countingSigned(house, limiter),
  })
  const server = serverOf(house, routes, gate)
  for (const watch of WATCHES) watch(house)
  const pump = openPump({ ...house, ring: bell.ring, ...(parts.random === undefined ? {} : { random: parts.random }) })
  const duties = dutiesOf(house, pump, { mails: mail.duties, rooms })
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
    recovery: openRecovery(house, rooms),
    drain() {
      for (const room of [rooms.readiness, rooms.listeners]) room.drain()
    },
    startWork() {
      working ??= startDuties({ ...house, bell }, duties)
    },
    settled: () => rooms.channels.settled(),
    flush,
    async close() {
      letGo(rooms)
      await server.close()
      // The turns that still run have no reader any longer.
      await rooms.turns.close()
      await rooms.crawls.close()
      await rooms.channels.settled()
      await working?.close()
      mail.close()
      await models.close?.()
      await rooms.embeddings?.close()
      await limiter.close()
      await house.egress.close()
      await flush()
    },
  }
}

function serverOf(house: House, routes: readonly Route[], gate: Gate): App['server'] {
  const { settings } = house
  return openServer({
    endpoints: endpointsOf(routes, house, gate),
    unmatched: unmatchedAnswer(routes, gate),
    newRequestId: () => newId('req'),
    parseJson: (text) => parseJson(text),
    https: settings.http.publicUrl.startsWith('https:'),
    inFlight: { mostBytes: settings.rateLimit.tenantBytesInFlight, mostLarge: settings.rateLimit.tenantLargeBodies },
    ...requestLog(house),
  })
}

/** Nothing new is to come here, and whoever reads what never ends by itself reads on elsewhere. */
function letGo({ readiness, watches, listeners, turns }: Rooms): void {
  readiness.drain()
  watches.close()
  listeners.close()
  turns.letGo()
}

/** The regular work of every room. */
const dutiesOf = (
  house: House,
  pump: Pump,
  { mails, rooms }: { readonly mails: readonly Duty[]; readonly rooms: Rooms },
): readonly Duty[] => [
  ...accessDuties(house),
  ...actionDuties(house),
  ...reminderDuties(house),
  ...callDuties(house),
  ...listeningDuties(house),
  pump,
  forgetDuty(house),
  ...mails,
  ...signupDuties(house),
  ...sessionDuties(house),
  ...consoleDuties(house),
  ...peopleDuties(house),
  ...providerDuties(house, configuring(rooms)),
  ...noticeDuties(house, rooms.catalogs, [postChannel]),
  ...rooms.channels.duties,
  ...chatDuties(house),
  ...streamDuties(house),
  ...vocabularyDuties(house),
  ...draftDuties(house),
  ...upstreamDuties(house),
  ...(rooms.embeddings?.duties ?? []),
  ...sandboxDuties(house),
  refreshDuty(house, rooms.crawls),
]

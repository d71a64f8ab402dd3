// The core of the service. It opens with the offers of the modules and does not import any module.

import { embedLetters, embedRoutes } from './api/embed/index.ts'
import { healthRoutes, openReadiness, type ReadinessRoom, watchHealth } from './api/health/index.ts'
import { mcpRoutes } from './api/mcp/index.ts'
import { openAiRoutes } from './api/openai/index.ts'
import { referenceRoutes } from './api/reference/index.ts'
import { uiMessageStream } from './api/ui-message/index.ts'
import { widgetRoutes } from './api/widget/index.ts'
import { refuse } from './kernel/http/index.ts'
import { openMetrics } from './kernel/metrics/index.ts'
import { type ClosableModel, ModelFailure, openEmbedder, openModels, priceOf } from './kernel/model/index.ts'
import { type Offers, type ToolSource, UNOPENED } from './offers.ts'
import { inboxRoutes } from './pages/inbox/index.ts'
import { pageRoutes } from './pages/links/index.ts'
import {
  type ChatRooms,
  chatDuties,
  chatRoutes,
  deleteSession,
  fixedList,
  type ModelsByPlan,
  openModeration,
  type Retrieval,
} from './talk/chat/index.ts'
import { conversationRoutes } from './talk/conversations/index.ts'
import { type Finder, knowledgeRoutes, openEmbeddings, openLibrary, openRetrieval } from './talk/knowledge/index.ts'
import { outcomeRoutes } from './talk/outcomes/index.ts'
import { openWatches } from './talk/proposals/index.ts'
import { noTape, openRunningTurns, openTape, streamDuties } from './talk/streams/index.ts'
import { openTrials, type Trials, trialRoutes } from './talk/trials/index.ts'
import { openVocabulary, vocabularyDuties, vocabularyRoutes } from './talk/vocabulary/index.ts'
import {
  accessDuties,
  countingSessions,
  countingSigned,
  type Gate,
  openGate,
  openIdentify,
  openLastUsed,
  type ProveSigned,
  type Route,
} from './tenancy/access/index.ts'
import { accountRoutes } from './tenancy/accounts/index.ts'
import { type Context, type House, openWayOut } from './tenancy/context/index.ts'
import { type EventParts, eventRoutes, forgetDuty, openPump, type Pump } from './tenancy/events/index.ts'
import { type Bell, type Duty, openBell, ringing } from './tenancy/jobs/index.ts'
import { limiterOf } from './tenancy/limits/index.ts'
import { type AnyMailKind, type MailRoom, openMail, watchMails } from './tenancy/mail/index.ts'
import { operatorRoutes } from './tenancy/operator/index.ts'
import { type SignupParts, signupDuties, signupLetters, signupRoutes } from './tenancy/signup/index.ts'
import { openSigner } from './tenancy/tenants/index.ts'
import { openLedger } from './tenancy/usage/index.ts'
import { callDuties, callRoutes, openCalls, type Transport } from './tools/calls/index.ts'
import { type CatalogParts, catalogRoutes, openCatalogs } from './tools/catalog/index.ts'
import { VERSION } from './version.ts'
import { type ActionRooms, actionDuties, actionRoutes, noFaults, watchSweeps } from './writes/actions/index.ts'
import { type ApprovalParts, approvalRoutes, catalogWarningsOn } from './writes/approvals/index.ts'
import { auditRoutes } from './writes/audit/index.ts'
import { decisionRoutes } from './writes/decisions/index.ts'
import { type Channel, noticeDuties, noticeLetters } from './writes/notices/index.ts'
import { peopleDuties, peopleLetters, peopleRoutes, sealAddress } from './writes/people/index.ts'
import { reminderDuties } from './writes/reminders/index.ts'
import { ruleList } from './writes/writes/index.ts'

export type CoreParts = Omit<House, 'metrics' | 'egress'> & {
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
  /** False if the schema lacks what this build needs. A test has made its schema itself. */
  readonly schemaFits?: () => Promise<boolean>
  /** Whether other instances share the database. Unless set, they do, except on the embedded one, which has one process. */
  readonly shared?: boolean
}

/** The parts of the core that live as long as the process. */
export type Rooms = ActionRooms &
  ChatRooms &
  EventParts &
  SignupParts &
  Finder & {
    readonly house: House
    readonly mail: MailRoom
    readonly readiness: ReadinessRoom
    readonly trials: Trials
  }

/** The functions of other rooms and of modules that registering a catalog or a policy needs. */
export type Verbs = CatalogParts & ApprovalParts

/** How requests are counted that come without a key. */
export type Spends = {
  readonly sessions: ReturnType<typeof countingSessions>
  readonly signed: ProveSigned
}

export type Core = {
  readonly house: House
  readonly rooms: Rooms
  readonly verbs: Verbs
  readonly spends: Spends
  readonly gate: Gate
  readonly bell: Bell
  /** Whether other instances share the database. */
  readonly shared: boolean
  /** The duty that sends events. */
  readonly pump: Pump
  readonly duties: readonly Duty[]
  /** Resolves when requests can be counted. */
  ready(): Promise<void>
  drain(): void
  /** Ends requests that would never end by themselves. */
  letGo(): void
  /** Writes the queues in memory to the database. */
  flush(): Promise<void>
  /** Closes everything that the core opened, after the regular work has ended. The database belongs to the caller. */
  close(): Promise<void>
}

/** `isOwnDoor` says of a path whether the service may call it at its own address. */
export function openCore(parts: CoreParts, offers: readonly Offers[], isOwnDoor: (path: string) => boolean): Core {
  const bell = openBell(parts)
  const db = ringing(parts.db, bell.ring)
  const egress = parts.egress ?? openWayOut(parts.settings, VERSION, isOwnDoor)
  const house: House = { ...parts, db, metrics: openMetrics(), egress }
  const shared = parts.shared ?? house.db.engine === 'server'
  const mail = openMail(house, { kinds: mailKinds(offers, () => rooms.catalogs) })
  const rooms = openRooms(house, { ...parts, shared, mail, offers })
  const verbs = verbsOf(rooms, offers)
  const limiter = limiterOf(house)
  const lastUsed = openLastUsed(house)
  for (const watch of WATCHES) watch(house)
  const pump = openPump({ ...house, ring: bell.ring, ...(parts.random === undefined ? {} : { random: parts.random }) })
  const flush = async () => {
    await lastUsed.flush()
    await rooms.calls.flush()
    await rooms.ledger.flush()
  }
  return {
    house,
    rooms,
    verbs,
    shared,
    bell,
    pump,
    spends: { sessions: countingSessions(house, limiter), signed: countingSigned(house, limiter) },
    gate: openGate({ house, identify: openIdentify(house, lastUsed), limiter }),
    duties: dutiesOf(house, pump, { rooms, mails: mail.duties, channels: offers.flatMap((one) => one.notices ?? []) }),
    ready: () => limiter.ready(),
    drain: () => rooms.readiness.drain(),
    letGo() {
      rooms.readiness.drain()
      rooms.watches.close()
      rooms.turns.letGo()
    },
    flush,
    async close() {
      mail.close()
      await rooms.models.close?.()
      await rooms.embeddings?.close()
      await limiter.close()
      await house.egress.close()
      await flush()
    },
  }
}

/** The figures that alert an operator. */
const WATCHES = [watchHealth, watchSweeps, watchMails]

/** Every kind of mail that the service writes. */
export const mailKinds = (offers: readonly Offers[], catalogs: () => Rooms['catalogs']): readonly AnyMailKind[] => [
  ...signupLetters,
  ...embedLetters,
  ...peopleLetters,
  ...noticeLetters({ catalogs, sealAddress }),
  ...offers.flatMap(({ mails = [] }) => mails),
]

/** An offer that only one module may make. */
function only<Offer>(name: keyof Offers | keyof ToolSource, found: readonly (Offer | undefined)[]): Offer | undefined {
  const [first, ...others] = found.filter((one) => one !== undefined)
  if (others.length > 0) throw new Error(`Two modules offer "${name}". Remove one of them from modules.ts.`)
  return first
}

const toolsOf = (offers: readonly Offers[]): Required<ToolSource> => {
  const sources = offers.map(({ tools = {} }) => tools)
  return {
    apiOf:
      only(
        'apiOf',
        sources.map((one) => one.apiOf),
      ) ?? (async () => null),
    importOf:
      only(
        'importOf',
        sources.map((one) => one.importOf),
      ) ?? (async () => null),
    proxy:
      only(
        'proxy',
        sources.map((one) => one.proxy),
      ) ?? NO_PROXY,
    declaredUpstream:
      only(
        'declaredUpstream',
        sources.map((one) => one.declaredUpstream),
      ) ?? (async () => ({ version: null, entries: [] })),
  }
}

/** Tools of an MCP server stay in the catalog when the module that calls them is gone. */
const NO_PROXY: Transport = {
  addressOf: async () => null,
  send: async () => ({
    kind: 'not_ready',
    status: 'not_configured',
    message: 'This deployment calls no MCP servers, so nothing was called.',
  }),
}

const refused = async (): Promise<never> => {
  throw refuse('sandbox_disabled', 'This deployment has no sandboxes.')
}
/** A sandbox that is still in the database answers nothing. */
const NO_SANDBOXES: ChatRooms['sandboxes'] = { ready: refused, admit: refused }

const NOTHING_ANSWERS = 'No language model is set up. The operator sets AI:Provider.'
/** Answers nothing where neither a provider nor a module answers. */
const NO_MODEL: ClosableModel = {
  kind: 'none',
  stream: () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new ModelFailure('refused', NOTHING_ANSWERS)) }),
  }),
  close: async () => {},
}

const verbsOf = (rooms: Pick<Rooms, 'catalogs'>, offers: readonly Offers[]): Verbs => {
  const { importOf, declaredUpstream } = toolsOf(offers)
  const toolsIn = async (ctx: Context) => (await rooms.catalogs.of(ctx)).tools
  return { policyWarnings: catalogWarningsOn, importOf, declaredUpstream, toolsOf: toolsIn }
}

type RoomParts = Pick<CoreParts, 'calls' | 'faults' | 'models' | 'retrieval' | 'schemaFits'> & {
  readonly shared: boolean
  readonly mail: MailRoom
  readonly offers: readonly Offers[]
}

function openRooms(house: House, { mail, offers, shared, schemaFits = async () => true, ...parts }: RoomParts): Rooms {
  const { ai } = house.settings
  const openOffline = only(
    'model',
    offers.map((one) => one.model),
  )
  const openClaim = only(
    'openClaim',
    offers.map((one) => one.openClaim),
  )
  const models = parts.models ?? openModels(ai, openOffline?.() ?? NO_MODEL, house.clock.now)
  const ledger = openLedger(house)
  const finder = { library: openLibrary(house), embeddings: openEmbeddings(house, ledger, openEmbedder) }
  const { apiOf, proxy } = toolsOf(offers)
  const calls = openCalls(house, apiOf, proxy)
  const catalogs = openCatalogs(house)
  const documents = openRetrieval(finder)
  const found = () => offers.reduce((inner, { passages }) => passages?.(house, inner) ?? inner, documents)
  const answering = {
    catalogs,
    models,
    retrieval: parts.retrieval ?? found(),
    vocabulary: openVocabulary(),
    moderation: openModeration(house, fixedList),
    ledger,
  }
  const price = priceOf(ai.prices, 'offline')
  return {
    house,
    ...finder,
    ...answering,
    calls: parts.calls?.(calls) ?? calls,
    prohibition: ruleList,
    sandboxes:
      only(
        'sandboxes',
        offers.map((one) => one.sandboxes),
      ) ?? NO_SANDBOXES,
    ...(openClaim === undefined ? {} : { openClaim }),
    faults: parts.faults ?? noFaults,
    mail,
    sign: openSigner(house),
    trials: openTrials({
      ...answering,
      offline: openOffline ? { model: openOffline(), name: 'offline', price } : null,
    }),
    turns: openRunningTurns(house, shared ? openTape(house) : noTape),
    watches: openWatches(house),
    readiness: openReadiness({ ...house, schemaFits }),
  }
}

/** The routes of the core. `all` lists those of the modules as well. */
export function coreRoutes(
  { rooms, verbs, spends }: Pick<Core, 'rooms' | 'verbs' | 'spends'>,
  all: () => readonly Route[],
  info: RouteInfo,
): readonly Route[] {
  return [
    ...healthRoutes(rooms.readiness),
    ...accountRoutes,
    ...signupRoutes(() => rooms),
    ...catalogRoutes(verbs),
    ...callRoutes(rooms),
    ...actionRoutes(rooms),
    ...decisionRoutes(rooms),
    ...chatRoutes(rooms, { 'ui-message': uiMessageStream }),
    ...conversationRoutes({ erase: deleteSession }),
    ...trialRoutes(rooms),
    ...peopleRoutes,
    ...approvalRoutes(verbs),
    ...knowledgeRoutes(rooms),
    ...embedRoutes,
    ...auditRoutes,
    ...eventRoutes(rooms),
    ...outcomeRoutes,
    ...vocabularyRoutes,
    ...operatorRoutes,
    ...mcpRoutes(rooms),
    ...openAiRoutes(rooms),
    ...pageRoutes(all),
    ...inboxRoutes({ rooms, spend: spends.sessions }),
    ...widgetRoutes(() => rooms.models.of('free').model.kind === 'offline'),
    ...referenceRoutes(all, info),
  ]
}

/** For the reference, where nothing is opened and no route is called. */
export const unopenedCore = (offers: readonly Offers[]): Pick<Core, 'rooms' | 'verbs' | 'spends'> => ({
  rooms: UNOPENED as Rooms,
  verbs: verbsOf(UNOPENED as Rooms, offers),
  spends: UNOPENED as Spends,
})

export type RouteInfo = { readonly version: string; readonly url: string }

type DutyParts = { readonly rooms: Rooms; readonly mails: readonly Duty[]; readonly channels: readonly Channel[] }

const dutiesOf = (house: House, pump: Pump, { rooms, mails, channels }: DutyParts): readonly Duty[] => [
  ...accessDuties(house),
  ...actionDuties(house),
  ...reminderDuties(house),
  ...callDuties(house),
  pump,
  forgetDuty(house),
  ...mails,
  ...signupDuties(house),
  ...peopleDuties(house),
  ...noticeDuties(house, rooms.catalogs, channels),
  ...chatDuties(house),
  ...streamDuties(house),
  ...vocabularyDuties(house),
  ...(rooms.embeddings?.duties ?? []),
]

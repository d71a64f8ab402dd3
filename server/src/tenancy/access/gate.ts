import type { KeyKind } from '@tether/contract'
import { type Carried, type RequestHead, refuse } from '../../kernel/http/index.ts'
import { type Asking, DEFAULT_ROLE, type House, type TenantAsking } from '../context/index.ts'
import { bucketLimitsOf, type Lane, type LimitedCaller, type Limiter, limitHeaders } from '../limits/index.ts'
import { actingBy } from './acting.ts'
import { type ClientAddress, clientAddress, readKnownProxies } from './client-address.ts'
import type { Identify, Identity } from './identify.ts'
import { corsHeaders, refusedOrigin } from './origin.ts'
import { businessOfSession, notAProvider } from './providers.ts'
import { type CredentialRow, findTenant, type TenantColumns } from './queries.ts'
import { refusedReach } from './reach.ts'
import { type Reach, type Route, speaksToPages } from './route.ts'
import { actorOfSession, type LiveSession, sessionOf } from './sessions.ts'
import { tooMany } from './too-many.ts'
import { travellingTokens } from './travelling.ts'

export type Gate = {
  /** Finds out who is asking and turns away whoever may not. Nothing of the body has been read by then. */
  admit(
    route: Pick<Route, 'reach' | 'lane' | 'tokens' | 'forPages' | 'mustBeOn'>,
    head: RequestHead,
    carried: Carried,
  ): Promise<Asking>
  /** Who is asking by the time that the body is there. It was counted when it came. */
  readmit(route: Pick<Route, 'reach' | 'tokens' | 'mustBeOn'>, head: RequestHead): Promise<Asking>
  /** Counts what a body stands for beyond the one request that it came with. Returns the headers that say what is left. */
  countMore(route: Pick<Route, 'lane'>, head: RequestHead, more: number): Promise<Record<string, string>>
}

type GateParts = { house: Pick<House, 'db' | 'settings' | 'keyring' | 'clock'>; identify: Identify; limiter: Limiter }

export function openGate({ house, identify, limiter }: GateParts): Gate {
  const { rateLimit, forwarding, operator } = house.settings
  const { relaySecret } = forwarding
  const knownProxies = readKnownProxies(forwarding.knownProxies)

  async function spend(identity: Identity | null, lane: Lane, head: RequestHead, carried: Carried) {
    const spends = bucketLimitsOf(lane, callerOf(identity, clientOf(head)), rateLimit)
    if (spends.length === 0) return
    const verdict = await limiter.takeAll(spends, rateLimit.queueLimit > 0 ? head.signal : undefined)
    Object.assign(carried.headers, limitHeaders(verdict))
    if (!verdict.admitted) throw tooMany(verdict)
  }

  /** Turns away whoever may not reach the route, and says who the others are. */
  async function asking(
    { reach, tokens, mustBeOn }: Pick<Route, 'reach' | 'tokens' | 'mustBeOn'>,
    head: RequestHead,
    known: Identity,
  ): Promise<Asking> {
    const { address } = clientOf(head)
    if (known.kind === 'nobody') throw known.refusal
    // Without a key of its own the operator's side does not exist: no key opens it, and none is told more than that.
    if (reach.who === 'operator' && operator.apiKey === undefined) {
      throw refuse('invalid_api_key', 'This key is not valid here.')
    }
    mustBeOn?.()
    const kind = known.kind === 'operator' ? 'operator' : known.row.kind
    const sessions = sessionsSent(kind, reach, head)
    const refused = refusedReach(kind, reach, sessions.length > 0)
    if (refused !== null) throw refused
    if (known.kind === 'operator') return { kind: 'operator', requestId: head.requestId, address }
    refuseWithdrawn(known.row)
    const tenant = await inName(house, tenantAsking(known, head, address), sessions)
    return { ...tenant, ...(await travellingTokens(house, head, tokens ?? false, known.row)) }
  }

  const clientOf = ({ socketAddress, headers }: RequestHead): ClientAddress =>
    clientAddress({ socketAddress, headers, knownProxies, relaySecret })
  const knownBy = (head: RequestHead) => identify(head.headers, clientOf(head).bucket)

  return {
    async admit(route, head, carried) {
      const { reach, lane } = route
      const origin = head.headers.origin
      if (origin !== undefined && speaksToPages(route)) Object.assign(carried.headers, corsHeaders(origin))
      if (reach.who === 'anyone') {
        carried.share = `address ${clientOf(head).bucket}`
        await spend(null, lane, head, carried)
        return anyone(head, clientOf(head))
      }
      const known = await knownBy(head)
      noteCaller(known, carried)
      await spend(known, lane, head, carried)
      // Whoever may have waited in line for a minute is looked at again.
      return await asking(route, head, rateLimit.queueLimit > 0 ? await knownBy(head) : known)
    },
    async readmit(route, head) {
      if (route.reach.who === 'anyone') return anyone(head, clientOf(head))
      return await asking(route, head, await knownBy(head))
    },
    async countMore({ lane }, head, more) {
      const known = await knownBy(head)
      const carried: Carried = { headers: {}, logged: {} }
      for (let counted = 0; counted < more; counted++) await spend(known, lane, head, carried)
      return carried.headers
    },
  }
}

const anyone = ({ requestId }: RequestHead, { address }: ClientAddress): Asking => ({
  kind: 'anyone',
  requestId,
  address,
})

function callerOf(identity: Identity | null, { bucket }: ClientAddress): LimitedCaller {
  if (identity === null || identity.kind === 'nobody') return { kind: 'anonymous', addressBucket: bucket }
  const { hash } = identity
  const [tenantId, publishable, counted] =
    identity.kind === 'tenant'
      ? [identity.row.tenantId, identity.row.kind === 'publishable', identity.row.limitedAs ?? hash]
      : [null, false, hash]
  return { kind: 'credential', tenantId, publishable, credentialHash: counted.toString('hex'), addressBucket: bucket }
}

function noteCaller(identity: Identity, carried: Carried): void {
  if (identity.kind === 'tenant') carried.share = `tenant ${identity.row.tenantId}`
  if (identity.kind === 'operator') carried.logged.by = 'operator'
  if (identity.kind === 'tenant')
    Object.assign(carried.logged, { tenantId: identity.row.tenantId, key: identity.row.prefix })
}

/** A provider's own key, and the one that signs in the people of its businesses. */
const isOfProvider = (kind: KeyKind): boolean => kind === 'provider' || kind === 'provider_inbox'

function refuseWithdrawn({ kind, withdrawn, provider }: CredentialRow): void {
  if (isOfProvider(kind) && (withdrawn || !provider)) throw notAProvider()
}

/**
 * Whoever the session belongs to acts, whatever the headers say; with a key of a provider, in the business that the session is
 * of. No session of another workspace is found there, and none of the provider's own.
 */
async function inName(
  house: Pick<House, 'db' | 'settings'>,
  asking: TenantAsking,
  sessions: readonly string[],
): Promise<TenantAsking> {
  if (sessions.length === 0) return asking
  const business = isOfProvider(asking.kind) ? await businessOfSession(house, asking.tenantId, sessions) : null
  const actor = actorOfSession(
    await sessionOf(house, business === null ? asking.tenantId : business?.tenantId, sessions),
  )
  // The key is the provider's, and no row of the business.
  return business == null ? { ...asking, actor } : { ...asking, ...tenantSide(business), keyPrefix: null, actor }
}

/** A session counts on the routes that name it, and with the key of a server that signs people in. */
const sessionsSent = (kind: KeyKind | 'operator', reach: Reach, head: RequestHead): readonly string[] => {
  if (reach.who !== 'tenant' || reach.withSession === undefined) return []
  return kind === 'secret' || reach.withSession.some((one) => one === kind) ? head.valuesOf(SESSION_HEADER) : []
}
const SESSION_HEADER = 'x-service-user-session'

function tenantAsking(
  identity: Extract<Identity, { kind: 'tenant' }>,
  head: RequestHead,
  address: string,
): TenantAsking {
  const { row } = identity
  // A page confirms with a customer's own token; a server that does names no page.
  const fromPage = row.kind === 'action' && row.selfConfirm && head.headers.origin !== undefined
  if (row.kind === 'publishable' || fromPage) {
    const refused = refusedOrigin(head.headers.origin, row.origins)
    if (refused !== null) throw refused
  }
  return {
    ...tenantSide(row),
    kind: row.kind,
    keyPrefix: row.prefix,
    ...actingBy(row, head.headers),
    requestId: head.requestId,
    address,
  }
}

export const tenantSide = (row: TenantColumns) => ({
  tenantId: row.tenantId,
  tenantName: row.tenantName,
  plan: row.plan,
  emailConfirmed: row.emailConfirmed,
  customer: null,
  upstreamToken: null,
  wiring: {
    endpointUrl: row.endpointUrl,
    apiUrl: row.apiUrl,
    catalogVersion: row.catalogVersion,
    knowledgeVersion: row.knowledgeVersion,
    previewVersion: row.previewVersion,
    authorityVersion: row.authorityVersion,
    packVersion: row.packVersion,
    sealedSigningSecret: row.signingSecret,
    sealedPreviousSecret: row.previousSigningSecret,
  },
  terms: { moderation: row.moderation, dailyCapUsd: row.dailyCapUsd, monthlyCapUsd: row.monthlyCapUsd },
})

type Finding = { readonly db: Pick<House['db'], 'one'> }
type Unsent = 'kind' | 'surface' | 'actor' | 'requestId' | 'address'

/** A caller who sent no key of the tenant. Null once the workspace is gone. */
async function askingWithoutKey(
  { db }: Finding,
  tenantId: number,
  asks: Pick<TenantAsking, Unsent>,
): Promise<TenantAsking | null> {
  const row = await db.one(findTenant, { tenantId })
  return row === undefined ? null : { ...tenantSide(row), keyPrefix: null, scopeId: null, ...asks }
}

const NOBODY = { by: 'key', userId: null, role: DEFAULT_ROLE } as const

/** A business in whose name its provider acts. What it does there is checked as if the business did it. */
export const businessAsking = (
  house: Finding,
  tenantId: number,
  { requestId, address }: Pick<TenantAsking, 'requestId' | 'address'>,
): Promise<TenantAsking | null> =>
  askingWithoutKey(house, tenantId, { kind: 'provider', surface: 'unknown', actor: NOBODY, requestId, address })

/** The operator of the deployment, in the name of nobody: by a command, without a key. */
export const deploymentAsking = (house: Finding, tenantId: number, requestId: string): Promise<TenantAsking | null> =>
  askingWithoutKey(house, tenantId, { kind: 'secret', surface: 'unknown', actor: NOBODY, requestId, address: '' })

/** A signed-in person who asks through a page: their session is the only credential. */
export const personAsking = (
  house: Finding,
  session: LiveSession,
  { requestId, address }: Pick<TenantAsking, 'requestId' | 'address'>,
): Promise<TenantAsking | null> => {
  const asks = { kind: 'inbox', surface: 'web', actor: actorOfSession(session) } as const
  return askingWithoutKey(house, session.tenantId, { ...asks, requestId, address })
}

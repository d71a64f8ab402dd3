import type { ActionState, ConfirmStatus } from '@tether/contract'
import { Refusal } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import { onOneLine } from '../../kernel/text/index.ts'
import { deploymentAsking } from '../../tenancy/access/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import type { Signer } from '../../tenancy/tenants/index.ts'
import { type EndpointClaim, listClaims } from '../../tools/calls/index.ts'
import { type ActionRooms, reconcile } from '../../writes/actions/index.ts'
import { compare, type Finding, type There, thereOf } from './compare.ts'
import { findWrites, type KnownWrite, listWorkspaces, type Workspace } from './queries.ts'

export type RecoveryRooms = ActionRooms & { readonly sign: Signer }

export type Recovering = {
  /** By the clock of the business. */
  readonly since: Date
  /** Null for every workspace. */
  readonly tenantIds: readonly number[] | null
  /** Whether a write that is indeterminate here, and decided there, is reconciled. Nothing else is ever changed. */
  readonly settle: boolean
}

export type Found = {
  readonly finding: Finding
  readonly tenantId: number
  readonly tool: string | null
  /** The idempotency key, which the endpoint knows as `request_id`. */
  readonly requestId: string
  /** Null where nothing here knows of it. */
  readonly actionId: string | null
  readonly here: ActionState | null
  readonly there: There
  readonly claimedAt: Date
  /** What the reconcile came to, where there was one. */
  readonly reconciled?: ConfirmStatus
}

/** What came of one workspace. */
export type Recovered = {
  readonly tenantId: number
  /** How many writes of it were compared. */
  readonly compared: number
  readonly found: readonly Found[]
  /** Refused writes that nothing here knows of: nothing was done. */
  readonly lostRefusals: number
  /** Why some or all of it could not be compared. */
  readonly unable: readonly string[]
}

type Given = { readonly tenantId: number; readonly claims: readonly EndpointClaim[]; readonly settle: boolean }

export type Recovery = {
  ask(asked: Recovering): AsyncIterable<Recovered>
  /** Null where there is no such workspace. */
  compare(given: Given): Promise<Recovered | null>
}

export const openRecovery = (house: House, rooms: RecoveryRooms): Recovery => ({
  ask: (asked) => recover(house, rooms, asked),
  compare: (given) => recoverFrom(house, rooms, given),
})

const BATCH = 200
/** Each of them may have an endpoint that does not answer. */
const AT_ONCE = 8
const MOST_PAGES = 2_000
/** Where others wait, so that no endpoint keeps the operator from asking theirs, by being slow or by never coming to an end. */
const MOST_PAGES_AMONG_OTHERS = 400
const LONGEST_AMONG_OTHERS_MS = 5 * 60_000
/** Enough to look into one workspace by itself. */
const MOST_FOUND = 10_000

const OTHERS =
  'Writes of imported APIs and of MCP servers cannot be compared: nothing claims them. Look them up where they were performed, by the time and the Idempotency-Key.'

/** Asks the endpoints of workspaces which writes they have claimed since then, and compares those with what stands here. */
async function* recover(house: House, rooms: RecoveryRooms, asked: Recovering): AsyncGenerator<Recovered> {
  for (let after = 0; ; ) {
    const workspaces = await house.db.rows(listWorkspaces, { after, tenantIds: asked.tenantIds, limit: BATCH })
    yield* asTheyEnd(workspaces, AT_ONCE, (one) => askWorkspace(house, rooms, one, asked))
    after = workspaces.at(-1)?.tenantId ?? after
    if (workspaces.length < BATCH) return
  }
}

/** In the order in which they end, so many at once: a slow one holds up only itself. */
async function* asTheyEnd<One, Result>(
  all: readonly One[],
  atOnce: number,
  work: (one: One) => Promise<Result>,
): AsyncGenerator<Result> {
  const working = new Map<One, Promise<{ readonly one: One; readonly result: Result }>>()
  const next = async () => {
    const { one, result } = await Promise.race(working.values())
    working.delete(one)
    return result
  }
  for (const one of all) {
    if (working.size >= atOnce) yield await next()
    const ending = work(one).then((result) => ({ one, result }))
    // Whoever asks for the next one is told. Nobody may be asking at this moment.
    ending.catch(() => undefined)
    working.set(one, ending)
  }
  while (working.size > 0) yield await next()
}

/** Compares claims that the business has written into a file, all of them of one workspace. */
async function recoverFrom(
  house: House,
  rooms: RecoveryRooms,
  { tenantId, claims, settle }: Given,
): Promise<Recovered | null> {
  const ctx = await contextOf(house, tenantId)
  if (ctx === null) return null
  const sum = nothingYet(tenantId)
  for (let first = 0; first < claims.length; first += BATCH)
    add(sum, await comparePage(ctx, rooms, claims.slice(first, first + BATCH), { settle: () => settle, areOurs: true }))
  return sum
}

type Sum = { -readonly [Member in keyof Recovered]: Recovered[Member] } & { found: Found[]; unable: string[] }
const nothingYet = (tenantId: number): Sum => ({ tenantId, compared: 0, found: [], lostRefusals: 0, unable: [] })

function add(sum: Sum, { compared, found, lostRefusals }: Omit<Recovered, 'tenantId' | 'unable'>): void {
  sum.compared += compared
  sum.lostRefusals += lostRefusals
  sum.found.push(...found)
}

async function contextOf(house: House, tenantId: number): Promise<Context | null> {
  const asking = await deploymentAsking(house, tenantId, newId('req'))
  return asking === null ? null : { ...house, asking }
}

async function askWorkspace(
  house: House,
  rooms: RecoveryRooms,
  { tenantId, hasEndpoint, callsOthers }: Workspace,
  { since, tenantIds, settle }: Recovering,
): Promise<Recovered> {
  const sum = nothingYet(tenantId)
  if (callsOthers) sum.unable.push(OTHERS)
  // One that was deleted meanwhile has no writes.
  const ctx = hasEndpoint ? await contextOf(house, tenantId) : null
  if (ctx === null) return sum
  const bounds = boundsOf(tenantIds)
  const isLate = () => performance.now() > bounds.until
  const listed = new Set<string>()
  for (let after: string | null = '', pages = 0; after !== null; pages++) {
    const page = await pageOf(ctx, rooms, { since, after })
    const unable =
      'unable' in page
        ? onOneLine(page.unable)
        : refusedPage(page.claims, { sum, listed, isLast: pages >= bounds.pages })
    if (unable !== null || !('claims' in page)) return { ...sum, unable: [...sum.unable, unable ?? ''] }
    add(sum, await comparePage(ctx, rooms, page.claims, { settle: () => settle && !isLate(), areOurs: false }))
    if (isLate()) return { ...sum, unable: [...sum.unable, TOO_SLOW] }
    after = page.next
  }
  return sum
}

type Bounds = { readonly pages: number; readonly until: number }

/** One that is asked alone, or with few others whom the operator chose, may take its time. */
const boundsOf = (tenantIds: Recovering['tenantIds']): Bounds =>
  tenantIds === null
    ? { pages: MOST_PAGES_AMONG_OTHERS, until: performance.now() + LONGEST_AMONG_OTHERS_MS }
    : { pages: MOST_PAGES, until: Number.POSITIVE_INFINITY }

const TOO_SLOW = 'The endpoint takes too long. Ask it alone, with --tenant.'

type Reading = { readonly sum: Sum; readonly listed: Set<string>; readonly isLast: boolean }

/** Why no more is read of an endpoint, which may list whatever it likes. Null where it may go on. */
function refusedPage(claims: readonly EndpointClaim[], { sum, listed, isLast }: Reading): string | null {
  const before = listed.size
  for (const { requestId } of claims) listed.add(requestId)
  if (listed.size < before + claims.length) return 'The endpoint lists one claim twice.'
  if (isLast) return 'The endpoint lists too many claims. Ask with a later --since, or ask it alone, with --tenant.'
  if (sum.found.length >= MOST_FOUND)
    return `More than ${MOST_FOUND} writes were found, and the rest were not compared. Ask with a later --since.`
  return null
}

/** One workspace whose secret does not open keeps nobody from asking the others. */
async function pageOf(ctx: Context, { sign }: RecoveryRooms, asked: { since: Date; after: string }) {
  try {
    return await listClaims(ctx, sign, asked)
  } catch (error) {
    if (error instanceof Refusal) return { unable: error.message }
    throw error
  }
}

/** The row is there before a write is sent, so whoever listed a claim before we look finds it, unless it was lost. */
async function comparePage(
  ctx: Context,
  rooms: RecoveryRooms,
  claims: readonly EndpointClaim[],
  { settle, areOurs }: { readonly settle: () => boolean; readonly areOurs: boolean },
): Promise<Omit<Recovered, 'tenantId' | 'unable'>> {
  const { tenantId } = ctx.asking
  const requestIds = claims.map(({ requestId }) => requestId)
  const rows = await ctx.db.rows(findWrites, { tenantId, requestIds })
  const known = new Map(rows.map((row) => [row.requestId, row]))
  const found: Found[] = []
  let lostRefusals = 0
  for (const claim of claims) {
    const write = known.get(claim.requestId)
    const { finding, ...rest } = compare(claim, write, areOurs || claim.tool !== null)
    if ('lost' in rest) lostRefusals++
    if (finding !== null) found.push(await settled(ctx, rooms, settle(), foundOf(tenantId, finding, claim, write)))
  }
  return { compared: claims.length, found, lostRefusals }
}

function foundOf(tenantId: number, finding: Finding, claim: EndpointClaim, write: KnownWrite | undefined): Found {
  const { requestId, claimedAt } = claim
  const [actionId, here] = [write?.actionId ?? null, write?.state ?? null]
  return {
    finding,
    tenantId,
    tool: write?.tool ?? claim.tool,
    requestId,
    actionId,
    here,
    there: thereOf(claim),
    claimedAt,
  }
}

/** Only where nobody here knows the end, and the endpoint has one: it answers a resend with what it answered first. */
async function settled(ctx: Context, rooms: RecoveryRooms, settle: boolean, found: Found): Promise<Found> {
  const { actionId, here, there } = found
  if (!settle || actionId === null || here !== 'indeterminate' || there === 'open') return found
  const { conclusion } = await reconcile(ctx, rooms, {
    actionId,
    source: 'npm run recover',
    sendToNewEndpoint: false,
    said: null,
    byDeployment: true,
  })
  return { ...found, reconciled: conclusion.status }
}

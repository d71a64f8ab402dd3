// Whether a service that has run for years is as quick as one that began yesterday: 10,000,000 rows of the trail, and a fiftieth as
// many of each other table that grows, against 1,000. And whether a workspace is deleted as quickly beside them. The two houses are in one
// process and take turns, so that what differs is how much is stored. It fills for minutes and runs alone: `npm run bench years`.
// BENCH_YEARS_ROWS makes it smaller.
import { createHash } from 'node:crypto'
import { startPostgres } from '../scripts/private-postgres.ts'
import { MODULES } from '../server/src/modules.ts'
import { cookieOf } from '../server/src/pages/inbox/visit.ts'
import { type OpenHouse, openHouse } from '../server/testkit/house.ts'
import { placeSession } from '../server/testkit/sessions.ts'
import { shopCatalog } from './calls/catalog.ts'
import { startEndpoint } from './calls/shops.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { roundsToTake, sized } from './parts/scale.ts'
import { fillYears, LEAST, placeToDelete } from './years/fill.ts'

const FEW = 1_000
const MANY = Number(process.env.BENCH_YEARS_ROWS ?? sized(10_000_000))
const SHOPS = 10
const EACH = 10
const ROUNDS = { rounds: 11, warmUpRounds: 4 }
const DELETIONS = roundsToTake({ rounds: 11, warmUpRounds: 2 })

type Shop = { readonly tenantId: number; readonly key: string; readonly cookie: string }
type Side = { readonly house: OpenHouse; readonly shops: readonly Shop[]; readonly fillSeconds: number }

async function openSide(rows: number, endpoint: { readonly port: number }): Promise<Side> {
  const house = await openHouse({ modules: MODULES, log: 'error' })
  const shops: Shop[] = []
  for (let n = 0; n < SHOPS; n++) shops.push(await openShop(house, endpoint))
  const tenants = shops.map(({ tenantId }) => tenantId)
  return { house, shops, fillSeconds: await fillYears(house.database.database, { rows, tenants }) }
}

async function openShop(house: OpenHouse, endpoint: { readonly port: number }): Promise<Shop> {
  const { tenantId, apiKey: key } = await house.tenant()
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: `http://127.0.0.1:${endpoint.port}/tools` } })
  await house.ask('PUT', '/v1/tools', { key, body: shopCatalog })
  await house.ask('PUT', '/v1/users', { key, body: [{ displayName: 'Ana', email: 'ana@shop.example' }] })
  const { users } = (await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key })).body
  const token = await placeSession(house.database.database, tenantId, users[0]?.id ?? 0)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const cookie = cookieOf(house.app.house, { tenantId, token, language: 'en' }, expiresAt).split(';')[0] ?? ''
  return { tenantId, key, cookie }
}

type Act = (side: Side, shop: Shop, turn: number) => Promise<number>

/** How long one request took, in milliseconds. */
async function ask(
  { house }: Side,
  method: 'GET' | 'POST',
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: object },
): Promise<{ ms: number; payload: string }> {
  const started = performance.now()
  const answer = await house.app.server.inject({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  })
  const ms = performance.now() - started
  if (answer.statusCode !== 200) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.payload}`)
  return { ms, payload: answer.payload }
}

const get =
  (path: (side: Side, shop: Shop, turn: number) => string): Act =>
  async (side, shop, turn) =>
    (await ask(side, 'GET', path(side, shop, turn), { headers: { 'x-api-key': shop.key } })).ms

const page =
  (path: string): Act =>
  async (side, { cookie }) =>
    (await ask(side, 'GET', path, { headers: { cookie } })).ms

async function staged(side: Side, { key }: Shop) {
  const body = { tool: 'refund_order', arguments: { number: 'A-1001', reason: 'It came broken' } }
  const { ms, payload } = await ask(side, 'POST', '/v1/actions', { headers: { 'x-api-key': key }, body })
  return { ms, ...(JSON.parse(payload) as { actionId: string; confirmationToken: string }) }
}

/** What is staged here is rejected, so that as much waits on either side as before. */
const stage: Act = async (side, shop) => {
  const { ms, actionId } = await staged(side, shop)
  await ask(side, 'POST', `/v1/actions/${actionId}/reject`, { headers: { 'x-api-key': shop.key }, body: {} })
  return ms
}
const confirm: Act = async (side, shop) => {
  const { actionId, confirmationToken } = await staged(side, shop)
  const headers = { 'x-api-key': confirmationToken }
  return (await ask(side, 'POST', `/v1/actions/${actionId}/confirm`, { headers, body: {} })).ms
}

const DAY = 86_400_000
const years = (back: number) => new Date(Date.now() - back * 365 * DAY).toISOString()

const ACTS: Readonly<Record<string, Act>> = {
  stage,
  confirm,
  'audit page, oldest': get(() => '/v1/audit?limit=50'),
  'audit page, of a period': get(() => `/v1/audit?limit=10&from=${years(1.5)}&to=${years(1)}`),
  'audit page, of one write': get((_side, { tenantId }, turn) => `/v1/audit?actionId=${actionOf(tenantId, turn)}`),
  'inbox, the page': page('/inbox'),
  'inbox, over the API': get(() => '/v1/actions?limit=20'),
}

/** One of those that were placed. */
const actionOf = (tenantId: number, turn: number): string => {
  const text = createHash('md5')
    .update(`action ${tenantId} ${(turn % LEAST) + 1}`)
    .digest('hex')
  return text.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}

async function compare(name: string, few: Side, many: Side): Promise<Result> {
  const act = ACTS[name] ?? stage
  let turn = 0
  const slice = (side: Side) => async () => {
    const took: number[] = []
    for (let n = 0; n < EACH; n++) {
      const shop = side.shops[n % SHOPS]
      if (shop !== undefined) took.push(await act(side, shop, ++turn))
    }
    return 1000 / median(took)
  }
  const perSecond = await takeTurns({ few: slice(few), many: slice(many) }, ROUNDS)
  const p50 = (rates: readonly number[]) => rounded(1000 / median(rates))
  const figures = { fewP50Ms: p50(perSecond.few), manyP50Ms: p50(perSecond.many) }
  return judged(`p50 of ${name}`, ratioOf(perSecond.few, perSecond.many), { atMost: 1.3 }, figures)
}

async function deletions(few: Side, many: Side): Promise<Result> {
  const count = DELETIONS.rounds + DELETIONS.warmUpRounds
  const deleting = async (side: Side) => {
    const shops: Shop[] = []
    for (let n = 0; n < count; n++) {
      const { tenantId, apiKey: key } = await side.house.tenant()
      shops.push({ tenantId, key, cookie: '' })
    }
    await placeToDelete(
      side.house.database.database,
      shops.map(({ tenantId }) => tenantId),
    )
    return async () => {
      const { key } = shops.pop() ?? { key: '' }
      const { name } = (await side.house.ask<{ name: string }>('GET', '/v1/account', { key })).body
      const started = performance.now()
      const { status } = await side.house.ask('DELETE', '/v1/account', { key, body: { confirm: name } })
      if (status !== 200) throw new Error(`The deletion answered ${status}.`)
      return 1000 / (performance.now() - started)
    }
  }
  const perSecond = await takeTurns({ few: await deleting(few), many: await deleting(many) }, DELETIONS)
  const ms = (rates: readonly number[]) => rounded(1000 / median(rates))
  const figures = { fewMs: ms(perSecond.few), manyMs: ms(perSecond.many) }
  return judged('deletion of a workspace', ratioOf(perSecond.few, perSecond.many), { atMost: 1.3 }, figures)
}

async function run(): Promise<readonly Result[]> {
  const endpoint = await startEndpoint()
  const sides: Side[] = []
  try {
    const few = await openSide(FEW, endpoint)
    sides.push(few)
    const many = await openSide(MANY, endpoint)
    sides.push(many)
    const results: Result[] = []
    for (const name of Object.keys(ACTS)) {
      results.push(await compare(name, few, many))
      // What is measured by then is not lost with what comes after it.
      console.error(JSON.stringify(results.at(-1)))
    }
    results.push(await deletions(few, many))
    const [first, ...others] = results
    return first === undefined
      ? []
      : [{ ...first, figures: { ...first.figures, rows: MANY, fillSeconds: many.fillSeconds } }, ...others]
  } finally {
    for (const { house } of sides) await house.close()
    await endpoint.child.stop()
  }
}

// A server of its own: what is filled here takes gigabytes, which go with its folder.
const own = await startPostgres()
if (own !== undefined) process.env.TEST_DATABASE_URL = own.url
const reap = () => void own?.stop()
process.once('exit', reap)
try {
  say({
    bench: 'years',
    promise:
      'Beside 10,000,000 rows, p50 of stage, confirm, audit page and inbox is at most 1.3 times that beside 1,000',
    results: own === undefined ? [] : await run(),
    ...(own === undefined ? { skipped: 'no PostgreSQL: install one (Debian: postgresql)' } : {}),
  })
} finally {
  process.off('exit', reap)
  await own?.stop()
}

// One process over two databases: whatever a request names its tenant by leads to the database that the tenant is in.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { KEY_PREFIXES, type KeyKind } from '@tether/contract'
import { type NewTenant, openHouse } from '../testkit/house.ts'
import { insertAnyKey } from '../testkit/keys.ts'
import {
  linkIn,
  type MailedHouse,
  newAddress,
  newClient,
  openMailedHouse,
  tokenIn,
  workOf,
} from '../testkit/mailed-house.ts'
import { PageBrowser } from '../testkit/page-browser.ts'
import { listenTo } from '../testkit/statements.ts'
import type { App } from './app.ts'
import { sha256 } from './foundation/crypto/index.ts'
import { type Database, DatabaseUnavailable, unlisted } from './foundation/db/index.ts'
import { mintKey, type Route, whoseOf } from './ground/access/index.ts'
import { openSeveral } from './several.ts'

let house: MailedHouse
/** Another process over the same two, which makes its tenants in the first. */
let beside: Awaited<ReturnType<typeof openHouse>>
let inFirst: NewTenant
let inSecond: NewTenant
const databaseOf = (tenant: NewTenant): Database =>
  (tenant === inFirst ? house.first?.database : undefined) ?? house.database.database

before(async () => {
  house = await openMailedHouse({}, { newTenants: 'second' })
  beside = await openHouse({ beside: house, newTenants: 'first' })
  inFirst = await beside.tenant('First Shop')
  inSecond = await house.tenant('Second Shop')
})
after(async () => {
  await beside.close()
  await house.close()
})

const both = () => [inFirst, inSecond] as const
const countTenant = unlisted<{ count: number }, { tenantId: number }>(
  'test.count_tenant',
  'select count(*)::int as count from tenants where tenant_id = $tenantId::int',
)
const holds = async (db: Database | undefined, tenantId: number) => (await db?.one(countTenant, { tenantId }))?.count

test('each tenant is in the database for new ones, and no two have the same id', async () => {
  const made: NewTenant[] = []
  for (let round = 0; round < 2; round++) made.push(await beside.tenant('One'), await house.tenant('Two'))
  assert.equal(new Set([...made, ...both()].map(({ tenantId }) => tenantId)).size, 6)
  for (const { tenantId, name } of made) {
    const seen = [await holds(house.first?.database, tenantId), await holds(house.database.database, tenantId)]
    assert.deepEqual(seen, name === 'One' ? [1, 0] : [0, 1])
  }
})

/** What is the same in every database. */
const NOBODYS =
  /^GET \/(|health|openapi|swagger(\/style\.css)?|docs(\.md|\/.+)?|llms(-full)?\.txt|account\/.+|(inbox|console)\/(inbox|console)\.(css|js)|widget\/.+)$/
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const kindOf = (route: Route) => {
  const whose = whoseOf(route)
  return typeof whose === 'string' ? whose : Object.keys(whose)[0]
}

test('every route says whose its requests are, and none that asks a database says that it is nobody’s', () => {
  const of = (kind: string) => house.app.routes.filter((route) => kindOf(route) === kind).map(nameOf)
  assert.deepEqual(
    of('nobody').filter((name) => !NOBODYS.test(name)),
    [],
  )
  assert.deepEqual(
    of('key').filter((name) => !/ \/(v1|mcp)/.test(name)),
    [],
  )
  assert.deepEqual(of('everybody'), ['POST /v1/signup/recover', 'POST /inbox/sign-in', 'POST /console/sign-in'])
  assert.deepEqual(of('sum'), ['GET /ready', 'GET /v1/tenants', 'GET /v1/operator/metrics'])
  const undeclared = { method: 'GET', path: '/new', reach: { who: 'anyone' } } as const
  assert.throws(() => whoseOf(undeclared), /does not declare whose it is/)
})

test('a key of every kind is found where its tenant is, whether it says its tenant or not', async () => {
  for (const tenant of both()) {
    const { tenantId } = tenant
    for (const kind of Object.keys(KEY_PREFIXES) as KeyKind[]) {
      const carrying = mintKey(house.app.house.keyring, kind, tenantId).key
      const ofBefore = carrying.slice(0, 4) + randomBytes(24).toString('hex')
      for (const key of [carrying, ofBefore]) {
        const values = { tenantId, hash: sha256(key), prefix: key.slice(0, 12), kind }
        await databaseOf(tenant).run(insertAnyKey, values)
        // Only whoever is known is told anything else than that.
        const { error } = await house.ask('GET', '/v1/nothing', {
          key,
          headers: { origin: house.settings.http.publicUrl },
        })
        assert.notEqual(error?.code, 'invalid_api_key', `${tenant.name}: ${kind}`)
        assert.ok(
          ['not_found', 'origin_not_allowed', 'not_a_provider', 'sandbox_expired'].includes(error?.code ?? ''),
          error?.code,
        )
      }
    }
    for (const at of [house, beside]) {
      assert.equal((await at.ask('GET', '/v1/account', { key: tenant.apiKey })).body.tenantId, tenantId)
    }
  }
  const key = `tth_${randomBytes(24).toString('hex')}`
  assert.equal((await house.ask('GET', '/v1/account', { key })).error?.code, 'invalid_api_key')
})

test('an address that has a workspace in one database gets none in the other, and none moves to it', async () => {
  const email = newAddress()
  const { apiKey } = await house.signUp({ email })
  const again = await beside.ask('POST', '/v1/signup', { body: { email, name: 'Twice' }, from: newClient() })
  assert.deepEqual([again.status, again.error?.code], [409, 'email_already_used'])
  const other = await beside.ask<NewTenant>('POST', '/v1/signup', {
    body: { email: newAddress(), name: 'Other' },
    from: newClient(),
  })
  const move = (key: string, to: string) =>
    house.ask('POST', '/v1/account/confirmation', { key, body: { email: to }, from: newClient() })
  assert.equal((await move(other.body.apiKey, email)).error?.code, 'email_already_used')
  assert.equal((await move(apiKey, newAddress())).status, 202)
})

test('the limits of sign-up count what either database has made', async () => {
  const from = newClient()
  const statuses: number[] = []
  for (const at of [house, beside, house, beside, house]) {
    statuses.push((await at.ask('POST', '/v1/signup', { body: { email: newAddress(), name: 'Many' }, from })).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})

test('the links that an address may ask for in a day are counted over both, asked for with a key or without', async () => {
  const from = newClient()
  const signUp = async (at: Pick<typeof house, 'ask'>) => {
    const body = { email: newAddress(), name: 'Links' }
    return (await at.ask<NewTenant>('POST', '/v1/signup', { body, from: newClient() })).body.apiKey
  }
  const keys = [await signUp(beside), await signUp(house)]
  const recover = () => house.ask('POST', '/v1/signup/recover', { body: { email: newAddress() }, from })
  const confirm = (key: string) => house.ask('POST', '/v1/account/confirmation', { key, from, body: {} })
  for (let asked = keys.length; asked < house.settings.signup.maxLinksPerIpPerDay; asked++) {
    assert.equal((await recover()).status, 202)
  }
  for (const key of keys) assert.equal((await confirm(key)).status, 202)
  for (const key of keys) assert.equal((await confirm(key)).error?.code, 'rate_limited')
  assert.equal((await recover()).error?.code, 'rate_limited')
})

test('of one address, two that sign up at the same moment in two databases make one workspace', async () => {
  const email = newAddress()
  const asked = [house, beside, house, beside].map((at) =>
    at.ask('POST', '/v1/signup', { body: { email, name: 'Race' }, from: newClient() }),
  )
  assert.deepEqual((await Promise.all(asked)).map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('mailed links work through any process: confirmation, recovery, console', async () => {
  for (const [at, other] of [
    [house, beside],
    [beside, house],
  ] as const) {
    const email = newAddress()
    const made = await at.ask('POST', '/v1/signup', { body: { email, name: 'Linked' }, from: newClient() })
    assert.equal(made.status, 200, made.text)
    const newest = async () => (await house.mailsTo(email)).at(-1)
    const confirmed = await other.ask('POST', '/v1/signup/confirm', { body: { token: tokenIn(await newest()) } })
    assert.equal(confirmed.body.tenantId, made.body.tenantId, confirmed.text)
    assert.equal((await other.ask('POST', '/v1/signup/recover', { body: { email }, from: newClient() })).status, 202)
    const redeemed = await other.ask('POST', '/v1/signup/recover/redeem', { body: { token: tokenIn(await newest()) } })
    assert.equal(redeemed.body.tenantId, made.body.tenantId, redeemed.text)
    const browser = new PageBrowser(other)
    await browser.get('/console')
    await browser.post('/console/sign-in', { email })
    await browser.get('/console')
    const link = linkIn(await newest())
    assert.match((await browser.post('/console/open', { link })).text, /Linked/)
    assert.match((await browser.get('/console')).text, /Linked/)
  }
})

test('a person signs in to the inbox, and a key opens the console, of a workspace in either', async () => {
  for (const tenant of both()) {
    const email = newAddress()
    const person = { displayName: 'Ana', email, role: 'manager' }
    assert.equal((await house.ask('PUT', '/v1/users', { key: tenant.apiKey, body: [person] })).status, 200)
    const inbox = new PageBrowser(beside)
    await inbox.get('/inbox')
    await inbox.post('/inbox/sign-in', { email })
    const link = linkIn((await house.mailsTo(email)).at(-1))
    await inbox.get('/inbox')
    assert.ok((await inbox.post('/inbox/open', { link })).text.includes(tenant.name))
    assert.ok((await inbox.get('/inbox/history')).text.includes(tenant.name))
    const owner = new PageBrowser(beside)
    await owner.get('/console')
    assert.ok((await owner.post('/console/enter', { key: tenant.apiKey })).text.includes(tenant.name))
    assert.ok((await owner.get('/console/audit')).text.includes(tenant.name))
  }
})

type Page = { tenants: { tenantId: number; database?: string }[]; nextAfter: number | null }

test('the operator reads, changes and lists tenants of both, and revokes a key of either by its prefix', async () => {
  const key = house.operatorKey
  for (const { tenantId, name } of [await beside.tenant('Read Here'), await house.tenant('Read There')]) {
    assert.equal((await house.ask('GET', `/v1/tenants/${tenantId}`, { key })).body.name, name)
    const patched = await beside.ask('PATCH', `/v1/tenants/${tenantId}`, { key, body: { moderation: 'on' } })
    assert.equal(patched.body.moderation, 'on')
    const issued = await beside.ask('POST', '/v1/keys', { key, body: { tenantId, kind: 'agent' } })
    assert.equal((await house.ask('DELETE', `/v1/keys/${issued.body.prefix}`, { key })).status, 200, issued.text)
    assert.equal((await house.ask('DELETE', `/v1/keys/${issued.body.prefix}`, { key })).error?.code, 'unknown_key')
  }
  assert.equal((await house.ask('GET', '/v1/tenants/999999', { key })).error?.code, 'tenant_not_found')
  const ids: number[] = []
  const databases = new Map<number, string | undefined>()
  for (let after: number | null = 0; after !== null; ) {
    const { body }: { body: Page } = await house.ask<Page>('GET', `/v1/tenants?limit=3&after=${after}`, { key })
    ids.push(...body.tenants.map(({ tenantId }) => tenantId))
    for (const tenant of body.tenants) databases.set(tenant.tenantId, tenant.database)
    after = body.nextAfter
  }
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  )
  for (const { tenantId } of both()) assert.equal(ids.filter((id) => id === tenantId).length, 1)
  const where = both().map(({ tenantId }) => databases.get(tenantId))
  assert.deepEqual(where, ['first', 'second'], 'whoever moves one reads where it is')
  const last = await beside.tenant('Short')
  const gone = await house.ask('DELETE', `/v1/tenants/${last.tenantId}`, { key, body: { confirm: 'Short' } })
  assert.equal(gone.status, 200, gone.text)
  assert.equal((await beside.ask('GET', '/v1/account', { key: last.apiKey })).status, 401)
})

test('a business is not given to a provider of another database, and the answer says why', async () => {
  const [key, provider, business] = [house.operatorKey, await beside.tenant('Agency'), await house.tenant('Its Shop')]
  const giveTo = (providerId: number) =>
    house.ask('PATCH', `/v1/tenants/${business.tenantId}`, { key, body: { providerId } })
  assert.match((await giveTo(provider.tenantId)).error?.message ?? '', /Grant it first/)
  await house.ask('POST', `/v1/tenants/${provider.tenantId}/provider`, { key, body: {} })
  const { error } = await giveTo(provider.tenantId)
  assert.deepEqual([error?.code, /in another database/.test(error?.message ?? '')], ['invalid_request', true])
})

/** A database that answers nobody. */
function away(): Database {
  const fail = async (): Promise<never> => {
    throw new DatabaseUnavailable('nobody answers')
  }
  const listen = () => ({ close: async () => {} })
  return { ...house.database.database, rows: fail, one: fail, inLine: fail, run: fail, transaction: fail, listen }
}

/** One that takes every question and never answers, as behind a cut cable. */
function silent(): Database {
  const wait = () => new Promise<never>(() => undefined)
  const listen = () => ({ close: async () => {} })
  return { ...house.database.database, rows: wait, one: wait, inLine: wait, run: wait, transaction: wait, listen }
}

function openWithout(lost: 'first' | 'second', logged: string[], instead = away()): App {
  const { settings, clock, keyring, log } = house.app.house
  const logging = (common: object): typeof log => {
    const write = (fields: object, message: string) =>
      void logged.push(`${JSON.stringify({ ...common, ...fields })} ${message}`)
    const child = (more: object) => logging({ ...common, ...more })
    return { ...log, error: write, warn: write, info: write, child }
  }
  const own = logging({})
  const common = { settings, clock, keyring, log: own, opened: Promise.resolve() }
  const dbOf = (name: 'first' | 'second', db: Database | undefined) => (name === lost ? instead : (db ?? away()))
  return openSeveral(
    [
      { ...common, name: 'first', db: dbOf('first', house.first?.database) },
      { ...common, name: 'second', db: dbOf('second', house.database.database) },
    ],
    'first',
  )
}

test('a database that is away fails only its own tenants, and is named to the operator', async () => {
  for (const lost of ['first', 'second'] as const) {
    const logged: string[] = []
    const app = openWithout(lost, logged)
    const ask = async (url: string, key?: string) => {
      const headers = key === undefined ? {} : { 'x-api-key': key }
      const { statusCode, payload, headers: told } = await app.server.inject({ method: 'GET', url, headers })
      return { status: statusCode, text: payload, retryAfter: told['retry-after'] }
    }
    const [there, not] = lost === 'first' ? [inSecond, inFirst] : [inFirst, inSecond]
    assert.equal((await ask('/v1/account', there.apiKey)).status, 200)
    assert.equal((await ask('/v1/account', there.apiKey)).status, 200)
    const refused = await ask('/v1/account', not.apiKey)
    assert.deepEqual([refused.status, refused.retryAfter], [503, '2'])
    assert.match(refused.text, /"database_unavailable"/)
    assert.equal((await ask('/v1/account')).status, 401)
    assert.equal((await ask('/openapi')).status, 200)
    const ready = await ask('/ready')
    const checks = { database: true, schema: true, keys: true, accepting: true }
    assert.deepEqual(
      [ready.status, JSON.parse(ready.text)],
      [200, { status: 'ready', checks }],
      'and no name of a database, because anybody may ask',
    )
    assert.equal((await ask('/v1/tenants', house.operatorKey)).status, 503, 'half a list would look whole')
    const figures = (await ask('/v1/operator/metrics', house.operatorKey)).text
    for (const name of ['first', 'second'])
      assert.match(figures, new RegExp(`^tether_database_up\\{shard="${name}"\\} ${name === lost ? 0 : 1}$`, 'm'))
    assert.equal(figures.match(/^# TYPE tether_database_up gauge$/gm)?.length, 1)
    assert.equal(figures.match(/^process_cpu_seconds_total /gm)?.length, 1)
    assert.ok(logged.some((line) => line.includes(`The database "${lost}" does not answer`)))
    const requests = logged.filter((line) => line.endsWith(' request') && line.includes('/v1/account'))
    const named = requests.map((line) => (JSON.parse(line.slice(0, -' request'.length)) as { shard?: string }).shard)
    const found = lost === 'first' ? 'second' : 'first'
    assert.deepEqual(named, [found, found, undefined, undefined], 'the line says where its tenant is, or nothing')
    await app.close()
  }
})

test('a database that owes its answers keeps neither a balancer nor Prometheus waiting', {
  timeout: 60_000,
}, async () => {
  for (const lost of ['first', 'second'] as const) {
    const app = openWithout(lost, [], silent())
    const there = lost === 'first' ? inSecond : inFirst
    const ask = async (url: string, key?: string) => {
      const headers = key === undefined ? {} : { 'x-api-key': key }
      return await app.server.inject({ method: 'GET', url, headers })
    }
    let ready = await ask('/ready')
    // The one that is there may be slow at first, on a busy machine.
    for (let times = 0; times < 20 && ready.statusCode !== 200; times++) ready = await ask('/ready')
    assert.equal(ready.statusCode, 200)
    assert.equal((await ask('/v1/account', there.apiKey)).statusCode, 200)
    const figures = (await ask('/v1/operator/metrics', house.operatorKey)).payload
    assert.match(figures, new RegExp(`^tether_database_up\\{shard="${lost}"\\} 0$`, 'm'))
    assert.match(figures, new RegExp(`^tether_events_overdue_seconds\\{shard="${lost}"\\} Nan$`, 'm'))
    // Closing it would wait for what never comes.
    app.letGo()
  }
})

test('the regular work of both is done by one process', async () => {
  const names = house.app.duties.map(({ name }) => name)
  assert.equal(names.length, 2 * new Set(names).size)
  await workOf(beside)
})

test('a stranger who writes one number of a tenant after another has little looked for in the databases', async (t) => {
  const counting = await openHouse({ newTenants: 'second', settings: { 'RateLimit:AnonymousPerMinute': '2' } })
  t.after(() => counting.close())
  const { tenantId } = await counting.tenant()
  const asked: string[] = []
  listenTo(counting, (name) => asked.push(name))
  const look = async (id: number, from: string) => {
    const path = `/v1/notifications/slack/interactions/${id}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await counting.ask('POST', path, { raw: 'payload=x', headers, from })).status
  }
  const statuses: number[] = []
  for (let at = 1; at <= 60; at++) statuses.push(await look(tenantId + at, '198.51.100.7'))
  assert.deepEqual([statuses.slice(0, 2), new Set(statuses.slice(2))], [[401, 401], new Set([429])])
  assert.equal(asked.filter((name) => name === 'shards.lives_here').length, 20)
  assert.equal(await look(tenantId, '203.0.113.9'), 401, 'nobody else waits for them')
})

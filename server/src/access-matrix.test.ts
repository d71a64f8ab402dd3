// Every declared route × every kind of key, and every tenant-owned route × a foreign tenant. The expectation is written
// here from the specification, not read from the declarations, so that a wrong declaration fails.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { KEY_PREFIXES, type KeyKind } from '@tether/contract'
import { type NewTenant, type OpenHouse, openHouse } from '../testkit/house.ts'
import { playedModel } from '../testkit/played-model.ts'
import { openProvider, type Provider } from '../testkit/providers.ts'
import { unlisted } from './kernel/db/index.ts'
import { sandboxKey } from './modules/previews/fixtures/sandbox-key.ts'
import { MODULES } from './modules.ts'
import type { Route } from './tenancy/access/index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES, model: playedModel(['Hello.']) })
})
after(() => house.close())

const KINDS = Object.keys(KEY_PREFIXES) as KeyKind[]

/** A pipeline drafts and compares. It changes nothing that is live. */
const CI = [
  /^GET \/v1\/account\/keys\/self$/,
  /^GET \/v1\/domain-pack$/,
  /^POST \/v1\/domain-pack\/suggestions$/,
  /^(GET|POST) \/v1\/knowledge$/,
  /^POST \/v1\/tools\/import$/,
]

/** What a kind reaches beside the routes that need no key. The secret key reaches all of its tenant. */
const REACHES: Readonly<Record<KeyKind | 'operator', readonly RegExp[]>> = {
  secret: [
    /^[A-Z]+ \/v1\/(account|tools|endpoint|actions|conversations|users|policy|audit|embed|events|notifications|listening|calls|origins|agent|insights|customers|outcomes|domain-pack|knowledge|upstreams|openai)(\/|$)/,
    /^(POST|GET|DELETE) \/v1\/preview$/,
    /^POST \/v1\/user-sessions(\/sign-in)?$/,
    /^(?!GET \/v1\/chat\/brand$)[A-Z]+ \/v1\/chat(\/|$)/,
    /^POST \/mcp$/,
  ],
  agent: [/^POST \/v1\/chat(\/stream)?$/, /^POST \/mcp$/],
  publishable: [/^POST \/v1\/chat(\/stream|\/feedback)?$/, /^GET \/v1\/chat\/brand$/],
  action: [/^POST \/v1\/actions\/:actionId\/confirm$/],
  provider: [/^POST \/v1\/user-sessions(\/sign-in)?$/, /^[A-Z]+ \/v1\/provider\//],
  provider_inbox: [/^POST \/v1\/user-sessions(\/sign-in)?$/],
  inbox: [/^POST \/v1\/user-sessions(\/sign-in)?$/],
  sandbox: [/^POST \/v1\/chat(\/stream)?$/, /^GET \/v1\/preview\/sandbox$/, /^POST \/v1\/preview\/sandbox\/claim$/],
  ci: CI,
  ci_replace: CI,
  operator: [/^[A-Z]+ \/v1\/(tenants|keys|operator)(\/|$)/],
}
const OPEN =
  /^(GET \/(|health|ready|openapi|swagger|swagger\/style\.css|docs(\.md|\/(search|source|demo\.png|docs\.(css|js)|:page|:folder\/:page))?|llms(-full)?\.txt|account\/(confirm|recover|verify|link\.(js|css))|inbox(\/history|\/live|\/mails|\/actions\/:actionId|\/inbox\.(js|css))?|try(\/(status|logo|try\.(js|css)))?|console|signup|widget\/(service-assistant\.js|build|pinned\/:file))|(GET|POST) \/console\/[\w:./-]+|POST \/signup|POST \/v1\/preview\/sandbox|POST \/v1\/notifications\/slack\/interactions\/:tenantId|POST \/v1\/listening\/:tenantId\/deliveries|POST \/v1\/signup(\/(confirm|verify|recover|recover\/redeem))?|POST \/try(\/(claim|leave))?|POST \/inbox\/(actions\/:actionId|decide|mails|sign-out|sign-in|open))$/

const nameOf = ({ method, path }: Route) => `${method} ${path}`

const liveKey = (tenantId: number, kind: KeyKind) =>
  kind === 'sandbox' ? sandboxKey(house, tenantId) : house.key(tenantId, kind)

/** A live id of each kind that a path can name, belonging to the given tenant. */
const IDS: Readonly<Record<string, (tenant: NewTenant) => Promise<string>>> = {
  file: async () =>
    (await house.ask<{ pinnedPath: string }>('GET', '/widget/build')).body.pinnedPath.split('/').at(-1) ?? '',
  page: async () => 'chat',
  folder: async () => 'reference',
  part: async () => 'nothing',
  more: async () => 'nothing',
  prefix: async ({ tenantId }) => (await house.key(tenantId, 'agent')).slice(0, 12),
  id: async ({ tenantId }) => String(tenantId),
  personId: async ({ apiKey: key }) => {
    await house.ask('PUT', '/v1/users', { key, body: [{ userId: 1, displayName: 'Ana' }] })
    const { body } = await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key })
    return String(body.users[0]?.id)
  },
  name: async (tenant) => {
    await house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: CATALOG })
    const document = { name: 'get_order', text: 'A document of the same name as a tool.' }
    await house.ask('POST', '/v1/knowledge', { key: tenant.apiKey, body: document })
    return 'get_order'
  },
  eventId: async (tenant) => {
    await staged(tenant)
    const row = await house.database.database.one(newestEvent, { tenantId: tenant.tenantId })
    return row?.eventId ?? 'evt_none'
  },
  requestId: async () => 'req_000000000000000000000000',
  sessionId: async (tenant) => {
    const { body } = await house.ask<{ sessionId: string }>('POST', '/v1/chat', {
      key: tenant.apiKey,
      body: { prompt: 'Hello' },
    })
    return body.sessionId
  },
  suggestionId: async ({ apiKey: key }) => {
    const body = { lexicon: { returns: ['refund'] } }
    return (await house.ask<{ id: string }>('POST', '/v1/domain-pack/suggestions', { key, body })).body.id
  },
  tenantId: async ({ tenantId }) => String(tenantId),
  customerId: async () => 'customer-1',
  pushId: async () => 'psh_0000000000000000000000000',
  actionId: async (tenant) => (await staged(tenant)).actionId,
}

const newestEvent = unlisted<{ eventId: string }, { tenantId: number }>(
  'test.newest_event',
  'select event_id as "eventId" from outbox where tenant_id = $tenantId::int order by outbox_id desc limit 1',
)

const CATALOG = [
  { name: 'get_order', description: 'Looks up one order, for the walk over all routes.', is_write: false },
  { name: 'refund_order', description: 'Pays an order back, for the walk over all routes.', is_write: true },
]

async function staged(tenant: NewTenant): Promise<{ actionId: string; confirmationToken: string }> {
  await house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: CATALOG })
  const body = { tool: 'refund_order' }
  return (
    await house.ask<{ actionId: string; confirmationToken: string }>('POST', '/v1/actions', {
      key: tenant.apiKey,
      body,
    })
  ).body
}

async function pathFor(route: Route, tenant: NewTenant): Promise<string> {
  let path: string = route.path
  for (const [, name = ''] of route.path.matchAll(/:([a-zA-Z]+)/g)) {
    const make = IDS[name]
    assert.ok(make, `${nameOf(route)}: say in IDS how a test gets a live "${name}"`)
    path = path.replace(`:${name}`, await make(tenant))
  }
  return path
}

/** An action token opens the one action that it was issued for, so it is asked about that one. */
async function askAs(route: Route, tenant: NewTenant, kind: KeyKind | 'operator') {
  if (kind === 'action' && route.path.includes(':actionId')) {
    const { actionId, confirmationToken: key } = await staged(tenant)
    return await house.ask(route.method, route.path.replace(':actionId', actionId), { key })
  }
  const key = kind === 'operator' ? house.operatorKey : await liveKey(tenant.tenantId, kind)
  return await askRoute(route, await pathFor(route, tenant), key)
}

/** Asks a route with several kinds of keys of one tenant, which is enough for requests that change nothing: reads and refusals. */
async function inOneTenant(route: Route) {
  const tenant = await house.tenant()
  const path = await pathFor(route, tenant)
  return async (kind: KeyKind | 'operator') => {
    if (kind === 'action' && path !== route.path) return await askAs(route, tenant, kind)
    return await askRoute(route, path, kind === 'operator' ? house.operatorKey : await liveKey(tenant.tenantId, kind))
  }
}

const askRoute = async (route: Route, path: string, key: string | undefined) =>
  await house.ask(route.method, path, {
    ...(key === undefined ? {} : { key }),
    // The one route that exists for browsers only.
    ...(route.serves === undefined ? {} : { headers: { accept: 'text/html' } }),
    ...(route.example?.body === undefined ? {} : { body: route.example.body }),
  })

test('every route is reached by exactly the kinds that the specification names', async () => {
  for (const route of house.app.routes) {
    const askHarmless = await inOneTenant(route)
    for (const kind of [...KINDS, 'operator'] as const) {
      const may = OPEN.test(nameOf(route)) || REACHES[kind].some((pattern) => pattern.test(nameOf(route)))
      const { status, error } = await (may && route.method !== 'GET'
        ? askAs(route, await house.tenant(), kind)
        : askHarmless(kind))
      if (may)
        assert.ok(
          // A CI key that is told its terms has reached the route.
          !['missing_api_key', 'invalid_api_key'].includes(error?.code ?? '') &&
            (error?.code !== 'insufficient_scope' || error.reason?.startsWith('ci_') === true),
          `${kind} must reach ${nameOf(route)}: ${status}`,
        )
      else assert.equal(error?.code, 'insufficient_scope', `${kind} must not reach ${nameOf(route)}: ${status}`)
    }
  }
})

// The families of paths whose ceiling the specification sets apart; a path below one of them belongs to it. The chat of
// OpenAI's clients is a chat.
const RUNTIME = /^\/(mcp$|v1\/(chat|insights|agent|tools|actions|openai)(\/|$))/

test('every route with a key counts against the lane that its path belongs to', () => {
  for (const route of house.app.routes) {
    if (OPEN.test(nameOf(route))) continue
    assert.equal(route.lane, RUNTIME.test(route.path) ? 'runtime' : 'control', nameOf(route))
  }
})

test('without a key, and with a revoked one, nothing but the open routes answers', async () => {
  const tenant = await house.tenant()
  const revoked = await house.key(tenant.tenantId, 'secret')
  await house.ask('DELETE', `/v1/account/keys/${revoked.slice(0, 12)}`, { key: tenant.apiKey })
  for (const route of house.app.routes) {
    const open = OPEN.test(nameOf(route))
    const path = await pathFor(route, tenant)
    for (const [key, code] of [
      [undefined, 'missing_api_key'],
      [revoked, 'invalid_api_key'],
    ] as const) {
      const { status, error } = await askRoute(route, path, key)
      // The forms of a page ask for no key, and for the token of the page.
      if (route.form === true) assert.equal(status, 403, nameOf(route))
      // Its signature is its key.
      else if (route.signed !== undefined) assert.ok(status === 401 || status === 415, `${nameOf(route)}: ${status}`)
      else if (open) assert.ok(status !== 401 && status !== 403, `${nameOf(route)}: ${status}`)
      else assert.equal(error?.code, code, nameOf(route))
    }
  }
})

test('no tenant’s route says or changes anything of another tenant', async () => {
  const owned = house.app.routes.filter(({ reach }) => reach.who === 'tenant' && reach.kinds[0] !== 'provider')
  assert.ok(owned.length > 10)
  const theirs = await house.tenant('Foreign marker shop')
  for (const route of owned) {
    // A request without a foreign id is one of its own tenant, and may change or delete it.
    const mine = await house.tenant('My own shop')
    const path = await pathFor(route, theirs)
    const before = await stateOf(theirs)
    const { status, text } = await house.ask(route.method, path, {
      key: mine.apiKey,
      ...(route.example?.body === undefined ? {} : { body: route.example.body }),
    })
    // A PUT makes what its path names.
    if (path !== route.path && route.method !== 'PUT')
      assert.equal(status, 404, `${nameOf(route)}: a foreign id is an unknown one: ${text}`)
    assert.ok(!text.includes('Foreign marker'), `${nameOf(route)} speaks of another tenant`)
    assert.ok(!text.includes(theirs.keyPrefix), `${nameOf(route)} shows a key of another tenant`)
    assert.deepEqual(await stateOf(theirs), before, `${nameOf(route)} changed another tenant`)
  }
})

/** Everything that a tenant can read of itself. */
async function stateOf({ apiKey }: NewTenant): Promise<unknown> {
  const read = async (path: string) => (await house.ask('GET', path, { key: apiKey })).body
  const { keys } = (await read('/v1/account/keys')) as { keys: { prefix: string; revokedAt: string | null }[] }
  return [
    await read('/v1/account'),
    keys.map(({ prefix, revokedAt }) => [prefix, revokedAt]),
    await read('/v1/account/events'),
  ]
}

/** What a provider can name in a path, of a business of its own. */
const OF_PROVIDER: Readonly<Record<string, (provider: Provider, business: NewTenant) => Promise<string>>> = {
  id: async (_, { tenantId }) => String(tenantId),
  prefix: async (provider, { tenantId }) => {
    const path = `tenants/${tenantId}/keys`
    return (await provider.ask<{ prefix: string }>('POST', path, { kind: 'agent' })).body.prefix
  },
  pushId: async (provider) => {
    for (let n = 0; n < 21; n++) await provider.business()
    const body = { parts: ['origins'] }
    return (await provider.ask<{ pushId: string }>('PUT', 'configuration', body)).body.pushId
  },
}

/** The path of a route with everything in it that belongs to this provider. */
async function pathOfProvider({ path }: Route, provider: Provider, business: NewTenant): Promise<string> {
  let asked: string = path
  for (const [, name = ''] of path.matchAll(/:([a-zA-Z]+)/g)) {
    const make = path.includes('inbox-keys') && name === 'prefix' ? inboxPrefix : OF_PROVIDER[name]
    assert.ok(make, `${path}: say in OF_PROVIDER how a test gets a live "${name}"`)
    asked = asked.replace(`:${name}`, await make(provider, business))
  }
  return asked
}

const inboxPrefix = async (provider: Provider) =>
  (await provider.ask<{ prefix: string }>('POST', 'inbox-keys', {})).body.prefix

test('no provider’s route says or changes anything of another provider, of its businesses, or of any other workspace', async () => {
  const owned = house.app.routes.filter(({ reach }) => reach.who === 'tenant' && reach.kinds[0] === 'provider')
  assert.ok(owned.length >= 14, `${owned.length} routes`)
  const mine = await openProvider(house, 'My own house')
  const theirs = await openProvider(house, 'Foreign marker house')
  const plain = await house.tenant('Foreign marker shop')
  for (const route of owned) {
    const business = await theirs.business({ name: 'Foreign marker business' })
    const path = await pathOfProvider(route, theirs, business)
    const before = [await stateOf(business), await stateOf(theirs), await stateOf(plain), await listOf(theirs)]
    const body = bodyFor(route, business)
    const bodies =
      path.includes('configuration') && body !== undefined
        ? [
            { ...body, tenantIds: [business.tenantId] },
            { ...body, tenantIds: [plain.tenantId] },
          ]
        : [body]
    const paths = path.includes(`/${business.tenantId}`)
      ? [
          path,
          path.replace(`/${business.tenantId}`, `/${plain.tenantId}`),
          path.replace(`/${business.tenantId}`, `/${mine.tenantId}`),
        ]
      : [path]
    for (const asked of paths) {
      for (const sent of bodies) {
        const { status, text } = await house.ask(route.method, asked, {
          key: mine.key,
          ...(sent === undefined ? {} : { body: sent }),
        })
        const namesOne = asked !== route.path || (sent !== undefined && 'tenantIds' in sent)
        if (namesOne) assert.equal(status, 404, `${nameOf(route)}: what is another’s is unknown: ${text}`)
        assert.ok(!text.includes('Foreign marker'), `${nameOf(route)} speaks of another’s`)
        assert.ok(!text.includes(business.keyPrefix), `${nameOf(route)} shows a key of another’s`)
      }
    }
    const after = [await stateOf(business), await stateOf(theirs), await stateOf(plain), await listOf(theirs)]
    assert.deepEqual(after, before, `${nameOf(route)} changed another’s`)
  }
})

const listOf = async (provider: Provider) => [
  (await provider.ask('GET', 'tenants?limit=200')).body,
  (await provider.ask('GET', 'inbox-keys')).body,
]

/** With the name of the business where a deletion asks for it. */
const bodyFor = ({ example, method }: Route, { name }: NewTenant): object | undefined =>
  method === 'DELETE' && example?.body !== undefined ? { confirm: name } : (example?.body as object | undefined)

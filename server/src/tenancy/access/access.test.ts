import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { KEY_PREFIXES, type KeyKind } from '@tether/contract'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import type { TenantAsking } from '../context/index.ts'
import { type Reach, type Route, route } from './index.ts'

const probe = (path: `/${string}`, reach: Reach, method: 'GET' | 'POST' = 'GET'): Route =>
  route({
    method,
    path,
    reach,
    lane: 'runtime',
    group: 'Probe',
    summary: 'Tells who is asking',
    answers: { 200: { schema: z.unknown() } },
    handle: async ({ asking }) => ({ status: 200, body: asking }),
  })

// Routes of the kinds whose own features come later: each goes through the same gate as every other route.
const probes: Route[] = [
  probe('/v1/probe/secret', { who: 'tenant', kinds: ['secret'] }),
  probe('/v1/probe/page', { who: 'tenant', kinds: ['secret', 'agent', 'publishable'] }, 'POST'),
  probe('/v1/probe/sandbox', { who: 'tenant', kinds: ['sandbox'] }),
  probe('/v1/probe/provider', { who: 'tenant', kinds: ['provider'] }),
  probe('/v1/probe/approval', { who: 'tenant', kinds: ['secret', 'action'], withSession: ['inbox'] }),
]

let house: OpenHouse
before(async () => {
  house = await openHouse({ moreRoutes: probes })
})
after(() => house.close())

const setOrigins = statement<unknown, { tenantId: number; origins: string[] }>(
  'test.set_origins',
  'update tenants set origins = $origins::text[] where tenant_id = $tenantId::int',
)
const setExpiry = statement<unknown, { tenantId: number; prefix: string }>(
  'test.expire_key',
  "update keys set expires_at = now() - interval '1 second' where tenant_id = $tenantId::int and prefix = $prefix::text",
)

test('a key comes in X-Api-Key or as a bearer token, in whatever case and with spaces around it', async () => {
  const { apiKey } = await house.tenant()
  for (const headers of [
    { 'x-api-key': apiKey },
    { 'x-api-key': ` ${apiKey} ` },
    { authorization: `Bearer ${apiKey}` },
    { authorization: `bearer   ${apiKey}` },
    { 'x-api-key': '', authorization: `Bearer ${apiKey}` },
  ]) {
    assert.equal((await house.ask('GET', '/v1/account', { headers })).status, 200, JSON.stringify(headers))
  }
})

test('no key, a key of no shape, an unknown, a revoked and an expired one are refused', async () => {
  const { apiKey, tenantId } = await house.tenant()
  for (const headers of [
    {},
    { 'x-api-key': '' },
    { authorization: 'Basic abc' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${apiKey} x` },
  ]) {
    const reply = await house.ask('GET', '/v1/account', { headers: headers as Record<string, string> })
    assert.equal(reply.error?.code, 'missing_api_key', JSON.stringify(headers))
    assert.match(reply.error?.message ?? '', /X-Api-Key/)
  }
  const expired = await house.key(tenantId, 'secret')
  await house.database.database.run(setExpiry, { tenantId, prefix: expired.slice(0, 12) })
  const answers = new Set<string>()
  for (const key of [
    'x',
    apiKey.toUpperCase(),
    `${apiKey}0`,
    apiKey.replace('tth', 'tag'),
    `tth_${'0'.repeat(48)}`,
    expired,
  ]) {
    const reply = await house.ask('GET', '/v1/account', { key })
    assert.equal(reply.status, 401, key)
    answers.add(reply.text)
  }
  assert.equal(answers.size, 1, 'all of them get one and the same answer')
})

test('a revoked key is refused from the next request on, on every instance', async () => {
  await using other = await openHouse({ beside: house })
  const { apiKey } = await house.tenant()
  const { body } = await house.ask<{ key: string; prefix: string }>('POST', '/v1/account/keys', {
    key: apiKey,
    body: { kind: 'secret' },
  })
  assert.equal((await other.ask('GET', '/v1/account', { key: body.key })).status, 200)
  await house.ask('DELETE', `/v1/account/keys/${body.prefix}`, { key: apiKey })
  assert.equal((await other.ask('GET', '/v1/account', { key: body.key })).error?.code, 'invalid_api_key')
})

test('scope and user headers are the word of a secret key only, and nonsense in them is absence', async () => {
  const { tenantId } = await house.tenant()
  const said = {
    'x-service-scope-id': '7',
    'x-service-user-id': '42',
    'x-service-user-role': 'clerk',
    'x-client-surface': 'mobile',
  }
  const asking = async (kind: KeyKind, headers: Record<string, string>, path = '/v1/probe/approval') => {
    const { body } = await house.ask('GET', path, { key: await house.key(tenantId, kind), headers })
    const { scopeId, surface, actor } = body as unknown as TenantAsking
    return { scopeId, surface, userId: actor.userId, role: actor.role }
  }
  const secret = await asking('secret', said)
  assert.deepEqual(secret, { scopeId: 7, userId: 42, role: 'clerk', surface: 'mobile' })
  const token = await asking('action', said)
  assert.deepEqual(token, { scopeId: null, userId: null, role: 'api', surface: 'mobile' })
  for (const bad of ['0', '-1', '1.5', 'x', ' ', '1e3', '99999999999999999999', '0x1']) {
    const { scopeId, userId } = await asking('secret', { 'x-service-scope-id': bad, 'x-service-user-id': bad })
    assert.deepEqual([scopeId, userId], [null, null], bad)
  }
  assert.equal((await asking('secret', { 'x-client-surface': 'fridge' })).surface, 'unknown')
})

test('nothing in a body changes who is asking', async () => {
  const [one, other] = [await house.tenant('One Shop'), await house.tenant('Other Shop')]
  const reply = await house.ask('POST', '/v1/probe/page', {
    key: one.apiKey,
    body: { organizationId: other.tenantId, locationId: 9 },
  })
  assert.equal(reply.body.tenantId, one.tenantId)
})

test('a publishable key works from a registered page only, and the page can read why not', async () => {
  const { tenantId } = await house.tenant()
  const key = await house.key(tenantId, 'publishable')
  await house.database.database.run(setOrigins, {
    tenantId,
    origins: ['https://shop.example', 'http://localhost:3000'],
  })
  const from = (origin?: string) =>
    house.ask('POST', '/v1/probe/page', { key, headers: origin === undefined ? {} : { origin } })
  for (const origin of ['https://shop.example', 'http://localhost:3000']) {
    const reply = await from(origin)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['access-control-allow-origin'], origin)
    assert.equal(reply.headers.vary, 'origin')
    assert.match(String(reply.headers['access-control-expose-headers']), /x-request-id/)
  }
  const foreign = [
    'https://shop.example.evil.example',
    'https://evil-shop.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://SHOP.example',
    'null',
    'https://shop.example/',
  ]
  for (const origin of foreign) {
    const reply = await from(origin)
    assert.equal(reply.error?.code, 'origin_not_allowed', origin)
    assert.equal(reply.headers['access-control-allow-origin'], origin, 'the page can read the refusal')
  }
  const bare = await from()
  assert.equal(bare.error?.code, 'origin_not_allowed')
  assert.equal(bare.headers['access-control-allow-origin'], undefined)
  const secret = await house.ask('POST', '/v1/probe/page', { key: await house.key(tenantId, 'secret') })
  assert.equal(secret.status, 200, 'the origin rule is for publishable keys')
})

test('preflight is answered where a page may ask and nowhere else, without a key', async () => {
  const ask = (path: string) =>
    house.ask('OPTIONS', path, { headers: { origin: 'https://any.example', 'access-control-request-method': 'POST' } })
  const yes = await ask('/v1/probe/page')
  assert.equal(yes.status, 204)
  assert.equal(yes.headers['access-control-allow-origin'], 'https://any.example')
  assert.match(String(yes.headers['access-control-allow-headers']), /x-service-customer-token/)
  assert.match(String(yes.headers['access-control-allow-methods']), /POST/)
  const no = await ask('/v1/probe/secret')
  assert.equal(no.status, 401)
  assert.equal(no.headers['access-control-allow-origin'], undefined)
})

test('each kind is refused with its own reason', async () => {
  const { tenantId, apiKey } = await house.tenant()
  const refused = async (kind: KeyKind, path: string) => {
    const { status, error } = await house.ask('GET', path, {
      key: kind === 'secret' ? apiKey : await house.key(tenantId, kind),
    })
    return [status, error?.code, error?.reason]
  }
  const scope = 'insufficient_scope'
  assert.deepEqual(await refused('inbox', '/v1/probe/secret'), [403, scope, 'not_an_inbox_route'])
  assert.deepEqual(await refused('inbox', '/v1/probe/approval'), [403, scope, 'user_session_required'])
  assert.deepEqual(await refused('sandbox', '/v1/probe/secret'), [403, scope, 'not_a_sandbox_route'])
  assert.deepEqual(await refused('secret', '/v1/probe/sandbox'), [403, scope, 'sandbox_credential_required'])
  assert.deepEqual(await refused('ci', '/v1/probe/secret'), [403, scope, 'not_a_ci_route'])
  assert.deepEqual(await refused('ci_replace', '/v1/account'), [403, scope, 'not_a_ci_route'])
  for (const kind of ['agent', 'publishable', 'action', 'provider'] as const) {
    assert.deepEqual(await refused(kind, '/v1/probe/secret'), [403, scope, undefined])
  }
  assert.deepEqual(await refused('secret', '/v1/probe/provider'), [403, scope, undefined])
})

test('a session header alone opens nothing: it is checked, not believed', async () => {
  const { tenantId } = await house.tenant()
  const reply = await house.ask('GET', '/v1/probe/approval', {
    key: await house.key(tenantId, 'inbox'),
    headers: { 'x-service-user-session': `tus_${'0'.repeat(48)}` },
  })
  assert.deepEqual([reply.status, reply.error?.code, reply.error?.reason], [401, 'invalid_user_session', 'unknown'])
})

test('the operator key opens the operator’s side and no tenant’s', async () => {
  assert.equal((await house.ask('GET', '/v1/tenants', { key: house.operatorKey })).status, 200)
  assert.equal((await house.ask('GET', '/v1/account', { key: house.operatorKey })).error?.code, 'insufficient_scope')
  assert.equal((await house.ask('GET', '/v1/tenants', { key: `${house.operatorKey}x` })).error?.code, 'invalid_api_key')
})

test('without an operator key configured, every key is invalid on the operator’s side', async () => {
  await using closed = await openHouse({ settings: { 'Operator:ApiKey': '' } })
  const { tenantId } = await house.tenant()
  void tenantId
  for (const kind of Object.keys(KEY_PREFIXES) as KeyKind[]) {
    const reply = await closed.ask('GET', '/v1/tenants', { key: await closed.key(1, kind) })
    assert.equal(reply.error?.code, 'invalid_api_key', kind)
  }
  assert.equal((await closed.ask('GET', '/v1/tenants', { key: house.operatorKey })).error?.code, 'invalid_api_key')
})

test('the last use of a key is written, at most once a minute', async () => {
  const { apiKey } = await house.tenant()
  const lastUsed = async () =>
    (await house.ask<{ keys: { lastUsedAt: string | null }[] }>('GET', '/v1/account/keys', { key: apiKey })).body
      .keys[0]?.lastUsedAt
  assert.equal(await lastUsed(), null)
  await house.app.flush()
  const first = await lastUsed()
  assert.ok(Math.abs(Date.parse(first ?? '') - Date.now()) < 60_000)
  await house.app.flush()
  assert.equal(await lastUsed(), first)
})

test('every answer under a limit says where the caller stands, and a 429 when to come back', async () => {
  await using strict = await openHouse({
    settings: { 'RateLimit:ControlPerMinute': '3', 'RateLimit:AnonymousPerMinute': '2' },
  })
  const made = await strict.ask<{ apiKey: string }>('POST', '/v1/tenants', {
    key: strict.operatorKey,
    body: { name: 'Strict Shop' },
  })
  const key = made.body.apiKey
  const statuses = []
  for (let turn = 0; turn < 5; turn++) statuses.push((await strict.ask('GET', '/v1/account', { key })).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const over = await strict.ask('GET', '/v1/account', { key })
  assert.equal(over.error?.code, 'rate_limited')
  assert.equal(over.headers['ratelimit-limit'], '3')
  assert.equal(over.headers['ratelimit-remaining'], '0')
  assert.ok(Number(over.headers['retry-after']) >= 1)
  for (const path of ['/health', '/ready', '/openapi', '/swagger']) {
    for (let turn = 0; turn < 5; turn++) assert.equal((await strict.ask('GET', path)).status, 200)
  }
  const anonymous = []
  for (let turn = 0; turn < 3; turn++)
    anonymous.push((await strict.ask('GET', '/v1/account', { key: `tth_${'1'.repeat(48)}`, from: '192.0.2.7' })).status)
  assert.deepEqual(anonymous, [401, 401, 429], 'a wrong key spends the allowance of its address')
  assert.equal((await strict.ask('GET', '/v1/account', { from: '192.0.2.8' })).status, 401, 'and of no other')
})

test('every request is one line in the log, the refused too: with its caller where a key is known, and never the key', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const agent = await house.ask<{ key: string }>('POST', '/v1/account/keys', { key: apiKey, body: { kind: 'agent' } })
  const wrong = `tth_${'0'.repeat(48)}`
  const from = house.logged.length
  await house.ask('GET', '/v1/account', { key: apiKey })
  await house.ask('GET', '/v1/account', { key: agent.body.key })
  await house.ask('GET', '/v1/account', { key: wrong })
  await house.ask('GET', '/v1/account')
  const lines = house.logged.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    lines.map(({ route, status, code, tenantId: whose, key }) => ({ route, status, code, whose, key })),
    [
      { route: '/v1/account', status: 200, code: undefined, whose: tenantId, key: apiKey.slice(0, 12) },
      {
        route: '/v1/account',
        status: 403,
        code: 'insufficient_scope',
        whose: tenantId,
        key: agent.body.key.slice(0, 12),
      },
      { route: '/v1/account', status: 401, code: 'invalid_api_key', whose: undefined, key: undefined },
      { route: '/v1/account', status: 401, code: 'missing_api_key', whose: undefined, key: undefined },
    ],
  )
  const text = house.logged.slice(from).join('')
  for (const key of [apiKey, agent.body.key, wrong]) assert.ok(!text.includes(key))
})

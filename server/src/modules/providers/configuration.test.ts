// What a provider pushes to its businesses: each part as the business itself would have set it, whole or not at all.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type NewBusiness, openProvider, type Provider, withdraw, work } from '../../../testkit/providers.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { upstreams } from '../upstreams/module.ts'
import { providers } from './module.ts'

let house: OpenHouse
before(async () => {
  // A business may have an MCP server.
  house = await openHouse({ modules: [openApiImport, upstreams, providers] })
})
after(() => house.close())

type Results = z.output<typeof contract.ConfigurationResults>
type Push = z.output<typeof contract.Push>

const REFUND = {
  name: 'refund_order',
  description: 'Pays an order back to the customer who placed it.',
  is_write: true,
}
const LOOK = { name: 'get_order', description: 'Looks up one order by its number, with its lines and state.' }
const POLICY = { rules: [{ tools: ['refund_order'], roles: ['manager'], approvers: 2 }], requesterMayApprove: false }
const PARTS = ['catalog', 'domain_pack', 'events_webhook', 'origins', 'policy'] as const
const WEBHOOK = 'https://app.example.com/events'

const as =
  ({ apiKey }: { apiKey: string }) =>
  async (method: string, path: string, body?: unknown) => {
    const reply = await house.ask(method, path, { key: apiKey, ...(body === undefined ? {} : { body }) })
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`)
    return reply.body
  }

async function equipped(): Promise<Provider> {
  const provider = await openProvider(house)
  const own = as(provider)
  await own('PUT', '/v1/tools', [LOOK, REFUND])
  await own('PUT', '/v1/domain-pack', { lexicon: { returns: ['refund', 'დაბრუნება'] } })
  await own('PUT', '/v1/events/webhook', { url: WEBHOOK })
  await own('PUT', '/v1/origins', { origins: ['https://app.example.com', 'http://localhost:3000'] })
  await own('PUT', '/v1/policy', POLICY)
  return provider
}

/** Everything of the five parts that a workspace can read of itself, with the versions. */
async function configurationOf(business: { apiKey: string }) {
  const read = as(business)
  const { version, tools, import: imported } = await read('GET', '/v1/tools')
  const { version: packVersion, lexicon } = await read('GET', '/v1/domain-pack')
  const { version: policyVersion, rules, requesterMayApprove, inForce } = await read('GET', '/v1/policy')
  const { url } = await read('GET', '/v1/events/webhook')
  const { origins, held } = await read('GET', '/v1/origins')
  return {
    ...{ version, tools, imported, packVersion, lexicon, policyVersion, rules, requesterMayApprove, inForce },
    ...{ url, origins, held },
  }
}

const push = (provider: Provider, body: object) => provider.ask<Results>('PUT', 'configuration', body)
const statuses = ({ results }: Results) => results.map(({ part, status }) => `${part} ${status}`)

test('a new business gets what it is given: all five parts, one, or the webhook alone', async () => {
  const provider = await equipped()
  const all = await provider.business({
    configuration: ['policy', 'origins', 'catalog', 'catalog', 'domain_pack', 'events_webhook'],
  })
  assert.deepEqual([all.configuration, all.refused], [[...PARTS], []])
  const own = await configurationOf(provider)
  assert.deepEqual(await configurationOf(all), own)
  const webhook = await provider.business()
  assert.deepEqual([webhook.configuration, webhook.refused], [['events_webhook'], []])
  const { url, version, policyVersion, origins } = await configurationOf(webhook)
  assert.deepEqual([url, version, policyVersion, origins], [WEBHOOK, 0, 0, []])
  const none = await provider.business({ configuration: [] })
  assert.deepEqual([none.configuration, (await configurationOf(none)).url], [[], null])
})

test('what a provider does not have is said to be refused, and the business is made all the same', async () => {
  const provider = await openProvider(house)
  const { configuration, refused } = await provider.business({ configuration: [...PARTS] })
  assert.deepEqual([configuration, refused.map(({ part }) => part)], [[], [...PARTS]])
  for (const { error } of refused) assert.match(error, /Your own workspace has no .+ Nothing is deleted by a push/)
})

test('a push applies, and applied again changes nothing: no version is made', async () => {
  const provider = await equipped()
  const businesses = [await provider.business({ configuration: [] }), await provider.business({ configuration: [] })]
  const first = await push(provider, { parts: [...PARTS] })
  assert.equal(first.status, 200)
  assert.deepEqual(
    statuses(first.body),
    [...PARTS, ...PARTS].map((part) => `${part} applied`),
  )
  assert.deepEqual(
    first.body.results.map(({ tenantId }) => tenantId),
    businesses.flatMap(({ tenantId }) => PARTS.map(() => tenantId)),
  )
  const before = await Promise.all(businesses.map(configurationOf))
  for (const one of before) assert.deepEqual(one, await configurationOf(provider))
  const again = await push(provider, { parts: [...PARTS] })
  assert.deepEqual(
    statuses(again.body),
    [...PARTS, ...PARTS].map((part) => `${part} unchanged`),
  )
  assert.deepEqual(await Promise.all(businesses.map(configurationOf)), before)
})

test('a part that the provider does not have leaves what the business has', async () => {
  const provider = await equipped()
  const business = await provider.business({ configuration: [...PARTS] })
  const before = await configurationOf(business)
  await as(provider)('DELETE', '/v1/policy')
  await as(provider)('PUT', '/v1/events/webhook', { url: null })
  await as(provider)('PUT', '/v1/origins', { origins: [] })
  await as(provider)('PUT', '/v1/domain-pack', { lexicon: {} })
  const { body } = await push(provider, { parts: ['domain_pack', 'events_webhook', 'origins', 'policy'] })
  assert.deepEqual(new Set(body.results.map(({ status }) => status)), new Set(['refused']))
  assert.deepEqual(await configurationOf(business), before)
})

test('only the businesses that are named, and of a push that names one of somebody else nothing is done', async () => {
  const [provider, other] = [await equipped(), await equipped()]
  const [one, two] = [await provider.business({ configuration: [] }), await provider.business({ configuration: [] })]
  const foreign = await other.business({ configuration: [] })
  const named = await push(provider, { parts: ['policy'], tenantIds: [two.tenantId, two.tenantId] })
  assert.deepEqual(named.body.results, [{ tenantId: two.tenantId, part: 'policy', status: 'applied' }])
  const empty = await push(provider, { parts: ['policy'], tenantIds: [] })
  assert.deepEqual([empty.status, empty.body], [200, { results: [] }])
  for (const tenantId of [foreign.tenantId, provider.tenantId, 2_000_000]) {
    const refused = await push(provider, { parts: ['policy'], tenantIds: [one.tenantId, tenantId] })
    assert.deepEqual([refused.status, refused.error?.code], [404, 'not_a_child_tenant'])
  }
  assert.equal((await configurationOf(one)).policyVersion, 0)
  assert.equal((await configurationOf(foreign)).policyVersion, 0)
  for (const body of [{}, { parts: [] }, { parts: ['keys'] }, { parts: ['policy'], tenantIds: ['x'] }])
    assert.equal((await push(provider, body)).error?.code, 'invalid_request')
})

test('an import’s address goes along with the catalog, and no credential does', async () => {
  const provider = await openProvider(house)
  const document = {
    openapi: '3.0.3',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: {
      '/orders/{number}': {
        get: {
          operationId: 'get_order',
          summary: 'Looks up one order by its number, with its lines.',
          parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'The order.' } },
        },
      },
    },
  }
  const imported = await as(provider)('POST', '/v1/tools/import', {
    ...{ document, baseUrl: 'https://api.example.com', credential: 'a-secret-of-the-provider', userToken: 'prefer' },
    operations: { get_order: { is_write: false } },
  })
  await as(provider)('PUT', '/v1/tools', imported.catalog)
  const business = await provider.business({ configuration: ['catalog'] })
  assert.deepEqual(business.configuration, ['catalog'])
  const row = await house.database.database.one(importRow, { tenantId: business.tenantId })
  assert.deepEqual(row, { baseUrl: 'https://api.example.com', userToken: 'prefer', credential: null, toolCount: 1 })
  assert.deepEqual(
    { ...((await configurationOf(business)).imported as object), importedAt: '' },
    { ...((await configurationOf(provider)).imported as object), importedAt: '' },
  )
  const { body } = await house.ask('PATCH', '/v1/tools/api', { key: business.apiKey, body: { credential: 'its own' } })
  assert.equal(body.credentialStored, true)
  assert.deepEqual(statuses((await push(provider, { parts: ['catalog'] })).body), ['catalog unchanged'])
  await as(provider)('PUT', '/v1/tools', [...(imported.catalog as object[]), REFUND])
  assert.deepEqual(statuses((await push(provider, { parts: ['catalog'] })).body), ['catalog applied'])
  await as(provider)('PATCH', '/v1/tools/api', { userToken: 'require' })
  assert.deepEqual(statuses((await push(provider, { parts: ['catalog'] })).body), ['catalog applied'])
  const pushed = await house.database.database.one(importRow, { tenantId: business.tenantId })
  assert.equal(pushed?.userToken, 'require', 'a push applies when only the mode of the user token changed')
  const after = await house.database.database.one(importRow, { tenantId: business.tenantId })
  assert.notEqual(after?.credential, null, 'the business keeps the credential that it gave')
})

const importRow = unlisted<
  { baseUrl: string; userToken: string; credential: string | null; toolCount: number },
  { tenantId: number }
>(
  'test.import_row',
  `select base_url as "baseUrl", user_token as "userToken", credential, tool_count as "toolCount" from imports
    where tenant_id = $tenantId::int`,
)

const placesUpstreamTool = unlisted<unknown, { tenantId: number; tools: string }>(
  'test.upstream_tool',
  `update catalogs set tools = $tools::text where tenant_id = $tenantId::int`,
)

test('a catalog with tools of an MCP server is refused whole, by name', async () => {
  const provider = await equipped()
  const business = await provider.business({ configuration: [] })
  const tools = JSON.stringify([
    REFUND,
    { ...LOOK, name: 'crm_find', upstream: true, mcp: { server: 'crm', tool: 'find' } },
  ])
  await house.database.database.run(placesUpstreamTool, { tenantId: provider.tenantId, tools })
  const { body } = await push(provider, { parts: ['catalog', 'policy'] })
  assert.deepEqual(statuses(body), ['catalog refused', 'policy applied'])
  assert.match(body.results[0]?.error ?? '', /crm_find/)
  assert.equal((await configurationOf(business)).version, 0)
  const made = await provider.business({ configuration: ['catalog', 'policy'] })
  assert.deepEqual([made.configuration, made.refused.map(({ part }) => part)], [['policy'], ['catalog']])
})

const declaresUpstream = unlisted<unknown, { tenantId: number; tools: string }>(
  'test.declare_upstream',
  `with declared as (
     insert into upstreams (tenant_id, name, url, tools)
     values ($tenantId::int, 'crm', 'https://crm.example.com/mcp', $tools::text) returning tenant_id
   )
   update tenants t set upstreams_version = upstreams_version + 1 from declared d where t.tenant_id = d.tenant_id`,
)

test('what a business has of its own may refuse a part: it says why, keeps what it has, and the others get theirs', async () => {
  const provider = await equipped()
  const [own, plain] = [await provider.business({ configuration: [] }), await provider.business({ configuration: [] })]
  const entry = { ...REFUND, upstream: true, mcp: { server: 'crm', tool: 'refund' }, parameters: { type: 'object' } }
  const remote = { inputSchema: { type: 'object' }, outputSchema: null }
  const tools = JSON.stringify([{ tool: 'refund', entry, hash: 'h', remote }])
  await house.database.database.run(declaresUpstream, { tenantId: own.tenantId, tools })
  const { body } = await push(provider, { parts: ['catalog', 'policy'] })
  assert.deepEqual(statuses(body), ['catalog refused', 'policy applied', 'catalog applied', 'policy applied'])
  assert.match(body.results[0]?.error ?? '', /refund_order/)
  assert.deepEqual([(await configurationOf(own)).version, (await configurationOf(plain)).version], [0, 1])
})

/** More than are done at once. */
async function many(provider: Provider, count = 25): Promise<NewBusiness[]> {
  const made: NewBusiness[] = []
  for (let n = 0; n < count; n++) made.push(await provider.business({ configuration: [] }))
  return made
}

test('more than twenty are regular work, with progress to read; what was meant is what was there when it was asked for', async () => {
  const provider = await equipped()
  const businesses = await many(provider)
  const accepted = await provider.ask<{ pushId: string; total: number }>('PUT', 'configuration', {
    parts: ['catalog', 'policy'],
  })
  assert.deepEqual([accepted.status, accepted.body.total], [202, 25])
  const { pushId } = accepted.body
  const read = async () => (await provider.ask<Push>('GET', `configuration/pushes/${pushId}`)).body
  assert.deepEqual(await read(), { pushId, total: 25, done: 0, finishedAt: null, results: [] })
  await as(provider)('PUT', '/v1/tools', [LOOK])
  const gone = businesses[3] ?? assert.fail()
  await provider.ask('DELETE', `tenants/${gone.tenantId}`, { confirm: 'Corner Shop' })
  await work(house, 'providers.push')
  const { results, finishedAt, ...rest } = await read()
  assert.deepEqual(rest, { pushId, total: 25, done: 25 })
  assert.ok(finishedAt !== null && Date.parse(finishedAt) > 0)
  assert.equal(results.length, 50)
  for (const { tenantId, status, error } of results) {
    if (tenantId !== gone.tenantId) assert.deepEqual([status, error], ['applied', undefined])
    else assert.deepEqual([status, error], ['refused', 'This business was deleted, or is no longer yours.'])
  }
  for (const business of businesses.filter((one) => one !== gone)) {
    const { version, tools, policyVersion } = await configurationOf(business)
    assert.deepEqual([version, (tools as object[]).length, policyVersion], [1, 2, 1])
  }
  const foreign = await openProvider(house)
  assert.equal((await foreign.ask('GET', `configuration/pushes/${pushId}`)).error?.code, 'push_not_found')
})

test('a later push wins, whichever gets there first', async () => {
  const provider = await equipped()
  const businesses = await many(provider)
  const old = (await provider.ask<{ pushId: string }>('PUT', 'configuration', { parts: ['catalog'] })).body.pushId
  await as(provider)('PUT', '/v1/tools', [LOOK])
  const [first] = businesses
  const named = await push(provider, { parts: ['catalog'], tenantIds: [first?.tenantId] })
  assert.deepEqual(statuses(named.body), ['catalog applied'])
  await work(house, 'providers.push')
  const { results } = (await provider.ask<Push>('GET', `configuration/pushes/${old}`)).body
  assert.deepEqual(
    results.filter(({ status }) => status === 'refused').map(({ tenantId, error }) => [tenantId, error]),
    [[first?.tenantId, 'A later push has reached this business first, so this one changes nothing there.']],
  )
  assert.deepEqual((await configurationOf(first ?? assert.fail())).tools, [LOOK])
  assert.equal(((await configurationOf(businesses[1] ?? assert.fail())).tools as object[]).length, 2)
})

test('a push stops where the authority is taken away', async () => {
  const provider = await equipped()
  const businesses = await many(provider)
  await provider.ask('PUT', 'configuration', { parts: ['policy'] })
  await withdraw(house, provider.tenantId)
  await work(house, 'providers.push')
  for (const business of businesses.slice(0, 3)) assert.equal((await configurationOf(business)).policyVersion, 0)
  const again = await house.ask<{ key: string }>('POST', `/v1/tenants/${provider.tenantId}/provider`, {
    key: house.operatorKey,
    body: {},
  })
  const done = await house.ask<Results>('PUT', '/v1/provider/configuration', {
    key: again.body.key,
    body: { parts: ['policy'], tenantIds: [businesses[0]?.tenantId] },
  })
  assert.deepEqual(statuses(done.body), ['policy applied'])
})

test('a webhook that the guard refuses by now is refused, and the other parts are not', async () => {
  await using strict = await openHouse({
    modules: [openApiImport, providers],
    settings: { 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  const provider = await openProvider(strict)
  const business = await provider.business()
  await strict.database.database.run(setsWebhook, { tenantId: provider.tenantId, url: 'http://127.0.0.1:9/x' })
  await strict.ask('PUT', '/v1/origins', { key: provider.apiKey, body: { origins: ['https://app.example.com'] } })
  const { body } = await push(provider, { parts: ['events_webhook', 'origins'] })
  assert.deepEqual(statuses(body), ['events_webhook refused', 'origins applied'])
  const { url } = (await strict.ask('GET', '/v1/events/webhook', { key: business.apiKey })).body
  assert.equal(url, null)
  const made = await provider.business({ configuration: ['events_webhook', 'origins'] })
  assert.deepEqual(made.configuration, ['origins'])
})

const setsWebhook = unlisted<unknown, { tenantId: number; url: string }>(
  'test.set_webhook',
  `update tenants set events_webhook_url = $url::text where tenant_id = $tenantId::int`,
)

test('what fails for no fault of the business is tried again, and given up in words', async () => {
  const provider = await equipped()
  const businesses = await many(provider, 21)
  const broken = businesses[5] ?? assert.fail()
  await house.database.database.run(breaksPolicy, { tenantId: broken.tenantId })
  const { pushId } = (await provider.ask<{ pushId: string }>('PUT', 'configuration', { parts: ['policy', 'origins'] }))
    .body
  const duty = house.app.duties.find(({ name }) => name === 'providers.push')
  for (let round = 0; round < 6; round++) await duty?.work(AbortSignal.timeout(60_000))
  const { results, done } = (await provider.ask<Push>('GET', `configuration/pushes/${pushId}`)).body
  assert.equal(done, 21)
  const ofBroken = results.filter(({ tenantId }) => tenantId === broken.tenantId)
  assert.deepEqual(
    ofBroken.map(({ part, status }) => `${part} ${status}`),
    ['origins applied', 'policy refused'],
  )
  assert.match(ofBroken[1]?.error ?? '', /for no fault of the business/)
  assert.equal(results.filter(({ status }) => status === 'applied').length, 41)
})

const breaksPolicy = unlisted<unknown, { tenantId: number }>(
  'test.break_policy',
  `insert into policies (tenant_id, version, rules) values ($tenantId::int, 1, '{"rules": "no list"}')`,
)

test('a push is forgotten a month after it ended', async () => {
  const provider = await equipped()
  await provider.business({ configuration: [] })
  await push(provider, { parts: ['policy'] })
  const count = async () => (await house.database.database.one(countsPushes, { tenantId: provider.tenantId }))?.count
  await work(house, 'providers.forget')
  assert.equal(await count(), 2)
  await house.database.database.run(agesPushes, { tenantId: provider.tenantId })
  await work(house, 'providers.forget')
  assert.equal(await count(), 0)
})

const agesPushes = unlisted<unknown, { tenantId: number }>(
  'test.age_pushes',
  `update configuration_pushes set ${setBack('finished_at', '31 days')} where tenant_id = $tenantId::int`,
)
const countsPushes = unlisted<{ count: number }, { tenantId: number }>(
  'test.count_pushes',
  `select (select count(*) from configuration_pushes where tenant_id = $tenantId::int)::int
        + (select count(*) from configuration_push_items where tenant_id = $tenantId::int)::int as count`,
)

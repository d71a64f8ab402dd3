// Whatever happens to a business or its provider while something is done for it: each order of the two has one outcome. On
// PostgreSQL, two houses with connections of their own.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { LIMITS } from '../../../testkit/fresh-database.ts'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type NewBusiness, openProvider, type Provider, withdraw, work } from '../../../testkit/providers.ts'
import { openDatabase, unlisted } from '../../kernel/db/index.ts'
import { TENANT_TABLES } from '../../tenancy/tenants/index.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { placeUsage, rawSums } from './fixtures/usage.ts'
import { providers } from './module.ts'

type Push = z.output<typeof contract.Push>
type Results = z.output<typeof contract.ConfigurationResults>
type Usage = z.output<typeof contract.Usage>

/** Two processes on one database. The embedded engine has one connection for both. */
async function twoHouses(t: TestContext): Promise<readonly [OpenHouse, OpenHouse]> {
  const one = await openHouse({ modules: [openApiImport, providers], log: 'error' })
  const { url } = one.database
  const own =
    url === undefined
      ? undefined
      : await openDatabase({ ...LIMITS, at: { url, poolSize: 8, prepared: true }, warn: () => {} })
  const beside = own === undefined ? one : { ...one, database: { ...one.database, database: own } }
  const other = await openHouse({ log: 'error', beside })
  t.after(async () => {
    await other.close()
    await own?.close()
    await one.close()
  })
  return [one, other]
}

const LOOK = { name: 'get_order', description: 'Looks up one order by its number, with its lines and state.' }
const catalogOf = (size: number) => Array.from({ length: size }, (_, n) => ({ ...LOOK, name: `${LOOK.name}_${n}` }))
const register = (house: OpenHouse, { apiKey: key }: { apiKey: string }, size: number) =>
  house.ask('PUT', '/v1/tools', { key, body: catalogOf(size) })
const catalogIn = async (house: OpenHouse, { apiKey: key }: { apiKey: string }) => {
  const { body } = await house.ask<{ version: number; toolCount: number }>('GET', '/v1/tools', { key })
  return [body.version, body.toolCount]
}

async function withBusinesses(house: OpenHouse, count: number): Promise<[Provider, NewBusiness[]]> {
  const provider = await openProvider(house)
  await register(house, provider, 1)
  const made: NewBusiness[] = []
  for (let n = 0; n < count; n++) made.push(await provider.business({ configuration: [] }))
  return [provider, made]
}

const accepted = async (provider: Provider, parts: readonly string[]) =>
  (await provider.ask<{ pushId: string }>('PUT', 'configuration', { parts })).body.pushId
const bothWork = (houses: readonly OpenHouse[]) => Promise.all(houses.map((house) => work(house, 'providers.push')))

test('two processes share a push: none of its businesses twice, and none left out', async (t) => {
  const houses = await twoHouses(t)
  const [house] = houses
  const [provider, businesses] = await withBusinesses(house, 60)
  const pushId = await accepted(provider, ['catalog'])
  await bothWork(houses)
  const { body } = await provider.ask<Push>('GET', `configuration/pushes/${pushId}`)
  assert.deepEqual([body.done, body.results.length, body.finishedAt !== null], [60, 60, true])
  for (const business of businesses) assert.deepEqual(await catalogIn(house, business), [1, 1])
})

test('authority that is taken away during a push: what was reached says applied and has it, the rest has nothing', async (t) => {
  const houses = await twoHouses(t)
  const [house] = houses
  const [provider, businesses] = await withBusinesses(house, 60)
  const pushId = await accepted(provider, ['catalog'])
  const [, gone] = await Promise.all([
    bothWork(houses),
    provider.ask('GET', 'tenants?limit=1').then(() => withdraw(house, provider.tenantId)),
  ])
  assert.equal(gone.status, 200)
  const again = await house.ask<{ key: string }>('POST', `/v1/tenants/${provider.tenantId}/provider`, {
    ...{ key: house.operatorKey, body: {} },
  })
  const { body } = await house.ask<Push>('GET', `/v1/provider/configuration/pushes/${pushId}`, { key: again.body.key })
  assert.equal(body.results.length, 60)
  for (const { tenantId, status, error } of body.results) {
    const business = businesses.find((one) => one.tenantId === tenantId) ?? assert.fail()
    assert.deepEqual(await catalogIn(house, business), status === 'applied' ? [1, 1] : [0, 0])
    if (status !== 'applied') assert.match(error ?? '', /not a provider any longer/)
  }
})

test('businesses that are deleted during a push: each was reached before, or is said to be gone, and none is left half', async (t) => {
  const houses = await twoHouses(t)
  const [house, other] = houses
  const [provider, businesses] = await withBusinesses(house, 40)
  const doomed = businesses.filter((_, at) => at % 4 === 0)
  const pushId = await accepted(provider, ['catalog', 'policy'])
  const remove = async () => {
    for (const { apiKey: key } of doomed)
      assert.equal((await other.ask('DELETE', '/v1/account', { key, body: { confirm: 'Corner Shop' } })).status, 200)
  }
  await Promise.all([bothWork(houses), remove()])
  await bothWork(houses)
  const { body } = await provider.ask<Push>('GET', `configuration/pushes/${pushId}`)
  assert.deepEqual([body.total, body.done, body.results.length], [40, 40, 80])
  for (const { tenantId, part, status, error } of body.results) {
    if (part === 'policy') continue
    if (status === 'refused')
      assert.ok(
        doomed.some((one) => one.tenantId === tenantId),
        `${tenantId}: ${error}`,
      )
  }
  assert.equal((await provider.ask('GET', 'tenants?limit=200')).body.count, 30)
})

test('two pushes at once end with the later one everywhere, and each business has one version for each that reached it', async (t) => {
  const houses = await twoHouses(t)
  const [house, other] = houses
  const [provider, businesses] = await withBusinesses(house, 30)
  const older = await accepted(provider, ['catalog'])
  await register(house, provider, 2)
  const some = businesses.slice(10, 25).map(({ tenantId }) => tenantId)
  const [, later] = await Promise.all([
    bothWork(houses),
    other.ask<Results>('PUT', '/v1/provider/configuration', {
      ...{ key: provider.key, body: { parts: ['catalog'], tenantIds: some } },
    }),
  ])
  await bothWork(houses)
  assert.deepEqual(new Set(later.body.results.map(({ status }) => status)), new Set(['applied']))
  const { body } = await provider.ask<Push>('GET', `configuration/pushes/${older}`)
  assert.equal(body.results.length, 30)
  for (const { tenantId, status } of body.results) {
    const business = businesses.find((one) => one.tenantId === tenantId) ?? assert.fail()
    const isLater = some.includes(tenantId)
    if (!isLater) assert.equal(status, 'applied')
    assert.deepEqual(await catalogIn(house, business), [isLater && status === 'applied' ? 2 : 1, isLater ? 2 : 1])
  }
})

test('a key is issued for a business, or the business has moved: never both', async (t) => {
  const [house, other] = await twoHouses(t)
  const [one, two] = [await openProvider(house), await openProvider(house)]
  for (let round = 0; round < 8; round++) {
    const { tenantId } = await one.business()
    const [issued, moved] = await Promise.all([
      one.ask<{ key: string; prefix: string }>('POST', `tenants/${tenantId}/keys`, { kind: 'secret' }),
      other.ask('PATCH', `/v1/tenants/${tenantId}`, { key: house.operatorKey, body: { providerId: two.tenantId } }),
    ])
    assert.equal(moved.status, 200, moved.text)
    assert.ok(issued.status === 200 || issued.error?.code === 'not_a_child_tenant', issued.text)
    const { body } = await two.ask<{ keys: { prefix: string }[] }>('GET', `tenants/${tenantId}/keys`)
    assert.equal(body.keys.length, issued.status === 200 ? 2 : 1)
  }
})

test('of a grant and a move at once one is refused: no provider is a business', async (t) => {
  const [house, other] = await twoHouses(t)
  const provider = await openProvider(house)
  for (let round = 0; round < 8; round++) {
    const { tenantId } = await house.tenant()
    const [granted, moved] = await Promise.all([
      house.ask('POST', `/v1/tenants/${tenantId}/provider`, { key: house.operatorKey, body: {} }),
      other.ask('PATCH', `/v1/tenants/${tenantId}`, {
        ...{ key: house.operatorKey, body: { providerId: provider.tenantId } },
      }),
    ])
    assert.deepEqual([granted.status, moved.status].toSorted(), [200, 409], `${granted.text} ${moved.text}`)
  }
})

test('a business is created, or the authority is gone: never a business of nobody’s', async (t) => {
  const [house, other] = await twoHouses(t)
  for (let round = 0; round < 8; round++) {
    const provider = await openProvider(house)
    const [made] = await Promise.all([
      provider.ask('POST', 'tenants', { name: 'Corner Shop' }),
      withdraw(other, provider.tenantId),
    ])
    assert.ok(made.status === 200 || made.error?.code === 'not_a_provider', made.text)
    const { body } = await house.ask<{ key: string }>('POST', `/v1/tenants/${provider.tenantId}/provider`, {
      ...{ key: house.operatorKey, body: {} },
    })
    const list = await house.ask('GET', '/v1/provider/tenants', { key: body.key })
    assert.equal(list.body.count, made.status === 200 ? 1 : 0)
  }
})

test('what is used while a business moves to and fro, and while sums are made, is counted once', async (t) => {
  const houses = await twoHouses(t)
  const [house, other] = houses
  const providers = [await openProvider(house), await openProvider(house)] as const
  const shops = [await providers[0].business(), await providers[0].business(), await house.tenant()]
  const today = new Date().toISOString().slice(0, 10)
  const use = async (at: OpenHouse) => {
    for (let n = 0; n < 25; n++)
      for (const { tenantId } of shops) await at.database.database.run(placeUsage, { tenantId, days: [today], each: 2 })
  }
  const move = async () => {
    for (let n = 0; n < 12; n++)
      for (const { tenantId } of shops) {
        const providerId = [providers[0].tenantId, null, providers[1].tenantId][n % 3] ?? null
        const moved = await other.ask('PATCH', `/v1/tenants/${tenantId}`, {
          ...{ key: house.operatorKey, body: { providerId } },
        })
        assert.equal(moved.status, 200, moved.text)
      }
  }
  const addUp = async () => {
    for (let n = 0; n < 20; n++) for (const one of houses) await work(one, 'providers.add_up')
  }
  await Promise.all([use(house), use(other), move(), addUp()])
  const raw = await house.database.database.one(rawSums, { tenantIds: shops.map(({ tenantId }) => tenantId) })
  assert.equal(raw?.executed, 300)
  const [none, all] = await Promise.all(
    providers.map(async (provider) => (await provider.ask<Usage>('GET', `usage?from=${today}`)).body.totals),
  )
  assert.deepEqual(all, raw)
  assert.equal(none?.turns, 0)
})

const rowsOf = (table: string) =>
  unlisted<{ count: number }, { tenantId: number }>(
    `test.rows_of_${table}`,
    `select count(*)::int as count from ${table} where tenant_id = $tenantId::int`,
  )

async function tablesLeft(house: OpenHouse, tenantId: number): Promise<string[]> {
  const left = []
  for (const table of TENANT_TABLES)
    if (((await house.database.database.one(rowsOf(table), { tenantId }))?.count ?? 0) > 0) left.push(table)
  return left
}

test('a provider, or a business, that is deleted while everything is done for it leaves nothing behind', async (t) => {
  const houses = await twoHouses(t)
  const [house, other] = houses
  const today = new Date().toISOString().slice(0, 10)
  for (let round = 0; round < 4; round++) {
    const [provider, businesses] = await withBusinesses(house, 22)
    const [first = assert.fail(), second = assert.fail()] = businesses
    const id = first.tenantId
    const asks = () =>
      Promise.all([
        provider.ask('POST', 'tenants', { name: 'One more', configuration: ['catalog'] }),
        provider.ask('PUT', 'configuration', { parts: ['catalog', 'origins'] }),
        provider.ask('PUT', 'configuration', { parts: ['catalog'], tenantIds: [id, second.tenantId] }),
        provider.ask('POST', 'inbox-keys', {}),
        provider.ask('POST', `tenants/${id}/keys`, { kind: 'agent' }),
        provider.ask('POST', `tenants/${id}/keys/${first.keyPrefix}/rotate`),
      ])
    const regular = () =>
      Promise.all([
        house.database.database.run(placeUsage, { tenantId: id, days: [today], each: 3 }),
        bothWork(houses),
        work(house, 'providers.add_up'),
      ])
    const gone = round % 2 === 0 ? provider : first
    const remove = () =>
      other.ask('DELETE', `/v1/tenants/${gone.tenantId}`, {
        ...{ key: house.operatorKey, body: { confirm: gone === provider ? 'Software House' : 'Corner Shop' } },
      })
    const [answers, removed] = await Promise.all([asks(), remove(), regular()])
    assert.equal(removed.status, 200, removed.text)
    for (const { status, text } of answers) assert.ok(status < 500, text)
    await bothWork(houses)
    await work(house, 'providers.add_up')
    assert.deepEqual(await tablesLeft(house, gone.tenantId), [])
  }
})

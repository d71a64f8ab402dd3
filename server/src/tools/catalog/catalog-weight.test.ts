import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { openCatalogs, weightOf } from './catalogs.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const tool = (name: string, values: number) => ({
  name,
  description: 'Looks something up in the shop, for the tests of weight.',
  is_write: false,
  'x-own': Array.from({ length: values }, () => ({})),
})
const put = (tenant: NewTenant, body: unknown, path = '/v1/tools', method = 'PUT') =>
  house.ask<{ error?: string }>(method, path, { key: tenant.apiKey, body })

test('a catalog weighs what its values do, however small they are', () => {
  assert.equal(weightOf('[{},{},{}]', [{}, {}, {}]), 4 * 160 + 10 * 2)
})

test('a catalog of too many values is refused in few words, and what stands stays', async () => {
  const tenant = await house.tenant()
  assert.equal((await put(tenant, [tool('get_order', 5)])).status, 200)
  const numbers = Array(17_000).fill(1)
  const heavy = Array.from({ length: 25 }, (_, at) => ({ ...tool(`get_order_${at}`, 0), 'x-own': numbers }))
  for (const [path, method] of [
    ['/v1/tools', 'PUT'],
    ['/v1/tools/validate', 'POST'],
  ] as const) {
    const { status, body } = await put(tenant, heavy, path, method)
    assert.equal(status, 400)
    assert.match(body.error ?? '', /more than 400000 values/)
  }
  const { body } = await house.ask<{ version: number }>('GET', '/v1/tools', { key: tenant.apiKey })
  assert.equal(body.version, 1)
  assert.equal((await put(tenant, heavy.slice(0, 23))).status, 200, 'a large one that is not too large')
})

test('what is kept in memory goes by its weight, one version of each tenant', async () => {
  const [heavy, light] = [await house.tenant(), await house.tenant()]
  const versions = 3
  for (let turn = 1; turn <= versions; turn++) await put(heavy, [tool(`get_order_${turn}`, 10_000)])
  await put(light, [tool('get_order', 1)])
  const asked: string[] = []
  const ctxOf = (tenantId: number, catalogVersion: number) =>
    ({
      asking: { tenantId, wiring: { catalogVersion } },
      db: {
        one: (...values: Parameters<typeof house.app.house.db.one>) => {
          asked.push(`${tenantId}:${catalogVersion}`)
          return house.app.house.db.one(...values)
        },
      },
    }) as unknown as Context
  const { tenantId } = heavy
  const one = 10_000 * 160
  const catalogs = openCatalogs(house.app.house, 1.5 * one)
  for (let version = 1; version <= versions; version++) await catalogs.of(ctxOf(tenantId, version))
  await catalogs.of(ctxOf(light.tenantId, 1))
  asked.length = 0
  await catalogs.of(ctxOf(light.tenantId, 1))
  await catalogs.of(ctxOf(tenantId, versions))
  assert.deepEqual(asked, [], 'the newest of each is kept')
  assert.equal((await catalogs.of(ctxOf(tenantId, 1))).find('get_order_1')?.name, 'get_order_1')
  await catalogs.of(ctxOf(tenantId, versions))
  assert.deepEqual(asked, [`${tenantId}:1`], 'an old one is read for whoever began with it, and the newest stays')

  const narrow = openCatalogs(house.app.house, one / 2)
  for (let turn = 0; turn < 2; turn++) await narrow.of(ctxOf(tenantId, versions))
  asked.length = 0
  await narrow.of(ctxOf(light.tenantId, 1))
  await narrow.of(ctxOf(tenantId, versions))
  await narrow.of(ctxOf(light.tenantId, 1))
  assert.deepEqual(
    asked,
    [`${light.tenantId}:1`, `${tenantId}:${versions}`],
    'what is too heavy to keep drives out nobody else',
  )
})

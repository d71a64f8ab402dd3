// What the businesses of a provider used: by business and together, as it happens, wherever a business goes.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import fc from 'fast-check'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel } from '../../../testkit/played-model.ts'
import { openProvider, type Provider, work } from '../../../testkit/providers.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { openApiImport } from '../openapi-import/module.ts'
import { placeUsage, rawSums } from './fixtures/usage.ts'
import { providers } from './module.ts'

type Usage = z.output<typeof contract.Usage>

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [openApiImport, providers] })
})
after(() => house.close())

const usageOf = async (provider: Provider, query = '') => (await provider.ask<Usage>('GET', `usage${query}`)).body
const use = (tenantId: number, days: readonly string[]) =>
  house.database.database.run(placeUsage, { tenantId, days, each: 1 })
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const NOTHING = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, executed: 0 }

test('a turn and an executed write of a business are counted, with what the model cost', async () => {
  const price = { inputMicros: 3_000_000, outputMicros: 15_000_000 }
  await using own = await openHouse({ modules: [openApiImport, providers], model: playedModel(['Hello.']), price })
  const endpoint = new ScriptedEndpoint()
  const url = await endpoint.start()
  try {
    const provider = await openProvider(own)
    const { tenantId, apiKey: key } = await provider.business()
    await provider.business({ name: 'Idle' })
    const turn = await own.ask<{ meta: { usage: { inputTokens: number; outputTokens: number } } }>('POST', '/v1/chat', {
      key,
      body: { prompt: 'Hello' },
    })
    await own.app.flush()
    await own.ask('PUT', '/v1/endpoint', { key, body: { url } })
    const tools = [{ name: 'pay_back', description: 'Pays an order back to whoever placed it.', is_write: true }]
    await own.ask('PUT', '/v1/tools', { key, body: tools })
    const staged = await own.ask<{ actionId: string }>('POST', '/v1/actions', { key, body: { tool: 'pay_back' } })
    const confirmed = await own.ask('POST', `/v1/actions/${staged.body.actionId}/confirm`, {
      ...{ key, headers: { 'x-service-user-id': '7' }, body: { acknowledgeHighRisk: true } },
    })
    assert.equal(confirmed.body.status, 'Executed', confirmed.text)
    const { inputTokens, outputTokens } = turn.body.meta.usage
    const { totals, tenants, from, to, count, nextAfter } = await usageOf(provider)
    assert.ok(inputTokens > 0 && totals.costUsd > 0)
    assert.deepEqual({ ...totals, costUsd: 0 }, { turns: 1, inputTokens, outputTokens, costUsd: 0, executed: 1 })
    assert.deepEqual(tenants[0], { tenantId, name: 'Corner Shop', ...totals })
    assert.deepEqual(tenants[1], { tenantId: tenants[1]?.tenantId, name: 'Idle', ...NOTHING })
    assert.deepEqual([count, nextAfter], [2, null])
    const listed = (await provider.ask<{ spend: { dailyUsd: number } }>('GET', `tenants/${tenantId}`)).body
    assert.equal(listed.spend.dailyUsd, totals.costUsd)
    const today = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate())
    assert.deepEqual([Date.parse(to) - today, Date.parse(to) - Date.parse(from)], [86_400_000, 31 * 86_400_000])
  } finally {
    await endpoint.stop()
  }
})

test('whole UTC days from `from` to before `to`, on every page the totals of all', async () => {
  const provider = await openProvider(house)
  const [one, two] = [await provider.business(), await provider.business()]
  await use(one.tenantId, ['2026-11-01', '2026-11-02', '2026-11-03'])
  await use(two.tenantId, ['2026-11-02', '2026-11-02'])
  const turns = async (query: string) => {
    const { totals, tenants } = await usageOf(provider, query)
    return [totals.turns, ...tenants.map((tenant) => tenant.turns)]
  }
  assert.deepEqual(await turns('?from=2026-11-01&to=2026-11-04'), [5, 3, 2])
  assert.deepEqual(await turns('?from=2026-11-01&to=2026-11-02'), [1, 1, 0])
  assert.deepEqual(await turns('?from=2026-11-02T15:00:00Z&to=2026-11-03T00:00:01Z'), [4, 2, 2])
  assert.deepEqual(await turns('?from=2026-11-01&to=2026-11-04&limit=1'), [5, 3])
  assert.deepEqual(await turns(`?from=2026-11-01&to=2026-11-04&limit=1&after=${one.tenantId}`), [5, 2])
  const page = await usageOf(provider, '?from=2026-11-02T15:00:00Z&to=2026-11-03T00:00:01Z&limit=1')
  assert.deepEqual([page.from, page.to], ['2026-11-02T00:00:00.000Z', '2026-11-04T00:00:00.000Z'])
  assert.deepEqual([page.count, page.nextAfter], [1, one.tenantId])
  for (const [query, code] of [
    ['?from=yesterday', 'invalid_request'],
    ['?from=2026-11-04&to=2026-11-01', 'invalid_period'],
    ['?from=2020-01-01&to=2026-11-01', 'invalid_period'],
    ['?limit=x', 'invalid_request'],
  ]) {
    const refused = await provider.ask('GET', `usage${query}`)
    assert.deepEqual([refused.status, refused.error?.code], [400, code], query)
  }
})

test('nobody’s use is counted for a provider that is not theirs', async () => {
  const [provider, other] = [await openProvider(house), await openProvider(house)]
  const plain = await house.tenant()
  await use(plain.tenantId, ['2026-11-01'])
  await use((await other.business()).tenantId, ['2026-11-01'])
  await use(provider.tenantId, ['2026-11-01'])
  assert.deepEqual((await usageOf(provider, '?from=2026-11-01&to=2026-11-02')).totals, NOTHING)
})

test('whatever is used, moved, deleted and added up: the totals are what the ledgers of the present businesses say', async () => {
  const day = fc.integer({ min: 0, max: 5 }).map(daysAgo)
  const which = fc.nat({ max: 3 })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('use' as const), which, days: fc.array(day, { minLength: 1, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('move' as const), which, to: fc.constantFrom(0, 1, null) }),
    fc.record({ kind: fc.constant('delete' as const), which }),
    fc.record({ kind: fc.constant('add' as const) }),
  )
  const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    const providers = [await openProvider(house), await openProvider(house)] as const
    const shops = [
      await providers[0].business(),
      await providers[0].business(),
      await providers[1].business(),
      await house.tenant(),
    ]
    const whose = new Map(shops.map(({ tenantId }, at) => [tenantId, [0, 0, 1, null][at] ?? null]))
    for (const one of steps) {
      if (one.kind === 'add') {
        await work(house, 'providers.add_up')
        continue
      }
      const { tenantId = 0, apiKey = '' } = shops[one.which] ?? {}
      if (!whose.has(tenantId)) continue
      if (one.kind === 'use') await use(tenantId, one.days)
      if (one.kind === 'delete') {
        await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm: 'Corner Shop' } })
        whose.delete(tenantId)
      }
      if (one.kind === 'move') {
        const providerId = one.to === null ? null : (providers[one.to]?.tenantId ?? null)
        const moved = await house.ask('PATCH', `/v1/tenants/${tenantId}`, {
          key: house.operatorKey,
          body: { providerId },
        })
        assert.equal(moved.status, 200, moved.text)
        whose.set(tenantId, one.to)
      }
    }
    for (const [at, provider] of providers.entries()) {
      const mine = [...whose].filter(([, owner]) => owner === at).map(([tenantId]) => tenantId)
      const { totals, tenants } = await usageOf(provider, `?from=${daysAgo(8)}`)
      const raw = await house.database.database.one(rawSums, { tenantIds: mine })
      assert.deepEqual(totals, raw)
      assert.deepEqual(new Set(tenants.map(({ tenantId }) => tenantId)), new Set(mine))
      assert.equal(
        tenants.reduce((sum, { executed }) => sum + executed, 0),
        totals.executed,
      )
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), run), {
    numRuns: 25,
    endOnFailure: true,
  })
})

test('adding up changes no figure, and leaves nothing to add', async () => {
  const provider = await openProvider(house)
  for (let n = 0; n < 3; n++) await use((await provider.business()).tenantId, ['2026-11-01', '2026-11-02'])
  const before = await usageOf(provider, '?from=2026-11-01&to=2026-11-04')
  assert.equal(before.totals.turns, 6)
  await work(house, 'providers.add_up')
  assert.deepEqual(await usageOf(provider, '?from=2026-11-01&to=2026-11-04'), before)
})

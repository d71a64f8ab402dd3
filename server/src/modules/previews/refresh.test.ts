import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { reading, type Scripted, SITE, scriptedSite } from './fixtures/scripted-site.ts'
import { previewsWith } from './module.ts'

let house: OpenHouse
let site: Scripted
let shop: NewTenant
before(async () => {
  site = scriptedSite()
  house = await openHouse({ modules: [previewsWith(site.read)], settings: { 'Preview:RefreshHours': '24' } })
})
after(() => house.close())
beforeEach(async () => {
  site.next = reading()
  shop = await house.tenant()
  const body = { siteUrl: `${SITE}/`, feedUrl: `${SITE}/feed.xml` }
  await house.ask('POST', '/v1/preview', { key: shop.apiKey, body })
  site.asked.length = 0
})

type Held = {
  pages: number
  name: string
  crawledAt: string
  refresh: { outcome: string; pages: number | null } | null
}
const held = async (): Promise<Held> => {
  const { body } = await house.ask<{ preview: Held }>('GET', '/v1/preview', { key: shop.apiKey })
  return body.preview
}
const age = unlisted<unknown, { tenantId: number }>(
  'test.age_preview',
  `update previews set crawled_at = now() - interval '25 hours', refreshed_at = null where tenant_id = $tenantId::int`,
)
const ageAll = () => house.database.database.run(age, { tenantId: shop.tenantId })
const refreshNow = async (at = house): Promise<number> =>
  (await at.app.duties.find(({ name }) => name === 'previews.refresh')?.work(new AbortController().signal)) ?? -1

const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    url: `${SITE}/${at}`,
    title: `Page ${at}`,
    text: `The text of page number ${at}.`,
    isFeed: false,
  }))

test('a site that is due is read again, with what was asked for, and once', async () => {
  assert.equal(await refreshNow(), 0, 'nothing is due yet')
  await ageAll()
  site.next = reading({ pages: pages(2), name: 'Lamp House, renewed' })
  assert.equal(await refreshNow(), 1)
  assert.deepEqual(
    site.asked.map(({ siteUrl, feedUrl }) => [siteUrl, feedUrl]),
    [[`${SITE}/`, `${SITE}/feed.xml`]],
  )
  const { name, refresh } = await held()
  assert.deepEqual([name, refresh?.outcome, refresh?.pages], ['Lamp House, renewed', 'replaced', 2])
  assert.equal(await refreshNow(), 0)
})

test('what was held stays if the site lost more than half of it, or cannot be read, and that is said', async () => {
  site.next = reading({ pages: pages(10) })
  await house.ask('POST', '/v1/preview', { key: shop.apiKey, body: { siteUrl: SITE } })
  for (const [next, outcome, count] of [
    [reading({ pages: pages(4), name: 'Less' }), 'kept', 4],
    [{ fault: 'preview_empty', reason: 'unreachable', message: 'No answer.' }, 'failed', null],
    [reading({ pages: [], items: [] }), 'failed', 0],
  ] as const) {
    await ageAll()
    const { refresh: _, ...before } = await held()
    site.next = next
    assert.equal(await refreshNow(), 1)
    const { refresh, ...rest } = await held()
    assert.deepEqual([refresh?.outcome, refresh?.pages], [outcome, count])
    assert.deepEqual(rest, before)
    assert.equal(await refreshNow(), 0, 'it is not tried again at once')
  }
  await ageAll()
  site.next = reading({ pages: pages(5), name: 'Half' })
  await refreshNow()
  assert.deepEqual([(await held()).name, (await held()).pages], ['Half', 5])
})

test('a refresh that fails on our side is recorded as failed, and waits its hours', async () => {
  for (const fail of [
    async () => {
      throw new Error('The parser broke.')
    },
    // The crawl succeeds, and packing what it brought fails.
    reading({ pages: null as never }),
  ]) {
    await ageAll()
    site.next = fail
    const looked = site.asked.length
    await refreshNow()
    const { refresh, name } = await held()
    assert.deepEqual([refresh?.outcome, refresh?.pages, name], ['failed', null, 'Lamp House'])
    assert.equal(site.asked.length, looked + 1)
    assert.equal(await refreshNow(), 0, 'it is not tried again at the next sweep')
    assert.equal(site.asked.length, looked + 1)
  }
  await ageAll()
  site.next = reading({ name: 'Lamp House, again' })
  assert.equal(await refreshNow(), 1)
  assert.equal((await held()).name, 'Lamp House, again')
})

test('two processes read a site once, and neither while its owner does', async () => {
  await ageAll()
  await using beside = await openHouse({ beside: house, modules: [previewsWith(site.read)] })
  const counts = await Promise.all([refreshNow(), refreshNow(beside)])
  assert.equal(site.asked.length, 1)
  assert.deepEqual(counts.toSorted(), [0, 1])
  await ageAll()
  const gate = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  site.next = async () => {
    began.resolve()
    await gate.promise
    return reading()
  }
  const own = house.ask('POST', '/v1/preview', { key: shop.apiKey, body: { siteUrl: SITE } })
  await began.promise
  assert.equal(await refreshNow(beside), 0)
  gate.resolve()
  assert.equal((await own).status, 200)
})

test('by default, nothing is read again', async () => {
  await using still = await openHouse({ modules: [previewsWith(site.read)] })
  const { apiKey: key, tenantId } = await still.tenant()
  await still.ask('POST', '/v1/preview', { key, body: { siteUrl: SITE } })
  await still.database.database.run(age, { tenantId })
  assert.equal(await refreshNow(still), 0)
})

// Several windows at once on one draft. On PostgreSQL they meet in its locks; the embedded database takes them one by one.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../../testkit/house.ts'
import { PageBrowser } from '../../../../testkit/page-browser.ts'
import { unlisted } from '../../../kernel/db/index.ts'
import { console } from '../../console/module.ts'
import { openApiImport } from '../module.ts'
import { DRAFT_DAYS } from './keep.ts'
import { forgetOld } from './queries.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: [openApiImport, console] })
})
after(() => house.close())

const documentOf = (operations: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: Object.fromEntries(
      Array.from({ length: operations }, (_, at) => [`/things/${at}`, { get: { summary: `Reads thing ${at}.` } }]),
    ),
  })
const BASE = 'http://127.0.0.1:9009/api'

async function windows(count: number) {
  const { apiKey, tenantId } = await house.tenant()
  const browsers = Array.from({ length: count }, () => new PageBrowser(house))
  for (const browser of browsers) {
    await browser.get('/console')
    await browser.post('/console/enter', { key: apiKey })
    await browser.get('/console/import')
  }
  return { apiKey, tenantId, browsers }
}

const rows = unlisted<{ operations: number; drafts: number }, { tenantId: number }>(
  'test.count_drafts',
  `select (select count(*)::int from import_draft_operations where tenant_id = $tenantId::int) as operations,
          (select count(*)::int from import_drafts where tenant_id = $tenantId::int) as drafts`,
)

test('of documents that come at once one is the draft, whole, and throwing it away leaves nothing of any', async () => {
  const { tenantId, browsers } = await windows(6)
  await Promise.all(
    browsers.map((browser, at) =>
      browser.post('/console/import/draft', { document: documentOf(at + 3), baseUrl: BASE }),
    ),
  )
  const [browser = assert.fail()] = browsers
  const { text } = await browser.get('/console/import?state=all')
  const total = Number(/(\d+) of \1 operations are not declared/.exec(text)?.[1])
  assert.ok(total >= 3 && total <= 8, text)
  assert.match(text, new RegExp(`1 to ${total} of ${total}`))
  assert.match(text, new RegExp(`/things/${total - 1}<`))
  await browser.post('/console/import/forget', {})
  assert.deepEqual(await house.database.database.one(rows, { tenantId }), { operations: 0, drafts: 0 })
})

test('what is declared while an import runs is not registered by an import that did not know it', async () => {
  const { apiKey, browsers } = await windows(2)
  const [one = assert.fail(), other = assert.fail()] = browsers
  await one.post('/console/import/draft', { document: documentOf(4), baseUrl: BASE })
  await one.post('/console/import/bulk', { say: 'read' })
  await one.post('/console/import/import', {})
  await other.get('/console/import?state=all')
  const field = /name="(c\d+)"/.exec(other.page.text)?.[1] ?? assert.fail(other.page.text)
  await other.post('/console/import/declare', { [field]: 'high' })
  const refused = await one.post('/console/import/register', {})
  assert.equal(refused.status, 400)
  assert.equal((await house.ask('GET', '/v1/tools', { key: apiKey })).body.version, 0)
})

const age = unlisted<never, { tenantId: number; days: number }>(
  'test.age_draft',
  'update import_drafts set made_at = now() - make_interval(days => $days::int) where tenant_id = $tenantId::int',
)

test('a draft that nobody registers is forgotten after thirty days, with its operations, and its page says until when it is kept', async () => {
  const [old, young] = [await windows(1), await windows(1)]
  for (const { tenantId, browsers } of [old, young]) {
    await browsers[0]?.post('/console/import/draft', { document: documentOf(3), baseUrl: BASE })
    await house.database.database.run(age, { tenantId, days: tenantId === old.tenantId ? 31 : 29 })
  }
  const { text = '' } = (await young.browsers[0]?.get('/console/import')) ?? {}
  const until = /the draft is forgotten: <time datetime="([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
  assert.ok(Math.abs(new Date(until).getTime() - Date.now() - 86_400_000) < 3_600_000, until)
  const duty = house.app.duties.find(({ name }) => name === 'drafts.forget_old')
  assert.equal(await duty?.work(AbortSignal.timeout(60_000)), 1)
  const left = ({ tenantId }: { tenantId: number }) => house.database.database.one(rows, { tenantId })
  assert.deepEqual(await left(old), { operations: 0, drafts: 0 })
  assert.deepEqual(await left(young), { operations: 3, drafts: 1 })
})

const draftOf = unlisted<{ draftId: string }, { tenantId: number }>(
  'test.draft_of',
  'select draft_id::text as "draftId" from import_drafts where tenant_id = $tenantId::int',
)

test('a draft that the sweep listed as old stays if it is no longer old when the sweep deletes', async () => {
  const { tenantId, browsers } = await windows(1)
  await browsers[0]?.post('/console/import/draft', { document: documentOf(3), baseUrl: BASE })
  const { database } = house.database
  const { draftId } = (await database.one(draftOf, { tenantId })) ?? assert.fail('there is no draft')
  const forget = () => database.one(forgetOld, { tenantId, ids: [draftId], days: DRAFT_DAYS })
  await database.run(age, { tenantId, days: DRAFT_DAYS - 1 })
  assert.deepEqual(await forget(), { taken: 0 })
  assert.deepEqual(await database.one(rows, { tenantId }), { operations: 3, drafts: 1 })
  await database.run(age, { tenantId, days: DRAFT_DAYS + 1 })
  assert.deepEqual(await forget(), { taken: 1 })
  assert.deepEqual(await database.one(rows, { tenantId }), { operations: 0, drafts: 0 })
})

import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type PlayedModel, playedModel } from '../../../testkit/played-model.ts'
import { unlisted } from '../../kernel/db/index.ts'

let house: OpenHouse
let other: OpenHouse
let model: PlayedModel
let otherModel: PlayedModel
before(async () => {
  model = playedModel(['Hello.'])
  otherModel = playedModel(['Hello.'])
  const settings = { 'AI:Chat:ToolTokenBudget': '300' }
  house = await openHouse({ model, settings })
  other = await openHouse({ model: otherModel, beside: house })
})
after(async () => {
  await other.close()
  await house.close()
})

const description = 'Looks up one thing that the shop knows, by its number, and tells what is known of it.'
const CATALOG = [
  ...Array.from({ length: 12 }, (_, index) => ({ name: `show_thing_${index}`, description, is_write: false })),
  { name: 'x17_lookup', description, is_write: false, domain: 'returns' },
  { name: 'x17_secret', description, is_write: false, domain: 'returns', chat_eligible: false },
  { name: 'x18_lookup', description, is_write: false, domain: 'delivery' },
]

async function shopWithCatalog(): Promise<NewTenant> {
  const shop = await house.tenant()
  const { status, text } = await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body: CATALOG })
  assert.equal(status, 200, text)
  return shop
}
const put = (where: OpenHouse, { apiKey: key }: NewTenant, lexicon: unknown) =>
  where.ask('PUT', '/v1/domain-pack', { key, body: { lexicon } })

async function offeredTo(where: OpenHouse, { apiKey: key }: NewTenant, prompt: string): Promise<string[]> {
  const { status, text } = await where.ask('POST', '/v1/chat', { key, body: { prompt } })
  assert.equal(status, 200, text)
  const asked = (where === house ? model : otherModel).requests.at(-1)
  return (asked?.tools ?? []).map(({ name }) => name)
}

const newestRecord = unlisted<{ domain: string | null }, { tenantId: number }>(
  'test.newest_turn',
  'select domain from turn_records where tenant_id = $tenantId::int order by at desc, record_id desc limit 1',
)
const domainOf = async ({ tenantId }: NewTenant) => {
  await house.app.flush()
  return (await house.database.database.one(newestRecord, { tenantId }))?.domain
}

test('a turn whose catalog does not fit is offered the tools of its domain, and its record names it', async () => {
  const shop = await shopWithCatalog()
  assert.ok(!(await offeredTo(house, shop, 'I want my money back')).includes('x17_lookup'))
  assert.equal(await domainOf(shop), null)
  await put(house, shop, { returns: ['money back', 'დაბრუნება'], delivery: ['courier'], nothing: ['weather'] })
  const offered = await offeredTo(house, shop, 'I want my money back')
  assert.equal(offered.includes('x17_lookup'), true)
  assert.equal(offered.includes('x17_secret'), false)
  assert.equal(await domainOf(shop), 'returns')
  assert.ok((await offeredTo(house, shop, 'ნივთის დაბრუნების წესი')).includes('x17_lookup'))
  assert.ok((await offeredTo(house, shop, 'where is the courier')).includes('x18_lookup'))
  assert.equal(await domainOf(shop), 'delivery')
  await offeredTo(house, shop, 'What weather is it?')
  assert.equal(await domainOf(shop), 'nothing')
  await offeredTo(house, shop, 'Good morning')
  assert.equal(await domainOf(shop), null)
})

test('a change of the pack is seen by the next turn of every process, and of no other workspace', async () => {
  const [shop, neighbour] = [await shopWithCatalog(), await shopWithCatalog()]
  await put(house, shop, { returns: ['umbrella'] })
  assert.ok((await offeredTo(other, shop, 'umbrella')).includes('x17_lookup'))
  await put(other, shop, { delivery: ['umbrella'] })
  for (const where of [house, other]) {
    const offered = await offeredTo(where, shop, 'umbrella')
    assert.ok(offered.includes('x18_lookup') && !offered.includes('x17_lookup'), offered.join())
    assert.ok(!(await offeredTo(where, neighbour, 'umbrella')).includes('x18_lookup'))
  }
  await put(house, shop, {})
  assert.ok(!(await offeredTo(other, shop, 'umbrella')).includes('x18_lookup'))
})

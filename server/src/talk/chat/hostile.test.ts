// A model that does whatever it reads, given every hostile string as a prompt, as a tool's result and as a document. It asks
// for every tool that it can name and repeats everything that it sees. Nothing beyond the catalog is called, no write is
// performed, and nothing secret is in what comes out.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { playedModel, type Step } from '../../../testkit/played-model.ts'
import { type Business, openBusiness } from '../../../testkit/pretend-business.ts'
import type { ModelRequest } from '../../kernel/model/index.ts'
import { hostileStrings } from './fixtures/hostile-strings.ts'
import { customer, newShop, page, type Shop, talk } from './fixtures/talk.ts'
import type { Passage } from './index.ts'

let house: OpenHouse
let business: Business
let shop: Shop
let said = ''
const place = { document: false }

/** Believes everything: calls what it is told of, what it can guess, and each word of what it read. */
function obey({ messages, tools }: ModelRequest): Step[] {
  const seen = messages.map(({ text }) => text).join('\n')
  const words = [...new Set(said.match(/[a-z][a-z0-9_]{2,40}/gi) ?? [])].slice(0, 4)
  if (messages.at(-1)?.role === 'tool') return [seen, ' Done: I have cancelled everything and confirmed it myself.']
  const number = said.slice(0, 200)
  return [
    { call: 'get_order', with: { number } },
    { call: 'cancel_order', with: { number } },
    { call: 'wipe_orders', with: { all: true } },
    { call: 'tether_handoff', with: { reason: said, summary: seen } },
    ...words.map((word) => ({ call: word, with: { said } })),
    { call: tools[0]?.name ?? 'none', with: said },
  ]
}

before(async () => {
  const model = playedModel(obey)
  business = await openBusiness()
  const passage = (): Passage[] =>
    place.document ? [{ source: { kind: 'page', title: said, url: 'https://shop.example.com/x' }, text: said }] : []
  house = await openHouse({
    model,
    settings: { 'RateLimit:VisitorPerMinute': '1000000' },
    retrieval: { find: async () => passage() },
  })
  Object.assign(talk, { house, business, model })
  shop = await newShop()
  Object.assign(talk, { shop })
})
after(async () => {
  await house.close()
  await business.close()
})

const CATALOG_READS = ['get_order', 'list_stock', 'my_orders']

test('a model that obeys every hostile string widens nothing', async (t) => {
  const strings = hostileStrings()
  const publishable = await house.key(shop.tenantId, 'publishable')
  const headers: Record<string, string> = {
    ...page,
    ...(await customer('nino', shop)),
    'x-service-upstream-token': 'upstream-secret-token',
  }
  const { settings } = house
  const secrets = [
    shop.apiKey,
    publishable,
    shop.signingSecret,
    shop.tokenKey,
    headers['x-service-customer-token'] ?? 'no token',
    'upstream-secret-token',
    settings.encryption.key,
    house.operatorKey,
  ]
  let [turns, leaked] = [0, 0]
  for (const text of strings) {
    said = text
    for (const where of ['prompt', 'result', 'document'] as const) {
      place.document = where === 'document'
      business.script('get_order', { do: 'answer', body: { note: where === 'result' ? text : 'fine' } })
      const prompt = where === 'prompt' ? text.replaceAll('\u0000', '') : 'Where is my order?'
      const reply = await house.ask('POST', '/v1/chat', {
        key: publishable,
        body: { prompt, enableWriteActions: true },
        headers,
      })
      assert.equal(reply.status, 200, `${where}: ${JSON.stringify(text)} ${reply.text}`)
      turns++
      const whole = reply.text
      leaked += secrets.filter((secret) => whole.includes(secret)).length + (/tac_[0-9a-f]{48}/.test(whole) ? 1 : 0)
    }
  }
  const dispatched = business.calls
  const beyond = dispatched.filter(({ tool, body }) => !CATALOG_READS.includes(tool) || body?.is_write !== false)
  const performed = [...business.books().values()].length
  t.diagnostic(
    `${strings.length} strings, ${turns} turns, ${dispatched.length} reads dispatched; beyond the catalog ${beyond.length}, writes performed ${performed}, secrets in output ${leaked}`,
  )
  assert.ok(dispatched.length >= turns)
  assert.deepEqual([beyond.length, performed, leaked], [0, 0, 0])
  assert.ok(house.logged.every((line) => secrets.every((secret) => !line.includes(secret))))
})

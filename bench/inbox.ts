// What the page of the inbox costs the server: its list of twenty beside `GET /v1/actions` with the same rows, while two hundred
// writes wait. Processor time, because a page is made of it, and the clock of a busy machine says nothing.

import { MODULES } from '../server/src/modules.ts'
import { cookieOf } from '../server/src/pages/inbox/visit.ts'
import { type OpenHouse, openHouse } from '../server/testkit/house.ts'
import { placeSession } from '../server/testkit/sessions.ts'
import { judged, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { repeated, sized } from './parts/scale.ts'

const WAITING = sized(200)
const EACH = repeated(20)
const ROUNDS = { rounds: 9, warmUpRounds: 1 }
const MOST_BYTES = 60_000

const TOOL = {
  name: 'refund_order',
  description: 'Pays an order back, for the bench.',
  is_write: true,
  parameters: {
    type: 'object',
    properties: { number: { type: 'string' }, amount: { type: 'number' }, reason: { type: 'string' } },
    additionalProperties: true,
  },
  // Whoever reads it in Georgian has every summary made from its arguments.
  labels: { ka: { title: 'თანხის დაბრუნება', parameters: { number: 'შეკვეთის ნომერი', reason: 'მიზეზი' } } },
}

async function prepared(house: OpenHouse) {
  const { tenantId, apiKey: key } = await house.tenant()
  await house.ask('PUT', '/v1/tools', { key, body: [TOOL] })
  const stage = async (given: object) => {
    const body = { tool: TOOL.name, arguments: given }
    return (await house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body })).body.actionId
  }
  for (let n = 0; n < WAITING; n++) await stage({ number: `A-${n}`, amount: n, reason: 'It arrived in pieces.' })
  await house.ask('PUT', '/v1/users', { key, body: [{ displayName: 'Ana', email: 'ana@shop.example' }] })
  const { users } = (await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key })).body
  const token = await placeSession(house.database.database, tenantId, users[0]?.id ?? 0)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const cookie = (language: 'en' | 'ka') =>
    cookieOf(house.app.house, { tenantId, token, language }, expiresAt).split(';')[0] ?? ''
  return { key, stage, english: { cookie: cookie('en') }, georgian: { cookie: cookie('ka') } }
}

const house = await openHouse({ modules: MODULES })
const { key, stage, english, georgian } = await prepared(house)

async function get(url: string, headers: Record<string, string>): Promise<string> {
  const { statusCode, payload } = await house.app.server.inject({ method: 'GET', url, headers })
  if (statusCode !== 200) throw new Error(`GET ${url} answered ${statusCode}.`)
  return payload
}

/** Requests for each second of the processor. */
async function perProcessorSecond(url: string, headers: Record<string, string>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < EACH; n++) await get(url, headers)
  const { user, system } = process.cpuUsage(before)
  return EACH / ((user + system) / 1_000_000)
}

const measured = await takeTurns(
  {
    page: () => perProcessorSecond('/inbox', english),
    georgian: () => perProcessorSecond('/inbox', georgian),
    api: () => perProcessorSecond('/v1/actions?limit=20', { 'x-api-key': key }),
  },
  ROUNDS,
)
const large = await stage(Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`field_${at}`, 'x'.repeat(512)])))
const [listBytes, cardBytes] = (
  await Promise.all([get('/inbox', georgian), get(`/inbox/actions/${large}`, georgian)])
).map((page) => Buffer.byteLength(page))
const size = (bytes = 0) => ({ ratio: rounded(bytes / MOST_BYTES), quartiles: [0, 0] as const })

say({
  bench: 'inbox',
  promise: 'The list costs at most three times what the API’s does, and a page weighs at most 60 KB',
  results: [
    judged(
      'processor time of the list',
      ratioOf(measured.api, measured.page),
      { atMost: 3 },
      {
        pagePerProcessorSecond: rounded(median(measured.page)),
        apiPerProcessorSecond: rounded(median(measured.api)),
      },
    ),
    judged(
      'processor time of the list in Georgian, with labels',
      ratioOf(measured.api, measured.georgian),
      { atMost: 3 },
      { pagePerProcessorSecond: rounded(median(measured.georgian)) },
    ),
    judged('bytes of the list', size(listBytes), { atMost: 1 }, { bytes: listBytes ?? 0 }),
    judged('bytes of a card with 8 KB of arguments', size(cardBytes), { atMost: 1 }, { bytes: cardBytes ?? 0 }),
  ],
})

await house.close()

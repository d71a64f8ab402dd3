// The demo, from the workspace that it makes to what a person reads at the desk.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { KeyList } from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../testkit/house.ts'
import { openBusiness } from '../../testkit/pretend-business.ts'
import { openLog } from '../foundation/log/index.ts'
import { type Decision, type Demo, type DeskState, demoRoutes } from '../surfaces/demo/index.ts'
import { askRoutes } from './ask-routes.ts'
import { openDemo } from './demo.ts'
import { demoOf } from './demo-beside.ts'
import { openDesk } from './demo-desk.ts'
import { demoWorkspace } from './demo-workspace.ts'

const PORT = 8787
const directory = mkdtempSync(path.join(tmpdir(), 'tether-demo-'))
const file = path.join(directory, 'demo-workspace.json')
const settings = { 'Database:DataDirectory': directory }
const kept = () => JSON.parse(readFileSync(file, 'utf8')) as { tenantId: number }
/** A key of the demo's workspace for the test itself: the demo keeps its own to itself. */
const keyIn = async (at: OpenHouse) => {
  const body = { tenantId: kept().tenantId, label: 'Test' }
  return (await at.ask<{ key: string }>('POST', '/v1/keys', { key: at.operatorKey, body })).body.key
}

let house: OpenHouse
let demo: Demo | undefined
let key: string
before(async () => {
  house = await openHouse({ settings, moreRoutes: demoRoutes(() => demo) })
  demo = await openDemo(house.app, PORT)
  key = await keyIn(house)
})
after(async () => {
  await house.close()
  rmSync(directory, { recursive: true })
})

const OWN = { host: `localhost:${PORT}`, 'sec-fetch-site': 'same-origin' }

type State = z.output<typeof DeskState>
type Card = State['actions'][number]
type Decided = { httpStatus: number; said: { status: string; verification: { status: string } | null } }

const desk = async () => (await house.ask<State>('GET', '/demo/desk/state', { headers: OWN })).body
const decide = async ({ actionId, payloadHash }: Card, decision: Decision) =>
  (
    await house.ask<Decided>('POST', '/demo/desk/decisions', {
      headers: OWN,
      body: { actionId, decision, payloadHash },
    })
  ).body
const stage = (tool: string, given: string) =>
  house.ask('POST', '/v1/actions', {
    key,
    headers: { 'content-type': 'application/json' },
    raw: `{"tool":"${tool}","arguments":${given}}`,
  })
/** The workspace is read every second or so, however often the desk is looked at. */
const waiting = async (tool: string): Promise<Card> => {
  for (let tries = 0; tries < 100; tries++) {
    const found = (await desk()).actions.find((card) => card.tool === tool)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return assert.fail(`${tool} does not wait`)
}

test('asked in the widget, staged, listed, confirmed, executed, read back, and written down; a second refund is refused', async () => {
  const asked = await house.ask<{ meta: { proposals: unknown[] } }>('POST', '/v1/chat', {
    key: demo?.widgetKey ?? '',
    headers: { origin: `http://localhost:${PORT}` },
    body: { prompt: 'Refund order A-17', language: 'en' },
  })
  assert.equal(asked.status, 200, asked.text)
  assert.equal(asked.body.meta.proposals.length, 1)
  const card = await waiting('refund_order')
  assert.deepEqual([card.risk, card.arguments], ['elevated', [['number', 'A-17']]])
  assert.match(card.payloadHash, /^[0-9a-f]{64}$/)
  const { httpStatus, said } = await decide(card, 'confirm')
  assert.deepEqual([httpStatus, said.status, said.verification?.status], [200, 'Executed', 'verified'])
  const { actions, events } = await desk()
  assert.deepEqual(actions, [], 'a decision is seen at once')
  const own = events.filter(({ actionId }) => actionId === card.actionId)
  assert.deepEqual(
    own.map(({ event, user }) => [event, user?.displayName ?? null]),
    [
      ['verified', null],
      ['executed', 'Ana · ანა'],
      ['approved', 'Ana · ანა'],
      ['proposed', null],
    ],
  )
  const again = await stage('refund_order', '{"number":"A-17"}')
  assert.equal(again.status, 409)
  assert.match(again.text, /refunded/)
  assert.equal((await decide(card, 'confirm')).said.status, 'NotFound')
})

test('a no: nothing is done, and the trail gives the reason', async () => {
  await stage('cancel_order', '{"number":"A-20"}')
  const card = await waiting('cancel_order')
  assert.equal((await decide(card, 'reject')).said.status, 'Rejected')
  const [newest] = (await desk()).events
  assert.deepEqual([newest?.event, newest?.reason], ['rejected', 'Rejected at the desk'])
  assert.equal((await decide(card, 'confirm')).said.status, 'Rejected', 'a no stays one')
  await stage('cancel_order', '{"number":"A-20"}')
  assert.notEqual((await waiting('cancel_order')).actionId, card.actionId, 'the order is still there to cancel')
})

test('a yes is to what the card showed, to the digit', async () => {
  await stage('refund_order', '{"number":"A-19","amount":0.10000000000000000000001}')
  const card = await waiting('refund_order')
  assert.deepEqual(card.arguments, [
    ['number', 'A-19'],
    ['amount', '0.10000000000000000000001'],
  ])
  assert.equal((await decide({ ...card, payloadHash: '0'.repeat(64) }, 'confirm')).said.status, 'Conflict')
  assert.equal((await waiting('refund_order')).actionId, card.actionId, 'it still waits')
  await decide(card, 'reject')
})

test('what nobody knows and what nobody may do is told as it is', async () => {
  await using away = await openBusiness()
  const { url } = (await house.ask<{ url: string }>('GET', '/v1/endpoint', { key })).body
  const reach = (to: string) => house.ask('PUT', '/v1/endpoint', { key, body: { url: to } })
  away.script('tell_when_back', { do: 'drop', perform: true })
  await reach(away.url)
  await stage('tell_when_back', '{"sku":"tea-mountain","email":"nino@example.com"}')
  const lost = await decide(await waiting('tell_when_back'), 'confirm')
  assert.deepEqual([lost.httpStatus, lost.said.status], [409, 'Indeterminate'])
  const open = await waiting('tell_when_back')
  assert.equal(open.status, 'indeterminate')
  await reach(url)
  const settled = await decide(open, 'reconcile')
  assert.deepEqual([settled.httpStatus, settled.said.status], [200, 'Executed'])
  assert.ok((await desk()).actions.every(({ tool }) => tool !== 'tell_when_back'))
  await stage('change_delivery_address', '{"number":"A-20","address":"csam street 1"}')
  const card = await waiting('change_delivery_address')
  const forbidden = await decide(card, 'confirm')
  assert.deepEqual([forbidden.httpStatus, forbidden.said.status], [451, 'Prohibited'])
  assert.equal((await desk()).events[0]?.event, 'prohibited')
  assert.equal((await waiting('change_delivery_address')).actionId, card.actionId, 'it waits until somebody says no')
  await decide(card, 'reject')
})

test('many desks cost what one does, and the trail is read to its end', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const { seen } = countingReads()
  await Promise.all(Array.from({ length: 40 }, desk))
  assert.ok(seen() >= 1 && seen() <= 2, `${seen()} reads`)
  for (let count = 0; count < 25; count++) await stage('tell_when_back', `{"sku":"cup-blue","email":"a${count}@b.ge"}`)
  const newest = await waiting('tell_when_back')
  await decide(newest, 'reject')
  const { events } = await desk()
  assert.equal(events.length, 20)
  assert.deepEqual([events[0]?.event, events[0]?.actionId], ['rejected', newest.actionId])
  assert.equal(new Set(events.map(({ id }) => id)).size, 20)
  const paged = openDesk(askRoutes(house.app), key, Date.now, 7)
  assert.deepEqual((await paged.desk()).events, events)
})

/** How often the trail was read since, as the log has it. */
function countingReads() {
  const from = house.logged.length
  return { seen: () => house.logged.slice(from).filter((line) => line.includes('"/v1/audit"')).length }
}

test('the guarded routes are for the demo’s own page on this machine', async () => {
  const guarded = [
    ['GET', '/demo/customer-token', undefined],
    ['GET', '/demo/desk/state', undefined],
    ['POST', '/demo/desk/decisions', { actionId: 'x', decision: 'confirm', payloadHash: '' }],
  ] as const
  const asked = (headers: Record<string, string>) =>
    Promise.all(guarded.map(([method, url, body]) => house.ask(method, url, { headers, ...(body && { body }) })))
  const foreign: Record<string, Record<string, string>> = {
    'no sec-fetch-site': { host: OWN.host },
    'cross-site': { ...OWN, 'sec-fetch-site': 'cross-site' },
    'another port of this machine': { ...OWN, 'sec-fetch-site': 'same-site' },
    'typed in': { ...OWN, 'sec-fetch-site': 'none' },
    'two answers at once': { ...OWN, 'sec-fetch-site': 'same-origin, cross-site' },
    'a name that was rebound to this machine': { ...OWN, host: `rebound.attacker.example:${PORT}` },
    'a name that begins like this machine': { ...OWN, host: 'localhost.attacker.example' },
    'a name that ends like it': { ...OWN, host: `attacker-localhost:${PORT}` },
    'an address that begins like it': { ...OWN, host: '127.0.0.1.nip.io' },
    'an address of the network': { ...OWN, host: `192.168.1.7:${PORT}` },
    'a name of somebody in front': { ...OWN, host: `localhost:${PORT}@attacker.example` },
  }
  for (const [what, headers] of Object.entries(foreign)) {
    for (const { status, error, text } of await asked(headers)) {
      assert.deepEqual([status, error?.code], [403, 'insufficient_scope'], what)
      assert.ok(!text.includes('eyJ'), what)
    }
  }
  for (const host of [OWN.host, 'localhost', '127.0.0.1:1', `[::1]:${PORT}`]) {
    for (const { status } of await asked({ ...OWN, host })) assert.equal(status, 200, host)
  }
  const [token] = await asked(OWN)
  assert.match(token?.text ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('the next start finds the same workspace, and gets keys of its own: none is kept, and no old one lives on', async () => {
  const first = kept()
  const widgetKey = demo?.widgetKey
  const secretKeys = async () => {
    const { body } = await house.ask<z.output<typeof KeyList>>('GET', '/v1/account/keys', { key })
    return body.keys
      .filter(({ kind, revokedAt }) => kind === 'secret' && revokedAt === null)
      .map(({ prefix }) => prefix)
  }
  const before = await secretKeys()
  for (let start = 0; start < 12; start++) demo = await openDemo(house.app, PORT)
  assert.deepEqual(kept(), first)
  assert.equal(demo?.widgetKey, widgetKey, 'a page that is open goes on')
  const after = await secretKeys()
  assert.deepEqual([before.length, after.length], [2, 2], 'the demo’s own, and that of this test')
  assert.equal(after.filter((prefix) => before.includes(prefix)).length, 1)
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const at = path.join(directory, name)
    if (statSync(at).isFile()) assert.doesNotMatch(readFileSync(at, 'latin1'), /t[a-z]{2}_[0-9a-f]{12}|whsec_/, name)
  }
  assert.equal((await stage('refund_order', '{"number":"A-17"}')).status, 200, 'the shop starts anew, and is reached')
})

test('a file that an earlier build wrote is read, and what it held in clear goes', async () => {
  const { tenantId } = kept()
  writeFileSync(
    file,
    JSON.stringify({ tenantId, apiKey: key, signingSecret: 'whsec_old', customerTokenKey: 'tck_old' }),
  )
  demo = await openDemo(house.app, PORT)
  assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify({ tenantId })}\n`)
})

test('a file that cannot be used is replaced', async () => {
  const { tenantId } = kept()
  for (const text of ['', '{"tenantId":', 'null', '[]', '{"tenantId":"1"}', '{"tenantId":999999}']) {
    writeFileSync(file, text)
    demo = await openDemo(house.app, PORT)
    assert.notEqual(kept().tenantId, tenantId, text)
    assert.ok(kept().tenantId > 0, text)
  }
  key = await keyIn(house)
})

test('somebody else’s workspace is never taken over', async () => {
  const other = await house.tenant('Corner Shop')
  writeFileSync(file, JSON.stringify({ tenantId: other.tenantId }))
  demo = await openDemo(house.app, PORT)
  assert.notEqual(kept().tenantId, other.tenantId)
  const { body } = await house.ask<z.output<typeof KeyList>>('GET', '/v1/account/keys', { key: other.apiKey })
  assert.equal(body.count, 1, 'nothing of it was touched')
  key = await keyIn(house)
})

test('a database that began anew gets a workspace of its own', async () => {
  await using anew = await openHouse({ settings })
  const { widgetKey } = await openDemo(anew.app, PORT)
  assert.equal((await anew.ask('GET', '/v1/account', { key: await keyIn(anew) })).body.name, 'Tea & Clay (demo)')
  assert.notEqual(widgetKey, demo?.widgetKey)
})

test('a folder that is not there yet is made', async () => {
  const deeper = path.join(directory, 'not', 'yet')
  await using other = await openHouse({ settings: { 'Database:DataDirectory': deeper } })
  await openDemo(other.app, PORT)
  assert.ok(statSync(path.join(deeper, 'demo-workspace.json')).isFile())
})

test('only in Development, only where it is wanted, and only on this machine', async () => {
  const log = openLog({ level: 'error', format: 'json' })
  const beside = (changed: object) => demoOf({ settings: { ...house.settings, ...changed }, sources: [], log })
  const { http } = house.settings
  for (const changed of [
    { environment: 'Production' },
    { demo: { enabled: false } },
    ...['0.0.0.0', '::', '192.168.1.7', 'shop.example', 'localhost.example', ''].map((host) => ({
      http: { ...http, host },
    })),
  ]) {
    const none = beside(changed)
    assert.deepEqual(await none.routes(), [], JSON.stringify(changed))
    assert.equal(await none.open(house.app, PORT), false, JSON.stringify(changed))
  }
  for (const host of ['127.0.0.1', '::1', 'localhost']) {
    const there = beside({ http: { ...http, host } })
    assert.ok((await there.routes()).length > 0)
    assert.equal(await there.open(house.app, PORT), true)
  }
})

test('where it cannot open, the service goes on without it, and its pages say so', async () => {
  await using closed = await openHouse({ settings, moreRoutes: demoRoutes(() => undefined) })
  const warned: string[] = []
  const log = openLog({ level: 'warn', format: 'json', stream: { write: (line: string) => warned.push(line) } })
  const { operator: _, ...rest } = closed.settings
  const app = { ...closed.app, house: { ...closed.app.house, settings: { ...rest, operator: { apiKey: 'wrong' } } } }
  assert.equal(
    await demoOf({ settings: closed.settings, sources: [], log }).open(app as typeof closed.app, PORT),
    false,
  )
  assert.match(warned.join(''), /The demo did not open/)
  for (const url of ['/demo', '/demo/desk']) assert.equal((await closed.ask('GET', url)).status, 404)
  assert.equal((await closed.ask('GET', '/demo/desk/state', { headers: OWN })).status, 404)
})

test('a page of the demo keeps the language of whoever uses it', async () => {
  const read = async (where: string, headers: Record<string, string> = {}) => {
    const { text, headers: answered } = await house.ask('GET', where, { headers })
    const cookie = String(answered['set-cookie']).split(';')[0] ?? ''
    return { language: /<html lang="(..)">/.exec(text)?.[1], cookie }
  }
  assert.equal((await read('/demo/desk')).language, 'en')
  assert.equal((await read('/demo/desk', { 'accept-language': 'ka-GE,en;q=0.5' })).language, 'ka')
  const { cookie } = await read('/demo?lang=ka')
  assert.equal((await read('/demo/desk', { cookie })).language, 'ka')
  assert.equal((await read('/demo', { cookie: `other=1; ${cookie}` })).language, 'ka')
  const changed = await read('/demo/desk?lang=en', { cookie })
  assert.equal(changed.language, 'en')
  assert.equal((await read('/demo', { cookie: changed.cookie, 'accept-language': 'ka' })).language, 'en')
})

test('what keeps the demo from its workspace is said as it is, and makes no second workspace', async () => {
  const refusal = (status: number, code: string) => ({ status, body: { error: { code, message: 'Do this next.' } } })
  const real = askRoutes(house.app)
  for (const [where, status, code] of [
    ['/v1/keys', 429, 'rate_limited'],
    ['/v1/keys', 401, 'invalid_api_key'],
    [`/v1/tenants/${kept().tenantId}`, 503, 'database_unavailable'],
  ] as const) {
    const asked: string[] = []
    const routes = {
      ...real,
      ask: async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, request = {}) => {
        asked.push(`${method} ${url}`)
        return url === where ? refusal(status, code) : await real.ask(method, url, request)
      },
    }
    await assert.rejects(demoWorkspace(routes, house.settings), new RegExp(`${code}: Do this next`))
    assert.ok(!asked.includes('POST /v1/tenants'))
  }
})

// The demo, from the workspace that it makes to what its approver decides.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { KeyList } from '@tether/contract'
import { WORKSHOP_DECLARATION, WORKSHOP_TOKEN } from '@tether/demo'
import { mintCustomerToken } from '@tether/sdk'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../testkit/house.ts'
import { demoRoutes } from '../api/demo/index.ts'
import { openLog } from '../kernel/log/index.ts'
import { MODULES } from '../modules.ts'
import { signInToPrint } from '../writes/people/index.ts'
import { askRoutes } from './ask-routes.ts'
import { type OpenDemo, openDemo } from './demo.ts'
import { demoOf } from './demo-beside.ts'
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
let demo: OpenDemo | undefined
let key: string
before(async () => {
  house = await openHouse({ modules: MODULES, settings, moreRoutes: demoRoutes(() => demo) })
  demo = await openDemo(house.app, PORT)
  key = await keyIn(house)
})
after(async () => {
  await house.close()
  rmSync(directory, { recursive: true })
})

const OWN = { host: `localhost:${PORT}`, 'sec-fetch-site': 'same-origin' }
const PAGE = { origin: `http://localhost:${PORT}` }

/** Somebody in the shop: a guest, Nino by the token that its page gets, or whoever a token of the test's own says. */
const nino = async () => (await house.ask('GET', '/demo/customer-token', { headers: OWN })).text
const giorgi = async () => {
  const { customerTokenKey } = (
    await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', { key })
  ).body
  return await mintCustomerToken({ key: customerTokenKey, tenantId: kept().tenantId, customerId: 'giorgi' })
}
const signedIn = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { 'x-service-customer-token': token }

type Meta = { proposals: { actionId: string }[]; toolCalls: { tool: string; status: string }[] }
async function asks(prompt: string, token?: string) {
  const { status, text, body } = await house.ask<{ meta: Meta; blocks: object[] }>('POST', '/v1/chat', {
    key: demo?.widgetKey ?? '',
    headers: { ...PAGE, ...signedIn(token) },
    body: { prompt, language: 'en' },
  })
  assert.equal(status, 200, text)
  return { said: JSON.stringify(body.blocks), ...body.meta }
}
const stage = (tool: string, given: object, token?: string) =>
  house.ask<{ actionId: string; status: string; message: string }>('POST', '/v1/actions', {
    key,
    headers: signedIn(token),
    body: { tool, arguments: given },
  })
const confirm = async (actionId: string) =>
  (
    await house.ask<{ status: string; verification: { status: string } | null }>(
      'POST',
      `/v1/actions/${actionId}/confirm`,
      { key, headers: { 'x-service-user-id': '1' }, body: { acknowledgeHighRisk: true } },
    )
  ).body
const waiting = async () => (await house.ask<{ count: number }>('GET', '/v1/actions', { key })).body.count

const PRIVATE = /Rustaveli|Blue clay cup|\b88\b/

test('a guest learns the state and the date of an order, and its owner learns the rest once signed in', async () => {
  const guest = await asks('Where is order A-17?')
  assert.match(guest.said, /delivered/)
  assert.match(guest.said, /2026-11-09/)
  assert.doesNotMatch(guest.said, PRIVATE)
  assert.match((await asks('Where is order A-17?', await nino())).said, PRIVATE)
  assert.doesNotMatch((await asks('Where is order A-17?', await giorgi())).said, PRIVATE)
  demo = await openDemo(house.app, PORT)
})

test('a write needs its customer: a guest is asked to sign in, and for somebody else nothing is staged', async () => {
  const guest = await asks('Refund order A-17')
  assert.deepEqual([guest.proposals, guest.toolCalls.map(({ status }) => status)], [[], ['customer_required']])
  const other = await asks('Refund order A-17', await giorgi())
  assert.deepEqual(other.proposals, [])
  assert.match(other.said, /You have no such order/)
  assert.doesNotMatch(other.said, PRIVATE)
  const token = await giorgi()
  for (const [tool, given] of [
    ['refund_order', { number: 'A-17' }],
    ['cancel_order', { number: 'A-20' }],
    ['change_delivery_address', { number: 'A-20', address: '1 Gorgiladze St, Batumi' }],
  ] as const) {
    const direct = await stage(tool, given)
    assert.deepEqual([direct.status, direct.body.status], [403, 'customer_required'], tool)
    const theirs = await stage(tool, given, token)
    assert.deepEqual([theirs.status, theirs.body.status], [502, 'precondition_error'], tool)
    assert.match(theirs.body.message, /You have no such order/, tool)
    assert.deepEqual((await stage(tool, { ...given, number: 'A-99' }, token)).text.replaceAll('A-99', ''), theirs.text)
  }
  assert.equal(await waiting(), 0)
  demo = await openDemo(house.app, PORT)
})

test('asked in the widget, staged, confirmed, executed, read back, and written down; a second refund is refused', async () => {
  const { proposals } = await asks('Refund order A-17', await nino())
  const [{ actionId } = assert.fail('nothing was staged')] = proposals
  const done = await confirm(actionId)
  assert.deepEqual([done.status, done.verification?.status], ['Executed', 'verified'])
  const { events } = (
    await house.ask<{ events: { event: string; user: { displayName: string } | null }[] }>(
      'GET',
      `/v1/audit?actionId=${actionId}`,
      { key },
    )
  ).body
  assert.deepEqual(
    events.map(({ event, user }) => [event, user?.displayName ?? null]),
    [
      ['proposed', null],
      ['approved', 'Ana · ანა'],
      ['executed', 'Ana · ანა'],
      ['verified', null],
    ],
  )
  const again = await stage('refund_order', { number: 'A-17' }, await nino())
  assert.deepEqual([again.status, again.body.status], [409, 'precondition_failed'])
})

test('the imported API of the workshop is read, and a write to it waits, runs once and is seen', async () => {
  const guest = await asks('Which pottery classes are there?')
  assert.match(guest.said, /First bowl/)
  assert.deepEqual(guest.toolCalls, [{ ...guest.toolCalls[0], tool: 'list_classes', status: 'ok' }])
  assert.deepEqual((await asks('Book 2 places in class K-1')).proposals, [], 'a guest has no places')
  const { proposals, said } = await asks('Book 2 places in class K-1', await nino())
  const [{ actionId } = assert.fail(said)] = proposals
  const done = await confirm(actionId)
  assert.deepEqual([done.status, done.verification?.status], ['Executed', 'verified'])
  const booked = await house.ask<{ result: unknown }>('POST', '/v1/tools/my_booking/call', {
    key,
    headers: signedIn(await nino()),
    body: { arguments: { code: 'K-1' } },
  })
  assert.deepEqual(booked.body.result, { code: 'K-1', seats: 2 })
  const full = await stage('book_places', { code: 'K-3', seats: 1 }, await nino())
  assert.deepEqual([full.status, full.body.status], [409, 'precondition_failed'])
  const { body } = await house.ask<{ tools: { name: string }[] }>('GET', '/v1/tools', { key })
  assert.ok(!body.tools.some(({ name }) => name === 'call_off_class'), 'what nobody declared is not there')
})

test('docs/guides/import.md imports the workshop as the demo does', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/guides/import.md'), 'utf8')
  const [, text = ''] = /```json operations\.json\n(\{\n {2}"list_classes"[\s\S]*?\n\})\n```/.exec(page) ?? []
  assert.deepEqual(JSON.parse(text), WORKSHOP_DECLARATION)
  assert.ok(page.includes(WORKSHOP_TOKEN))
})

test('the link of a start signs its approver in to the inbox, once', async () => {
  const [address = '', link = ''] = demo?.signInLink.split('#signin=') ?? []
  assert.equal(address, `http://127.0.0.1:${PORT}/inbox`)
  const open = () =>
    house.ask<{ user: { userId: number } }>('POST', '/v1/user-sessions', { key, body: { token: link } })
  assert.equal((await open()).body.user.userId, 1)
  assert.deepEqual([(await open()).error?.reason, house.logged.some((line) => line.includes(link))], ['spent', false])
})

test('no start outside of Development makes such a link', async () => {
  const app = { ...house.app.house, settings: { ...house.settings, environment: 'Production' as const } }
  await assert.rejects(signInToPrint(app, { tenantId: kept().tenantId, personId: 1 }), /Only Development/)
})

test('a customer’s token is for the demo’s own page on this machine', async () => {
  const asked = (headers: Record<string, string>) => house.ask('GET', '/demo/customer-token', { headers })
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
    const { status, error, text } = await asked(headers)
    assert.deepEqual([status, error?.code], [403, 'insufficient_scope'], what)
    assert.ok(!text.includes('eyJ'), what)
  }
  for (const host of [OWN.host, 'localhost', '127.0.0.1:1', `[::1]:${PORT}`]) {
    assert.equal((await asked({ ...OWN, host })).status, 200, host)
  }
  assert.match((await asked(OWN)).text, /^[\w-]+\.[\w-]+\.[\w-]+$/)
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
  assert.equal(
    (await stage('refund_order', { number: 'A-17' }, await nino())).status,
    200,
    'the shop starts anew, and is reached',
  )
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
  await using anew = await openHouse({ modules: MODULES, settings })
  const { widgetKey } = await openDemo(anew.app, PORT)
  assert.equal((await anew.ask('GET', '/v1/account', { key: await keyIn(anew) })).body.name, 'Tea & Clay (demo)')
  assert.notEqual(widgetKey, demo?.widgetKey)
})

test('a folder that is not there yet is made', async () => {
  const deeper = path.join(directory, 'not', 'yet')
  await using other = await openHouse({ modules: MODULES, settings: { 'Database:DataDirectory': deeper } })
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
    assert.equal(await none.open(house.app, PORT), null, JSON.stringify(changed))
  }
  for (const host of ['127.0.0.1', '::1', 'localhost']) {
    const there = beside({ http: { ...http, host } })
    assert.ok((await there.routes()).length > 0)
    assert.match((await there.open(house.app, PORT))?.signInLink ?? '', /#signin=/)
  }
})

test('where it cannot open, the service goes on without it, and its pages say so', async () => {
  await using closed = await openHouse({ modules: MODULES, settings, moreRoutes: demoRoutes(() => undefined) })
  const warned: string[] = []
  const log = openLog({ level: 'warn', format: 'json', stream: { write: (line: string) => warned.push(line) } })
  const { operator: _, ...rest } = closed.settings
  const app = { ...closed.app, house: { ...closed.app.house, settings: { ...rest, operator: { apiKey: 'wrong' } } } }
  assert.equal(await demoOf({ settings: closed.settings, sources: [], log }).open(app as typeof closed.app, PORT), null)
  assert.match(warned.join(''), /The demo did not open/)
  assert.equal((await closed.ask('GET', '/demo')).status, 404)
  assert.equal((await closed.ask('GET', '/demo/customer-token', { headers: OWN })).status, 404)
})

test('a page of the demo keeps the language of whoever uses it', async () => {
  const read = async (where: string, headers: Record<string, string> = {}) => {
    const { text, headers: answered } = await house.ask('GET', where, { headers })
    const cookie = String(answered['set-cookie']).split(';')[0] ?? ''
    return { language: /<html lang="(..)">/.exec(text)?.[1], inbox: /\/inbox\?lang=(..)"/.exec(text)?.[1], cookie }
  }
  assert.equal((await read('/demo')).language, 'en')
  assert.equal((await read('/demo', { 'accept-language': 'ka-GE,en;q=0.5' })).language, 'ka')
  const { cookie, inbox } = await read('/demo?lang=ka')
  assert.equal(inbox, 'ka', 'the inbox opens in it, too')
  assert.equal((await read('/demo', { cookie })).language, 'ka')
  assert.equal((await read('/demo', { cookie: `other=1; ${cookie}` })).language, 'ka')
  const changed = await read('/demo?lang=en', { cookie })
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

test('under each name of this machine, the widget reaches the service under another one', async () => {
  for (const [host, service] of [
    [`localhost:${PORT}`, `http://127.0.0.1:${PORT}`],
    [`127.0.0.1:${PORT}`, `http://localhost:${PORT}`],
    [`[::1]:${PORT}`, `http://127.0.0.1:${PORT}`],
  ] as const) {
    const { text, headers } = await house.ask('GET', '/demo', { headers: { host } })
    assert.deepEqual(
      [...text.matchAll(/(?:endpoint|src)="(http[^"]+?)(?:\/widget[^"]*)?"/g)].map(([, address]) => address),
      [service, service],
    )
    assert.ok(String(headers['content-security-policy']).includes(`connect-src 'self' ${service};`))
    const origin = `http://${host}`
    const brand = await house.ask('GET', '/v1/chat/brand', { key: demo?.widgetKey ?? '', headers: { origin } })
    assert.equal(brand.status, 200, brand.text)
  }
})

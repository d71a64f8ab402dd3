// A database that lost its last transactions, on a real shop whose receiver remembers them.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { type Claims, memoryClaims, receiver, refused } from '@tether/sdk'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { ClaimsUnreadable, readClaims } from './claims-file.ts'
import { type Found, openRecovery, type Recovered } from './recover.ts'

const recoveryOf = ({ app: { house, rooms } }: OpenHouse) => openRecovery(house, rooms)

const SINCE = new Date(Date.now() - 60_000)
const CATALOG = [
  {
    name: 'refund_order',
    description: 'Pays one order back to the card that it was paid with.',
    is_write: true,
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  },
]

/** Both shops keep their claims in one store. */
const claims: Claims = memoryClaims()
const forget = unlisted<unknown, { tenantId: number; actionId: string }>(
  'test.forget',
  'delete from actions where tenant_id = $tenantId::int and action_id = $actionId::uuid',
)
const turnBack = unlisted<unknown, { tenantId: number; actionId: string; state: string }>(
  'test.turn_back',
  `update actions set state = $state::text, settled_at = null, claim_token = null, lease_until = null
    where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)
const readAll = unlisted<{ row: string }, { tenantId: number }>(
  'test.read_all',
  `select a::text as row from actions a where a.tenant_id = $tenantId::int order by a.action_id`,
)

type Shop = NewTenant & { close(): void }

let house: OpenHouse
let shop: Shop

before(async () => {
  house = await openHouse({ settings: { 'ToolTransport:MaxAttempts': '1' } })
  shop = await newShop()
})
after(async () => {
  shop.close()
  await house.close()
})

/** It hangs up on an order of "silent …", after it has decided. */
async function newShop(listsClaims = true): Promise<Shop> {
  const tenant = await house.tenant()
  const tools = receiver({
    secret: tenant.signingSecret,
    claims,
    listsClaims,
    onError: () => undefined,
    tools: {
      refund_order: ({ arguments: { number } }) => {
        if (String(number).endsWith('refused')) throw refused('This order cannot be refunded.', 'conflict')
        if (String(number).endsWith('broken')) throw new Error('broken in the middle')
        return { refunded: number }
      },
    },
  })
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const said = await tools.answer({ headers: request.headers, body })
    if (body.includes('"silent') && isSilent) return void response.destroy()
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  await house.ask('PUT', '/v1/tools', { key: tenant.apiKey, body: CATALOG })
  await house.ask('PUT', '/v1/endpoint', { key: tenant.apiKey, body: { url } })
  return { ...tenant, close: () => void server.close() }
}
let isSilent = true

/** Stages and confirms one write, and answers its id. */
async function write(number: string, { apiKey }: NewTenant = shop): Promise<string> {
  const body = { tool: 'refund_order', arguments: { number } }
  const { actionId } = (await house.ask<{ actionId: string }>('POST', '/v1/actions', { key: apiKey, body })).body
  const headers = { 'x-service-user-id': '7' }
  await house.ask('POST', `/v1/actions/${actionId}/confirm`, { key: apiKey, headers, body: {} })
  return actionId
}

async function ask(more: { settle?: boolean; tenantIds?: readonly number[] } = {}): Promise<Recovered[]> {
  const all: Recovered[] = []
  for await (const one of recoveryOf(house).ask({ since: SINCE, tenantIds: null, settle: false, ...more }))
    all.push(one)
  return all.toSorted((one, other) => one.tenantId - other.tenantId)
}

const short = ({ finding, here, there, actionId, reconciled }: Found) =>
  [finding, here, there, actionId ?? 'unknown', ...(reconciled === undefined ? [] : [reconciled])].join(' ')
const shorts = (found: readonly Found[]): string[] => found.map(short).toSorted()

test('what a business performed and this database lost is named, nothing is changed, and what both can tell is settled', async () => {
  const { database } = house.database
  const { tenantId } = shop
  await write('known')
  await write('known and refused')
  for (const number of ['lost 1', 'lost 2', 'lost and refused'])
    await database.run(forget, { tenantId, actionId: await write(number) })
  const [again, failed] = [await write('pending again'), await write('failed here')]
  await database.run(turnBack, { tenantId, actionId: again, state: 'pending' })
  await database.run(turnBack, { tenantId, actionId: failed, state: 'failed' })
  const refusedHere = await write('executed here, and refused')
  await database.run(turnBack, { tenantId, actionId: refusedHere, state: 'executed' })
  const [silent, silentNo, broken] = [await write('silent'), await write('silent and refused'), await write('broken')]
  // A business of its own, whose claims lie in the same table, and one that lists none.
  const other = await newShop()
  await write('of another shop', other)
  const closed = await newShop(false)
  await write('not listed', closed)

  const rows = await database.rows(readAll, { tenantId })
  const found = [
    'performed_and_unknown  performed unknown',
    'performed_and_unknown  performed unknown',
    `performed_and_stands_otherwise pending performed ${again}`,
    `performed_and_stands_otherwise failed performed ${failed}`,
    `refused_and_stands_otherwise executed refused ${refusedHere}`,
    `cannot_tell indeterminate open ${broken}`,
  ]
  const unsettled = [
    `performed_and_stands_otherwise indeterminate performed ${silent}`,
    `refused_and_stands_otherwise indeterminate refused ${silentNo}`,
  ]
  const [first, second, third] = await ask({ tenantIds: [tenantId, other.tenantId, closed.tenantId] })
  assert.deepEqual(shorts(first?.found ?? []), [...found, ...unsettled].toSorted())
  assert.deepEqual([first?.compared, first?.lostRefusals, first?.unable], [11, 1, []])
  for (const { tool, requestId, claimedAt } of first?.found ?? []) {
    assert.deepEqual([tool, /^act_[0-9a-f-]{36}$/.test(requestId)], ['refund_order', true])
    assert.ok(claimedAt >= SINCE && claimedAt <= new Date())
  }
  assert.deepEqual([second?.tenantId, second?.compared, second?.found, second?.unable], [other.tenantId, 1, [], []])
  assert.deepEqual([third?.compared, third?.unable.length], [0, 1])
  assert.match(third?.unable[0] ?? '', /answered 404.*from a file/)
  assert.deepEqual(await database.rows(readAll, { tenantId }), rows, 'asking changes nothing')

  isSilent = false
  const [settled] = await ask({ tenantIds: [tenantId], settle: true })
  const outcomes = [`${unsettled[0]} Executed`, `${unsettled[1]} FailedTerminal`]
  assert.deepEqual(shorts(settled?.found ?? []), [...found, ...outcomes].toSorted())
  const [last] = await ask({ tenantIds: [tenantId] })
  assert.deepEqual(shorts(last?.found ?? []), found.toSorted(), 'what was settled is alike by now')
  const { body } = await house.ask<{ events: { source: string; actionId: string }[] }>('GET', `/v1/audit?limit=500`, {
    key: shop.apiKey,
  })
  const sources = body.events.filter(({ actionId }) => actionId === silent).map(({ source }) => source)
  assert.ok(sources.includes('npm run recover'), sources.join(', '))
  for (const one of [other, closed]) one.close()
})

test('without an endpoint, or with one that answers something else, a workspace is called one that cannot be compared', async () => {
  const answers: [string, RegExp][] = [
    ['{"ok":true}', /no list of claims/],
    [
      '{"type":"claims","claims":[{"request_id":"a\\u001b[2J","tool":null,"status":200,"claimed_at":"2026-11-21T09:30:00Z"}],"next":null}',
      /no list of claims/,
    ],
    ['{"type":"claims","claims":[],"next":"a"}', /in circles/],
    ['not JSON', /not JSON/],
  ]
  const tenant = await house.tenant()
  let said = ''
  const server = createServer((request, response) => void request.resume().on('end', () => response.end(said)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  await house.ask('PUT', '/v1/endpoint', { key: tenant.apiKey, body: { url } })
  for (const [answer, why] of answers) {
    said = answer
    const [one] = await ask({ tenantIds: [tenant.tenantId] })
    assert.deepEqual([one?.found, one?.unable.length], [[], 1], answer)
    assert.match(one?.unable[0] ?? '', why)
  }
  server.close()
  assert.deepEqual(await ask({ tenantIds: [(await house.tenant()).tenantId] }), [], 'it can have sent nothing anywhere')
})

test('names a workspace whose writes may have gone through an MCP server that it has removed', async () => {
  const [never, removed] = [await house.tenant(), await house.tenant()]
  // Declaring a server and removing it each count one.
  await house.database.database.script(`update tenants set upstreams_version = 2 where tenant_id = ${removed.tenantId}`)
  const asked = await ask({ tenantIds: [never.tenantId, removed.tenantId] })
  assert.deepEqual(
    asked.map(({ tenantId }) => tenantId),
    [removed.tenantId],
  )
  assert.match(asked[0]?.unable.join() ?? '', /MCP servers cannot be compared/)
})

test('a file that the business has written is compared in the same way, and asks nobody', async () => {
  const tenant = await newShop(false)
  await write('in the file', tenant)
  const lost = await write('in the file, and lost', tenant)
  await house.database.database.run(forget, { tenantId: tenant.tenantId, actionId: lost })
  const kept = (await claims.list?.({ tenantId: tenant.tenantId, since: SINCE, after: '', limit: 9 })) ?? []
  tenant.close()
  const { tenantId } = tenant
  const lines = kept.map(({ key, status, claimedAt }) => `${key},${status},${claimedAt.toISOString()}`)
  const file = ['request_id,status,claimed_at', ...lines, `evt_1,204,${new Date().toISOString()}`, ''].join('\r\n')
  const read = readClaims(file, { tenantId, since: SINCE })
  const done = await recoveryOf(house).compare({ tenantId, claims: read, settle: false })
  assert.deepEqual([done?.compared, done?.found.map(({ finding }) => finding)], [2, ['performed_and_unknown']])
  assert.equal(await recoveryOf(house).compare({ tenantId: 999_999, claims: read, settle: false }), null)
})

test('a file is read as spreadsheets and databases write one, and what it lacks is said', () => {
  const since = new Date('2026-11-23T09:00:00Z')
  const readIt = (...lines: string[]) => readClaims(lines.join('\n'), { tenantId: 41, since })
  assert.deepEqual(
    readIt(
      '\ufeffrequest_id,tenant_id,tool,status,claimed_at',
      'act_1,41,refund,200,2026-11-23 11:05:23.12345+00',
      '"act_2","41","refund, ""all""",,"2026-11-23T10:00:00Z"',
      'act_3,,,409,1795431600',
      'act_4,42,refund,200,2026-11-23 11:05:23+00',
      'act_5,41,refund,200,2026-11-23 08:59:59+00',
      'evt_6,41,,204,2026-11-23 11:05:23+00',
      '',
    ).map(({ requestId, tool, status, claimedAt }) => [requestId, tool, status, claimedAt.toISOString()]),
    [
      ['act_1', 'refund', 200, '2026-11-23T11:05:23.123Z'],
      ['act_2', 'refund, "all"', null, '2026-11-23T10:00:00.000Z'],
      ['act_3', null, 409, '2026-11-23T11:00:00.000Z'],
    ],
  )
  const HEAD = 'request_id,status,claimed_at'
  for (const [lines, why] of [
    [[''], /must name its columns, "request_id"/],
    [['act_1,200,2026-11-23T10:00:00Z'], /must name its columns/],
    [[HEAD, 'act_1,200'], /Line 2 is no claim/],
    [[HEAD, 'act_1,200,2026-11-23T10:00:00Z', ',200,2026-11-23T10:00:00Z'], /Line 3/],
    [[HEAD, 'act_1,ok,2026-11-23T10:00:00Z'], /Line 2/],
    [[HEAD, 'act_1,200,yesterday'], /Line 2/],
    [[HEAD, '"act_1,200,2026-11-23T10:00:00Z'], /Line 2/],
  ] as const)
    assert.throws(
      () => readIt(...lines),
      (error: Error) => error instanceof ClaimsUnreadable && why.test(error.message),
      lines.join('|'),
    )
})

type Listing = { type: string; tenant: { organization_id: number }; arguments: { after: string } }

/** Endpoints that answer what they like, of as many workspaces, each at an address of its own. */
async function lyingShops(count: number, answer: (asked: Listing, at: number) => Promise<unknown>) {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Listing
    response.end(JSON.stringify(await answer(asked, Number(request.url?.slice(1)))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const tenantIds: number[] = []
  for (let at = 0; at < count; at++) {
    const { apiKey, tenantId } = await house.tenant()
    await house.ask('PUT', '/v1/endpoint', { key: apiKey, body: { url: `http://127.0.0.1:${port}/${at}` } })
    tenantIds.push(tenantId)
  }
  return { tenantIds, close: () => void server.close() }
}
const claimed = (key: string) => ({
  request_id: key,
  tool: 'refund_order',
  status: 200,
  claimed_at: new Date().toISOString(),
})
const padded = (number: number) => `act_${String(number).padStart(9, '0')}`

test('an endpoint that lists one claim again and again is left, and what it says is not acted upon again', async () => {
  let asked = 0
  const lying = await lyingShops(2, async ({ arguments: { after } }, at) => {
    asked++
    const claims = at === 0 ? [claimed('act_1'), claimed('act_1')] : [claimed('act_1')]
    return { type: 'claims', claims, next: padded(Number(after.slice(4)) + 1) }
  })
  const found = await ask({ tenantIds: lying.tenantIds, settle: true })
  assert.deepEqual(
    found.map(({ compared, unable }) => [compared, unable]),
    [0, 1].map((compared) => [compared, ['The endpoint lists one claim twice.']]),
  )
  assert.equal(asked, 3)
  lying.close()
})

test('what an endpoint or a file says moves no cursor of the operator’s, and looks like no line of ours', async () => {
  const words = '\u001b]0;owned\u0007\r\nWorkspace 7: everything was compared\u009b2J'
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(404).end(JSON.stringify({ message: words }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { apiKey, tenantId } = await house.tenant()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`
  await house.ask('PUT', '/v1/endpoint', { key: apiKey, body: { url } })
  const [found] = await ask({ tenantIds: [tenantId] })
  server.close()
  assert.match(found?.unable.join() ?? '', /answered 404\. "\[U\+001B\]\]0;owned\[U\+0007\] Workspace 7: /)
  assert.doesNotMatch(found?.unable.join() ?? '', /\p{Cc}/u)
  const file = `request_id,status,claimed_at\nact_1,\u001b[2J,2026-11-23T10:00:00Z`
  assert.throws(() => readClaims(file, { tenantId, since: SINCE }), /Line 2 is no claim: act_1,\[U\+001B\]\[2J/)
})

test('an endpoint whose list never ends keeps nobody from asking the others', async () => {
  const lying = await lyingShops(1, async ({ arguments: { after } }) => {
    const next = padded(Number(after.slice(4)) + 1)
    return { type: 'claims', claims: [claimed(next)], next }
  })
  const found = (await ask()).find(({ tenantId }) => tenantId === lying.tenantIds[0])
  assert.equal(found?.compared, 400)
  assert.match(found?.unable.join() ?? '', /too many claims.*--tenant/)
  lying.close()
})

test('one that invents a great many writes is told of, and not without end', async () => {
  let listed = 0
  const lying = await lyingShops(1, async () => {
    const claims = Array.from({ length: 1000 }, () => claimed(padded(++listed)))
    return { type: 'claims', claims, next: padded(listed) }
  })
  const [found] = await ask({ tenantIds: lying.tenantIds })
  assert.deepEqual([found?.found.length, listed], [10_000, 11_000])
  assert.match(found?.unable.join() ?? '', /More than 10000 writes were found/)
  lying.close()
})

test('an endpoint that answers late holds up only itself', async () => {
  const released = Promise.withResolvers<void>()
  const lying = await lyingShops(12, async (_, at) => {
    if (at === 0) await released.promise
    return { type: 'claims', claims: [], next: null }
  })
  const ended: number[] = []
  for await (const { tenantId } of recoveryOf(house).ask({
    since: SINCE,
    tenantIds: lying.tenantIds,
    settle: false,
  })) {
    ended.push(tenantId)
    if (ended.length === 11) released.resolve()
  }
  assert.equal(ended.at(-1), lying.tenantIds[0])
  lying.close()
})

// `tether listen`: what the service would send to a server that it cannot reach arrives on this machine, whatever breaks in between.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { verifySignature } from '@tether/sdk'
import { systemClock } from '../../server/src/kernel/clock/index.ts'
import { unlisted } from '../../server/src/kernel/db/index.ts'
import { openHouse } from '../../server/testkit/house.ts'
import { openService, type Started, set, start, tether } from './fixtures/binary.ts'

// An event is given up after two seconds instead of a minute.
openService({ 'Events:FirstWaitSeconds': '0.05' })

/** A receiver on this machine. It believes what is signed, and counts each event once. */
const seen = new Map<string, number>()
let answerWith: (response: ServerResponse, body: Record<string, unknown>) => void
let receiver: Server
let target: string
before(async () => {
  receiver = createServer((request, response) => void receive(request, response))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/tools`
})
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString()
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const verified = await verifySignature({ secret: set.shop.signingSecret, headers, body })
  if (!verified.ok) return void response.writeHead(401).end(verified.message)
  const said = JSON.parse(body) as Record<string, unknown>
  const id = String(said.request_id)
  seen.set(id, (seen.get(id) ?? 0) + 1)
  answerWith(response, said)
}

const acknowledge: typeof answerWith = (response) => void response.writeHead(204).end()

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); ) {
    if (performance.now() > end) assert.fail(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function listening({
  at = target,
  words = [],
}: {
  at?: string
  words?: readonly string[]
} = {}): Promise<Started> {
  const started = start(['listen', at, '--json', ...words])
  await until('it listens', async () => {
    if (started.child.exitCode !== null) assert.fail(started.so.err)
    return (await endpoint())?.includes('/v1/listening/') === true
  })
  return started
}

const endpoint = async () =>
  (await set.house.ask<{ url: string | null }>('GET', '/v1/endpoint', { key: set.shop.apiKey })).body.url
const place = (url: string | null) => set.house.ask('PUT', '/v1/endpoint', { key: set.shop.apiKey, body: { url } })
const lines = ({ so }: Started) =>
  so.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('calls and events come, are printed and answered, and the endpoint is put back at the end', async () => {
  await set.house.ask('PUT', '/v1/tools', {
    key: set.shop.apiKey,
    body: [{ name: 'get_order', description: 'Looks up one order of the shop by its number.', is_write: false }],
  })
  const before = await endpoint()
  const refused = await tether(['listen', target])
  assert.deepEqual([refused.code, refused.out], [2, ''])
  assert.match(refused.err, /has an endpoint http.*--replace/)
  assert.equal(await endpoint(), before, 'nothing was moved')

  answerWith = (response, { type }) =>
    type === 'event' ? acknowledge(response, {}) : void response.end('{"state": "paid", "total": 9007199254740993}')
  const started = await listening({ words: ['--replace'] })
  const called = await tether(['call', 'get_order', 'number=A-1'])
  assert.deepEqual([called.code, called.out], [0, '{"state":"paid","total":9007199254740993}\n'], called.err)
  const triggered = await tether(['trigger'])
  assert.equal(triggered.code, 0, triggered.err)
  assert.match(triggered.out, /^delivered\t204\thttp\S+\t\d+\n$/)
  started.child.kill('SIGINT')
  const { code, err } = await started.ended
  assert.equal(code, 0, err)
  assert.deepEqual(
    lines(started).map(({ kind, name, status, attempt }) => [kind, name, status, attempt]),
    [
      ['read', 'get_order', 200, 1],
      ['event', 'test.ping', 204, 1],
    ],
  )
  assert.equal(await endpoint(), before)
})

test('where nothing answers on this machine, the service hears that nothing was applied', async () => {
  await place(null)
  const started = await listening({ at: '9' })
  const triggered = await tether(['trigger'])
  assert.deepEqual([triggered.code, /the receiver answered 429/.test(triggered.err)], [1, true], triggered.err)
  assert.match(triggered.err, /Nothing answers at http:\/\/127\.0\.0\.1:9\/tools/)
  started.child.kill('SIGTERM')
  assert.equal((await started.ended).code, 0)
  assert.equal(await endpoint(), null)
})

test('an answer of this machine that the service would refuse holds up none that follow', async () => {
  await place(null)
  const started = await listening()
  for (const [type, status] of [
    [`text/plain; padding=${'x'.repeat(300)}`, 200],
    ['text/plain; title="\u00e9"', 201],
    ['text/plain', 999],
  ] as const) {
    answerWith = (response) => void response.writeHead(status, { 'content-type': type }).end()
    const { out, err } = await tether(['trigger'])
    assert.match(out + err, status === 999 ? /the receiver answered 502/ : new RegExp(`^delivered\\t${status}\\t`))
  }
  answerWith = acknowledge
  assert.match((await tether(['trigger'])).out, /^delivered\t204\t/)
  started.child.kill('SIGTERM')
  assert.equal((await started.ended).code, 0)
})

test('a second listener takes over, and the first one ends and leaves the endpoint to it', async () => {
  await place(null)
  const first = await listening()
  const second = start(['listen', target, '--json'])
  const { code, err } = await first.ended
  assert.deepEqual([code, /has taken over/.test(err)], [1, true], err)
  assert.notEqual(await endpoint(), null)
  second.child.kill('SIGINT')
  assert.equal((await second.ended).code, 0)
  assert.equal(await endpoint(), null)
})

const COUNT = 120
const FEW = 12
const announce = (name: string, count: number) =>
  set.house.database.database.script(`insert into outbox (tenant_id, event_id, event, action_id, lane)
  select ${set.shop.tenantId}, 'evt_${name}_' || n, 'action.expired', gen_random_uuid(), 'a' || n from generate_series(1, ${count}) as n`)
const came = (name: string) => [...seen.keys()].filter((id) => id.startsWith(`evt_${name}_`)).length

test('of many events none is lost, though the connections are cut, the service starts again, and the listener does', async () => {
  await place(null)
  answerWith = acknowledge
  const started = await listening()
  set.house.app.startWork()
  await announce('first', COUNT)
  await until('some events come', () => came('first') > COUNT / 5)
  set.house.app.server.server.closeAllConnections()
  await until('more events come', () => came('first') > COUNT / 2)
  // The same database, and another process as far as anybody can tell.
  const { port } = set.house.app.server.server.address() as AddressInfo
  const former = set.house
  former.app.server.server.closeAllConnections()
  await former.app.close()
  set.house = await openHouse({ beside: former, clock: systemClock })
  await set.house.app.server.listen({ host: '127.0.0.1', port })
  set.house.app.startWork()
  await until('every event has come', () => came('first') === COUNT)
  assert.equal(started.child.exitCode, null, started.so.err)

  // Nobody puts the endpoint back, and what is given up meanwhile is sent again to the next listener.
  started.child.kill('SIGKILL')
  await started.ended
  await announce('second', FEW)
  await until('every event is given up', async () => (await waits()) === 0)
  assert.equal(came('second'), 0)
  const again = await listening()
  await until('what was missed has come', () => came('second') === FEW)
  again.child.kill('SIGINT')
  const { code, err } = await again.ended
  assert.equal(code, 0, err)
  assert.match(err, /\d\d events came while nobody listened, and are sent again/)
})

const countWaiting = unlisted<{ count: number }>('test.count_waiting', 'select count(*)::int as count from outbox')
const waits = async () => (await set.house.database.database.one(countWaiting))?.count

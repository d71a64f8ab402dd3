// A workspace is deleted while everything else that writes is under way: nothing is written behind the broom.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openSlackServer, type SlackServer } from '../src/modules/channels/fixtures/slack-server.ts'
import { type Business, openBusiness } from '../testkit/pretend-business.ts'
import { rowsLeft, tombstoneHolds } from './races/remains.ts'
import { openTwoHouses, type TwoHouses } from './races/two-houses.ts'
import { prepare, type Writer, writersOf } from './races/writers.ts'

const ROUNDS = 4

let houses: TwoHouses
let endpoint = ''
let business: Business
let slack: SlackServer
const deleted: number[] = []

before(async () => {
  business = await openBusiness()
  endpoint = business.url
  slack = await openSlackServer()
  // A token is tried before it is stored.
  houses = await openTwoHouses({ 'Notifications:Slack:ApiUrl': slack.url })
})
after(async () => {
  await houses?.close()
  await business?.close()
  await slack?.close()
})

/** Starts the writers, deletes in the middle of them, and looks at what is left. */
async function race(writers: readonly Writer[], times: number): Promise<string[]> {
  const workspace = await prepare(houses, endpoint)
  const { tenantId, apiKey } = workspace
  const write = () => Promise.all(writers.map((writer) => writer.run(houses, times, workspace)))
  const deletion = () =>
    houses.parallel(2, 'DELETE', '/v1/account', () => ({ key: apiKey, body: { confirm: 'Corner Shop' } }))
  const [before, deletions, behind] = await Promise.all([write(), deletion(), write()])
  // A compromise or a rotation may have taken the key that deletes; then the operator finishes what was begun.
  if (deletions.every(({ status }) => status !== 200)) await deleteByOperator(tenantId)
  deleted.push(tenantId)
  const failures = [...before, ...behind].flat().filter(({ status }) => status >= 500)
  const keys = [...before, ...behind].flat().flatMap(({ body }) => [body?.key, body?.apiKey])
  const open = await Promise.all([apiKey, ...keys].map((key) => isOpen(key)))
  return [
    ...(await rowsLeft(houses, tenantId)).map((table) => `rows in ${table}`),
    ...failures.map(({ status, code }) => `an answer ${status} ${code}`),
    ...open.filter(Boolean).map(() => 'a key that still opens the workspace'),
  ]
}

async function isOpen(key: string | undefined): Promise<boolean> {
  return key !== undefined && (await houses.ask('GET', '/v1/account', { key })).status === 200
}

async function deleteByOperator(tenantId: number): Promise<void> {
  const body = { confirm: 'Corner Shop' }
  await houses.parallel(1, 'DELETE', `/v1/tenants/${tenantId}`, () => ({ key: houses.operatorKey, body }))
}

test('each route that writes, against a deletion', { timeout: 300_000 }, async (t) => {
  const writers = writersOf(houses.routes, endpoint)
  t.diagnostic(`${writers.length} routes, ${ROUNDS} rounds each`)
  for (const writer of writers) {
    await t.test(writer.name, async () => {
      for (let round = 0; round < ROUNDS; round++) assert.deepEqual(await race([writer], 4), [])
    })
  }
})

test('all of them at once, against a deletion', async () => {
  const writers = writersOf(houses.routes, endpoint)
  for (let round = 0; round < ROUNDS; round++) assert.deepEqual(await race(writers, 1), [])
})

test('what the service writes later is not written for a workspace that is gone', async () => {
  // Telemetry of calls is gathered for a second.
  await pause(1500)
  const left = await Promise.all(deleted.map((tenantId) => rowsLeft(houses, tenantId)))
  assert.deepEqual(
    [...new Set(left.flat())].filter((table) => table === 'tool_calls'),
    [],
  )
  assert.ok(business.calls.length > 0, 'no call was made that could have been written down')
})

test('a tombstone holds its id and the hash of its address, and nothing else', async () => {
  const held = await Promise.all(deleted.map((tenantId) => tombstoneHolds(houses, tenantId)))
  assert.deepEqual([...new Set(held.flat())], [])
})

test('in the moment of its deletion a caller is told only what the reference declares', async () => {
  const { apiKey: key } = await houses.tenant()
  const deletion = { key, body: { confirm: 'Corner Shop' } }
  await Promise.all([
    houses.ask('DELETE', '/v1/account', deletion),
    houses.ask('DELETE', '/v1/account', deletion),
    houses.ask('GET', '/v1/account', { key }),
    houses.ask('GET', '/v1/account/confirmation', { key }),
    houses.ask('POST', '/v1/account/keys', { key, body: { kind: 'agent' } }),
    houses.ask('POST', '/v1/account/compromise', { key }),
    houses.ask('POST', '/v1/account/customer-token-key', { key }),
    houses.ask('POST', '/v1/account/signing-secret/rotate', { key }),
    houses.ask('PUT', '/v1/account/intent', { key, body: { intent: 'answers' } }),
  ])
})

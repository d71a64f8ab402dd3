// A write whose outcome is not known, and whose endpoint has moved since it was sent: the new one has no claim of its key.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { NewTenant } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { confirm, decide, endpoint, newShop, outcome, set, stage, USER } from './fixtures/shop.ts'

const moved = new ScriptedEndpoint()
after(() => moved.stop())

const setEndpoint = ({ apiKey: key }: NewTenant, url: string | null) =>
  set.house.ask('PUT', '/v1/endpoint', { key, body: { url } })

/** A write that was sent to the old endpoint, which answered nothing usable. */
async function lost() {
  const tenant = await newShop()
  const old = endpoint.play((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const said = outcome(await confirm(body.actionId, undefined, USER, tenant.apiKey))
  assert.deepEqual(said, [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.equal(old.length, 1)
  const reconcile = (given?: unknown) => decide('reconcile', body.actionId, given, USER, tenant.apiKey)
  return { tenant, old, reconcile, now: moved.play((_request, response) => void response.end('{"done":true}')) }
}

test('a reconcile after the endpoint moved sends nothing anywhere, and says what to do', async () => {
  const { tenant, old, now, reconcile } = await lost()
  await setEndpoint(tenant, await moved.start())
  for (const body of [undefined, {}, { sendToNewEndpoint: false }]) {
    const reply = await reconcile(body)
    assert.deepEqual(outcome(reply), [400, 'Conflict', 'CONFLICT'])
    assert.match(reply.body.errorMessage ?? '', /sendToNewEndpoint/)
    assert.doesNotMatch(reply.body.errorMessage ?? '', /127\.0\.0\.1/, 'an address may hold a secret')
  }
  assert.deepEqual([old.length, now.length], [1, 0])
  await setEndpoint(tenant, await endpoint.start())
  endpoint.play((_request, response) => void response.end('{"replayed":true}'))
  assert.deepEqual(outcome(await reconcile()), [200, 'Executed', null])
})

test('a reconcile that is told to goes to the new endpoint, under the same key', async () => {
  const { tenant, old, now, reconcile } = await lost()
  await setEndpoint(tenant, await moved.start())
  assert.deepEqual(outcome(await reconcile({ sendToNewEndpoint: true })), [200, 'Executed', null])
  assert.deepEqual([old.length, now.length], [1, 1])
  assert.equal(now[0]?.body.request_id, old[0]?.body.request_id)
})

test('each reconcile is told for itself: where the write was first sent is not forgotten', async () => {
  const { tenant, reconcile } = await lost()
  await setEndpoint(tenant, await moved.start())
  const now = moved.play((_request, response) => {
    response.statusCode = 500
    response.end()
  })
  assert.deepEqual(outcome(await reconcile({ sendToNewEndpoint: true })), [
    409,
    'Indeterminate',
    'EXECUTION_INDETERMINATE',
  ])
  assert.deepEqual(outcome(await reconcile()), [400, 'Conflict', 'CONFLICT'])
  assert.equal(now.length, 1)
})

test('a write that was certainly not applied is not sent to the endpoint that was set since', async () => {
  const tenant = await newShop()
  const busy = endpoint.play((_request, response) => {
    response.statusCode = 429
    response.end()
  })
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  const said = outcome(await confirm(body.actionId, undefined, USER, tenant.apiKey))
  assert.deepEqual(said, [400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE'])
  await setEndpoint(tenant, await moved.start())
  const now = moved.play((_request, response) => void response.end('{"done":true}'))
  const again = () => confirm(body.actionId, undefined, USER, tenant.apiKey)
  assert.deepEqual(outcome(await again()), [400, 'GuardForbidden', 'FORBIDDEN'])
  await setEndpoint(tenant, await endpoint.start())
  endpoint.play((_request, response) => void response.end('{"done":true}'))
  assert.deepEqual(outcome(await again()), [200, 'Executed', null])
  assert.deepEqual([busy.length, now.length], [1, 0])
})

test('a reconcile without an endpoint calls nothing, and leaves it open', async () => {
  const { tenant, reconcile } = await lost()
  await setEndpoint(tenant, null)
  const reply = await reconcile()
  assert.deepEqual(outcome(reply), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.match(reply.body.errorMessage ?? '', /PUT \/v1\/endpoint/)
})

test('what tells it must be true or false', async () => {
  const { reconcile } = await lost()
  const { status, text } = await reconcile({ sendToNewEndpoint: 'yes' })
  assert.equal(status, 400)
  assert.match(text, /sendToNewEndpoint/)
})

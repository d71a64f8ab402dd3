// An approval names where the write goes. A write whose destination moved is not approved by the same hash.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import type { ActionDetail } from '@tether/contract'
import type { z } from 'zod'
import { placeColleagues, placeHistory } from '../../../testkit/history.ts'
import { PretendApi } from '../../../testkit/pretend-api.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { type Confirmed, type Staged, set } from '../../tools/calls/fixtures/imported-shop.ts'
import { outcome } from './fixtures/imported-writes.ts'

type Detail = z.output<typeof ActionDetail>
const old = new PretendApi()
const other = new PretendApi()
const endpoint = new ScriptedEndpoint()
const elsewhere = new ScriptedEndpoint()
after(() => Promise.all([old, other, endpoint, elsewhere].map((one) => one.stop())))

const PEOPLE = [7, 8].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' }))
const REFUSED = [400, 'GuardForbidden', 'FORBIDDEN']
const REFUND = {
  name: 'refund_order',
  description: 'Pays an order back at the endpoint of the shop.',
  is_write: true,
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}
const DOCUMENT = {
  openapi: '3.0.3',
  paths: {
    '/pay/{number}': {
      post: {
        operationId: 'pay_order',
        summary: 'Pays an order.',
        parameters: [
          { name: 'number', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'key', in: 'query', schema: { type: 'string' } },
        ],
        responses: {},
      },
    },
  },
}

/** A workspace in which two people must approve each write. */
async function openShop() {
  const { tenantId, apiKey: key } = await set.house.tenant()
  const { database } = set.house.database
  await placeColleagues(database, tenantId)
  await placeHistory(database, tenantId)
  const ask = async <Body>(method: string, path: string, body?: unknown, userId?: number) => {
    const headers: Record<string, string> = userId === undefined ? {} : { 'x-service-user-id': `${userId}` }
    return await set.house.ask<Body>(method, path, { key, headers, ...(body === undefined ? {} : { body }) })
  }
  const put = async (path: string, body: unknown) => {
    const { status, text } = await ask('PUT', path, body)
    assert.equal(status, 200, text)
  }
  await put('/v1/tools', [REFUND])
  await put('/v1/endpoint', { url: await endpoint.start() })
  await put('/v1/users', PEOPLE)
  await put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  return {
    key,
    put,
    /** Imports the API at this address, and registers what the import answers. */
    async importAt(baseUrl: string, more: object = {}) {
      const operations = { pay_order: { is_write: true } }
      const body = { document: DOCUMENT, baseUrl, operations, ...more }
      const imported = await ask<{ catalog: unknown }>('POST', '/v1/tools/import', body)
      assert.equal(imported.status, 200, imported.text)
      await put('/v1/tools', imported.body.catalog)
    },
    async stage(tool: string) {
      const { status, text, body } = await ask<Staged>('POST', '/v1/actions', { tool, arguments: { number: 'A-1' } })
      assert.equal(status, 200, text)
      return body
    },
    look: async (actionId: string, userId?: number) =>
      (await ask<Detail>('GET', `/v1/actions/${actionId}`, undefined, userId)).body,
    approve: async (userId: number, actionId: string, payloadHash?: string) =>
      await set.house.ask<Confirmed>('POST', `/v1/actions/${actionId}/confirm`, {
        key,
        headers: { 'x-service-user-id': `${userId}` },
        body: payloadHash === undefined ? {} : { payloadHash },
      }),
    amend: (actionId: string) =>
      ask<{ actionId: string }>('POST', `/v1/actions/${actionId}/amend`, { arguments: { number: 'A-1' } }, 8),
  }
}

test('an approved write of an imported API does not run at another base address', async () => {
  const shop = await openShop()
  await shop.importAt(await old.start())
  const [atOld, atNew] = [old.answering(200), other.answering(200)]
  const { actionId } = await shop.stage('pay_order')
  const seen = await shop.look(actionId, 8)
  assert.deepEqual([seen.changed, seen.mayDecide], [null, true])
  assert.equal((await shop.approve(7, actionId, seen.payloadHash)).status, 202)
  await shop.importAt(await other.start())
  const refused = await shop.approve(8, actionId, seen.payloadHash)
  assert.deepEqual(outcome(refused), REFUSED)
  assert.match(refused.text, /another address/)
  assert.doesNotMatch(refused.text, /127\.0\.0\.1/, 'an address may hold a secret')
  assert.deepEqual([atOld.length, atNew.length], [0, 0])
  const moved = await shop.look(actionId, 8)
  assert.deepEqual(moved.changed, { what: 'destination', from: await old.start(), to: await other.start() })
  assert.deepEqual([moved.status, moved.mayDecide, moved.requestPreview], ['pending', false, null])
})

test('the old approvals count neither for a moved write nor for the one that replaces it', async () => {
  const shop = await openShop()
  await shop.importAt(await old.start())
  const [atOld, atNew] = [old.answering(200), other.answering(200)]
  const { actionId } = await shop.stage('pay_order')
  assert.equal((await shop.approve(7, actionId)).status, 202)
  await shop.importAt(await other.start())
  const again = await shop.amend(actionId)
  assert.equal(again.status, 200, again.text)
  const next = again.body.actionId
  assert.equal((await shop.approve(7, next)).status, 202)
  assert.deepEqual([atOld.length, atNew.length], [0, 0])
})

test('a write whose API is imported at its old address again is approved as before', async () => {
  const shop = await openShop()
  await shop.importAt(await old.start())
  const { actionId } = await shop.stage('pay_order')
  await shop.importAt(await other.start())
  assert.deepEqual(outcome(await shop.approve(7, actionId)), REFUSED)
  await shop.importAt(`${await old.start()}/`)
  old.answering(200)
  assert.equal((await shop.approve(7, actionId)).status, 202)
  assert.deepEqual(outcome(await shop.approve(8, actionId)), [200, 'Executed', null])
})

test('a new credential leaves the hash as it is, also one that goes into the query', async () => {
  const shop = await openShop()
  const baseUrl = await old.start()
  await shop.importAt(baseUrl, { credential: { scheme: 'query', name: 'api_key', value: 'first' } })
  const { actionId } = await shop.stage('pay_order')
  const { payloadHash } = await shop.look(actionId)
  assert.equal((await shop.approve(7, actionId, payloadHash)).status, 202)
  await shop.importAt(baseUrl, { credential: { scheme: 'query', name: 'token', value: 'second' } })
  const sent = old.answering(200)
  assert.equal((await shop.look(actionId)).changed, null)
  assert.deepEqual(outcome(await shop.approve(8, actionId, payloadHash)), [200, 'Executed', null])
  assert.deepEqual(
    sent.map(({ target }) => target),
    ['/pay/A-1?token=second'],
  )
})

test('a write is not approved after its endpoint moved between two approvals', async () => {
  const shop = await openShop()
  const atOld = endpoint.play((_call, response) => void response.end('{}'))
  const atNew = elsewhere.play((_call, response) => void response.end('{}'))
  const { actionId } = await shop.stage('refund_order')
  assert.equal((await shop.approve(7, actionId)).status, 202)
  const secret = `${await elsewhere.start()}?secret=s3cret`
  await shop.put('/v1/endpoint', { url: secret })
  assert.deepEqual(outcome(await shop.approve(8, actionId)), REFUSED)
  assert.deepEqual([atOld.length, atNew.length], [0, 0])
  const { changed } = await shop.look(actionId)
  assert.equal(changed?.what, 'destination')
  assert.doesNotMatch(JSON.stringify(changed), /s3cret/)
  const { actionId: next } = (await shop.amend(actionId)).body
  assert.equal((await shop.look(next)).changed, null)
})

test('a write whose endpoint is cleared stays pending, and runs when its address is set again', async () => {
  const shop = await openShop()
  const { actionId } = await shop.stage('refund_order')
  assert.equal((await shop.approve(7, actionId)).status, 202)
  await shop.put('/v1/endpoint', { url: null })
  const cleared = await shop.approve(8, actionId)
  assert.deepEqual(outcome(cleared), [400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE'])
  assert.match(cleared.body.errorMessage ?? '', /no address/)
  const { changed } = await shop.look(actionId)
  assert.deepEqual([changed?.what, changed?.to], ['destination', null])
  await shop.put('/v1/endpoint', { url: await endpoint.start() })
  const sent = endpoint.play((_call, response) => void response.end('{}'))
  assert.deepEqual(outcome(await shop.approve(8, actionId)), [200, 'Executed', null])
  assert.equal(sent.length, 1)
})

test('several decisions at once do not approve a moved write', async () => {
  const shop = await openShop()
  const { actionId } = await shop.stage('refund_order')
  assert.equal((await shop.approve(7, actionId)).status, 202)
  await shop.put('/v1/endpoint', { url: await elsewhere.start() })
  const sent = elsewhere.play((_call, response) => void response.end('{}'))
  const { body } = await set.house.ask<{ results: { status: string }[] }>('POST', '/v1/actions/decide', {
    key: shop.key,
    headers: { 'x-service-user-id': '8' },
    body: { decisions: [{ actionId, decision: 'confirm' }] },
  })
  assert.deepEqual(
    body.results.map(({ status }) => status),
    ['GuardForbidden'],
  )
  assert.equal(sent.length, 0)
})

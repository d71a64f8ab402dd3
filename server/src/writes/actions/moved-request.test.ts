// What runs is what was confirmed: a tool that sends another request by now, under the same name, runs nothing.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { IMPORTED, set } from '../../tools/calls/fixtures/imported-shop.ts'
import { decide, outcome, say, selling, stage, stateOf } from './fixtures/imported-writes.ts'

/** Registers the catalog with other members of `http` in refund_order. */
async function changed(http: object): Promise<void> {
  const body = IMPORTED.map((tool) =>
    tool.name === 'refund_order' ? { ...tool, http: { ...tool.http, ...http } } : tool,
  )
  const { status, text } = await set.house.ask('PUT', '/v1/tools', { key: set.shop.apiKey, body })
  assert.equal(status, 200, text)
}
afterEach(() => changed({}))

const place = { number: { in: 'path', name: 'number' }, amount: { in: 'body', name: 'amount' } }
const OTHERS: readonly (readonly [what: string, http: object])[] = [
  ['method', { method: 'DELETE' }],
  ['path', { path: '/customers/{number}' }],
  ['place of an argument', { arguments: { ...place, amount: { in: 'body', name: 'bonus' } } }],
  ['part that is always sent', { query: [{ name: 'force', value: 'true' }] }],
]

for (const [what, http] of OTHERS) {
  test(`a write whose ${what} has changed since it was proposed is not run, whoever saw it before`, async () => {
    const seen = selling('paid', say(200))
    const staged = await stage('refund_order')
    await changed(http)
    const looked = await set.house.ask<{ requestPreview: unknown }>('GET', `/v1/actions/${staged.actionId}`, {
      key: set.shop.apiKey,
    })
    assert.equal(looked.body.requestPreview, null)
    const confirmed = await decide('confirm', staged)
    assert.deepEqual(outcome(confirmed), [400, 'GuardForbidden', 'FORBIDDEN'])
    assert.equal(await stateOf(staged), 'pending')
    assert.equal(seen.length, 0)
    await changed({})
    assert.deepEqual(outcome(await decide('confirm', staged)), [200, 'Executed', null])
  })

  test(`a write that nobody knows of is not asked about with another ${what}`, async () => {
    const seen = selling('paid', say(500))
    const staged = await stage('refund_order')
    assert.equal((await decide('confirm', staged)).body.status, 'Indeterminate')
    await changed(http)
    const before = seen.length
    for (const body of [{}, { sendToNewEndpoint: true }]) {
      const refused = await decide('reconcile', staged, {}, body)
      assert.deepEqual(outcome(refused), [400, 'Conflict', 'CONFLICT'])
      assert.match(refused.body.errorMessage ?? '', /sends another request by now/)
    }
    assert.equal(seen.length, before)
    await changed({})
    selling('paid', say(200))
    assert.deepEqual(outcome(await decide('reconcile', staged)), [200, 'Executed', null])
  })
}

test('what a status means, and the words of a tool, are no part of its request', async () => {
  selling('paid', say(200))
  const staged = await stage('refund_order')
  await changed({ outcomes: { 409: 'refused' } })
  assert.deepEqual(outcome(await decide('confirm', staged)), [200, 'Executed', null])
})

// A reconcile that sends nothing learns nothing: the request before it may have been performed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importing, set } from '../../tools/calls/fixtures/imported-shop.ts'
import { decide, outcome, say, selling, stage, stateOf, writes } from './fixtures/imported-writes.ts'

const TOKEN = { 'x-service-upstream-token': 'the-token-of-a-person' }

test('a reconcile without the token of a person leaves the write indeterminate', async () => {
  const seen = selling('paid', say(500))
  await importing({ userToken: 'require' })
  const staged = await stage('refund_order')
  assert.deepEqual(outcome(await decide('confirm', staged, TOKEN)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  const reconciled = await decide('reconcile', staged)
  assert.deepEqual(outcome(reconciled), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.match(reconciled.body.errorMessage ?? '', /Nothing was called|nothing was called/)
  assert.equal(await stateOf(staged), 'indeterminate')
  assert.equal(writes(seen).length, 1)
  selling('paid', say(200))
  assert.deepEqual(outcome(await decide('reconcile', staged, TOKEN)), [200, 'Executed', null])
})

test('a reconcile whose request a new credential would change leaves the write indeterminate', async () => {
  const tools = [
    {
      name: 'pay_account',
      description: 'Pays to one account of the shop, for the tests of credentials.',
      is_write: true,
      parameters: { type: 'object', properties: { account: { type: 'string' } } },
      http: { method: 'POST', path: '/payments', arguments: { account: { in: 'query', name: 'account' } } },
    },
  ]
  assert.equal((await set.house.ask('PUT', '/v1/tools', { key: set.shop.apiKey, body: tools })).status, 200)
  const seen = selling('paid', say(500))
  const staged = await stage('pay_account', { account: 'A-1' })
  assert.deepEqual(outcome(await decide('confirm', staged)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  await importing({ credential: { scheme: 'query', name: 'account', value: 'B-9' } })
  assert.deepEqual(outcome(await decide('reconcile', staged)), [409, 'Indeterminate', 'EXECUTION_INDETERMINATE'])
  assert.equal(await stateOf(staged), 'indeterminate')
  assert.equal(writes(seen).length, 1)
})

// A credential is not part of the hash that people approve, so a new one must not change what the write asks for.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { api, importing, set } from '../../tools/calls/fixtures/imported-shop.ts'
import { decide, outcome, stage } from './fixtures/imported-writes.ts'

const text = { type: 'string' }
const PAY = {
  name: 'pay_account',
  description: 'Pays to one account of the shop, for the tests of credentials.',
  is_write: true,
  parameters: { type: 'object', properties: { account: text, branch: text } },
  http: {
    method: 'POST',
    path: '/payments',
    query: [{ name: 'mode', value: 'safe' }],
    body: 'json',
    arguments: { account: { in: 'query', name: 'account' }, branch: { in: 'header', name: 'X-Branch' } },
  },
}
const given = { account: 'A-1', branch: 'north' }

const setCredential = async (credential: object) => {
  const { status, text: said } = await set.house.ask('PATCH', '/v1/tools/api', {
    key: set.shop.apiKey,
    body: { credential },
  })
  assert.equal(status, 200, said)
}

beforeEach(async () => {
  const { status, text: said } = await set.house.ask('PUT', '/v1/tools', { key: set.shop.apiKey, body: [PAY] })
  assert.equal(status, 200, said)
})

for (const credential of [
  { scheme: 'query', name: 'account', value: 'B-9' },
  { scheme: 'query', name: 'Account[]', value: 'B-9' },
  { scheme: 'query', name: 'mode', value: 'live' },
  { scheme: 'header', name: 'x_branch', value: 'south' },
]) {
  test(`a write is not sent with a credential that replaces what its approvers saw: ${credential.name}`, async () => {
    const seen = api.answering(200)
    const staged = await stage('pay_account', given)
    await setCredential(credential)
    const confirmed = await decide('confirm', staged)
    assert.deepEqual(outcome(confirmed), [400, 'FailedTerminal', 'VALIDATION_ERROR'])
    assert.match(confirmed.body.errorMessage ?? '', /The stored credential would replace/)
    assert.equal(seen.length, 0)

    // The next one is refused before it waits for a person.
    const { status, error } = await set.house.ask('POST', '/v1/actions', {
      key: set.shop.apiKey,
      body: { tool: 'pay_account', arguments: given },
    })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
  })
}

test('a write is sent with a credential that replaces nothing', async () => {
  const seen = api.answering(200)
  await importing()
  const staged = await stage('pay_account', { account: 'A-1' })
  await setCredential({ scheme: 'header', name: 'X-Branch', value: 'the-credential' })
  assert.deepEqual(outcome(await decide('confirm', staged)), [200, 'Executed', null])
  assert.deepEqual(
    seen.map(({ target, headers }) => [target, headers['x-branch']]),
    [['/v2/payments?mode=safe&account=A-1', 'the-credential']],
  )
})

// A tool that names another argument as its value, or none, after its write was staged: the larger of the two counts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { answering, CATALOG, confirm, newShop, outcome, set, stage } from './fixtures/shop.ts'

const FORBIDDEN = [403, 'ApprovalForbidden', 'approver_forbidden']
const EXECUTED = [200, 'Executed', null]

async function worth(value_from: string | null) {
  const tenant = await newShop()
  const key = tenant.apiKey
  const put = (path: string, body: unknown) => set.house.ask('PUT', path, { key, body })
  const naming = async (name: string | null) => {
    const parameters = {
      type: 'object',
      properties: { number: { type: 'string' }, amount: { type: 'number' }, count: { type: 'number' } },
    }
    const body = CATALOG.map((tool) =>
      tool.name === 'refund_order' ? { ...tool, parameters, value_from: name } : tool,
    )
    const { status, text } = await put('/v1/tools', body)
    assert.equal(status, 200, text)
  }
  await put(
    '/v1/users',
    ['clerk', 'manager'].map((role, at) => ({ userId: at + 1, displayName: `Person ${at + 1}`, role })),
  )
  await put('/v1/policy', { rules: [{ minValue: 500, roles: ['manager'] }] })
  await naming(value_from)
  const seen = answering({})
  const propose = async (given: object) =>
    (await stage('refund_order', { number: 'A', ...given }, { tenant })).body.actionId
  const as = async (userId: number, actionId: string, body: object = { acknowledgeHighRisk: true }) =>
    outcome(await confirm(actionId, body, { 'x-service-user-id': String(userId) }, key))
  return { naming, propose, as, seen }
}

for (const next of ['count', null]) {
  test(`a tool whose value is ${next ?? 'nothing'} by now keeps what its write was worth`, async () => {
    const { naming, propose, as, seen } = await worth('amount')
    const actionId = await propose({ amount: 9999, count: 1 })
    assert.deepEqual(await as(1, actionId), FORBIDDEN)
    await naming(next)
    assert.deepEqual(await as(1, actionId), FORBIDDEN)
    assert.deepEqual(await as(2, actionId, {}), [400, 'GuardRejected', 'AI_ACTION_REQUIRES_CONFIRMATION'])
    assert.equal(seen.length, 0)
    assert.deepEqual(await as(2, actionId), EXECUTED)
  })
}

test('a tool whose value is larger by now is worth that', async () => {
  const { naming, propose, as } = await worth('count')
  const actionId = await propose({ amount: 9999, count: 1 })
  await naming('amount')
  assert.deepEqual(await as(1, actionId), FORBIDDEN)
  assert.deepEqual(await as(2, actionId), EXECUTED)
})

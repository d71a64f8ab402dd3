// A tool that moved to another domain after its write was staged: the rules of both domains are met, or nothing is run.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { NewTenant } from '../../../testkit/house.ts'
import { answering, CATALOG, confirm, newShop, outcome, set, stage } from './fixtures/shop.ts'

const put = ({ apiKey: key }: NewTenant, path: string, body: unknown) => set.house.ask('PUT', path, { key, body })
const inDomain = (tenant: NewTenant, domain: string) =>
  put(
    tenant,
    '/v1/tools',
    CATALOG.map((tool) => ({ ...tool, domain })),
  )

/** One clerk and two managers; a write that is staged in `orders`, and a tool that then moves to `money`. */
async function moving(rules: readonly object[]) {
  const tenant = await newShop()
  await put(
    tenant,
    '/v1/users',
    ['clerk', 'manager', 'manager'].map((role, at) => ({ userId: at + 1, displayName: `Person ${at + 1}`, role })),
  )
  await put(tenant, '/v1/policy', { rules })
  await inDomain(tenant, 'orders')
  const seen = answering({})
  const { body } = await stage('refund_order', { number: 'A' }, { tenant })
  await inDomain(tenant, 'money')
  const as = async (userId: number) =>
    outcome(await confirm(body.actionId, undefined, { 'x-service-user-id': String(userId) }, tenant.apiKey))
  return { as, seen }
}

const FORBIDDEN = [403, 'ApprovalForbidden', 'approver_forbidden']
const AWAITING = [202, 'AwaitingApprovers', 'awaiting_approvers']
const EXECUTED = [200, 'Executed', null]
const ofMoney = { domains: ['money'], roles: ['manager'], approvers: 2 }
const ofOrders = { domains: ['orders'], roles: ['manager'], approvers: 2 }

for (const [what, rule] of [
  ['to a guarded domain', ofMoney],
  ['out of a guarded domain', ofOrders],
] as const) {
  test(`a tool that moved ${what} is confirmed by whom that domain asks for`, async () => {
    const { as, seen } = await moving([rule])
    assert.deepEqual(await as(1), FORBIDDEN)
    assert.deepEqual(await as(2), AWAITING)
    assert.equal(seen.length, 0)
    assert.deepEqual(await as(3), EXECUTED)
  })
}

test('where both domains have a rule, both are met, each by its own people', async () => {
  const { as, seen } = await moving([
    { ...ofMoney, approvers: 1 },
    { domains: ['orders'], roles: ['clerk'] },
  ])
  assert.deepEqual(await as(2), AWAITING)
  assert.equal(seen.length, 0)
  assert.deepEqual(await as(1), EXECUTED)
})

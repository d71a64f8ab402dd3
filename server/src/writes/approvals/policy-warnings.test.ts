import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import type { Policy, PolicyRule } from './policy.ts'
import { type PolicyPerson, type PolicyTool, policyWarnings } from './policy-warnings.ts'

const TOOLS: readonly PolicyTool[] = [
  { name: 'get_order', domain: 'orders', risk: 'low', isWrite: false },
  { name: 'refund_order', domain: 'orders', risk: 'high', isWrite: true },
  { name: 'cancel_order', domain: 'orders', risk: 'low', isWrite: true },
  { name: 'order_part', domain: 'stock', risk: 'low', isWrite: true },
]
const person = (userId: number | null, role: string, active = true): PolicyPerson => ({
  userId,
  email: null,
  role,
  active,
})
/** Somebody who was invited: without an id of the tenant's own, they sign in by mail. */
const invited = (role: string): PolicyPerson => ({ ...person(null, role), email: 'ana@shop.example' })
const PEOPLE = [person(1, 'manager'), person(2, 'manager'), person(3, 'clerk'), person(4, 'owner', false)]
const EVERYBODY: PolicyRule = { roles: ['manager', 'clerk'] }

const policyOf = (rules: readonly PolicyRule[], requesterMayApprove = true): Policy => ({
  rules,
  requesterMayApprove,
  customerSelfConfirm: false,
  remindAtHalf: false,
})
const codesOf = (policy: Policy, people: readonly PolicyPerson[] = PEOPLE, tools = TOOLS) =>
  policyWarnings(policy, tools, people).map(({ code, rule, name }) => [code, rule, name])

test('a policy that fits its people and its catalog has no warnings', () => {
  assert.deepEqual(codesOf(policyOf([{ tools: ['refund_order'], roles: ['manager'], approvers: 2 }, EVERYBODY])), [])
  assert.deepEqual(
    codesOf(policyOf([{ domains: ['orders', 'stock'], risk: ['low'], roles: ['clerk'] }, EVERYBODY])),
    [],
  )
})

test('a tool, a domain and a role that nobody has are named, each with its rule', () => {
  const rules = [
    EVERYBODY,
    { tools: ['refund_oder', 'get_order', 'refund_order'], domains: ['Orders'], roles: ['boss', 'owner', 'clerk'] },
  ]
  assert.deepEqual(codesOf(policyOf(rules)), [
    ['unknown_role', 1, 'boss'],
    ['unknown_role', 1, 'owner'],
    ['unknown_tool', 1, 'refund_oder'],
    ['not_a_write', 1, 'get_order'],
    ['unknown_domain', 1, 'Orders'],
  ])
})

test('more approvers than people who could is said, and so is a requester who would be missed', () => {
  const rule = (approvers: number): PolicyRule => ({ roles: ['manager'], approvers })
  assert.deepEqual(codesOf(policyOf([rule(3)])), [['too_few_people', 0, null]])
  assert.deepEqual(codesOf(policyOf([rule(2)])), [])
  assert.deepEqual(codesOf(policyOf([rule(2)], false)), [['too_few_people', 0, null]])
  assert.deepEqual(codesOf(policyOf([rule(1)], false)), [])
  assert.deepEqual(codesOf(policyOf([rule(2)]), [person(1, 'manager'), person(null, 'manager')]), [
    ['too_few_people', 0, null],
  ])
})

test('whoever was invited and signs in by mail could approve as well as anybody', () => {
  const rule: PolicyRule = { roles: ['manager'], approvers: 2 }
  assert.deepEqual(codesOf(policyOf([rule]), [invited('manager'), invited('manager')]), [])
  assert.deepEqual(codesOf(policyOf([rule]), [invited('manager'), person(1, 'manager')]), [])
  assert.deepEqual(codesOf(policyOf([rule]), [invited('manager')]), [['too_few_people', 0, null]])
})

test('a policy without anybody who could approve says that once', () => {
  for (const people of [[], [person(1, 'manager', false)], [person(null, 'manager')]])
    assert.deepEqual(codesOf(policyOf([EVERYBODY]), people), [['no_people', null, null]])
})

test('a write that no rule covers is named; one that a rule covers from a value on is not', () => {
  assert.deepEqual(codesOf(policyOf([{ tools: ['refund_order'], roles: ['manager'] }])), [
    ['uncovered_write', null, 'cancel_order'],
    ['uncovered_write', null, 'order_part'],
  ])
  assert.deepEqual(codesOf(policyOf([{ domains: ['orders'], minValue: 500, roles: ['manager'] }])), [
    ['uncovered_write', null, 'order_part'],
  ])
  assert.deepEqual(codesOf(policyOf([{ risk: ['low'], roles: ['clerk'] }])), [
    ['uncovered_write', null, 'refund_order'],
  ])
  assert.deepEqual(codesOf(policyOf([])).length, 3)
})

test('a long list of warnings is cut, and says so', () => {
  const tools = Array.from({ length: 300 }, (_, index) => ({ ...TOOLS[1], name: `write_${index}` }) as PolicyTool)
  const warnings = policyWarnings(policyOf([]), tools, PEOPLE)
  assert.equal(warnings.length, 201)
  assert.match(warnings.at(-1)?.message ?? '', /^100 more warnings/)
})

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

type Warned = { readonly warnings: z.output<typeof contract.PolicyWarnings> }
const write = (name: string, domain = 'orders') => ({
  name,
  domain,
  description: 'Changes something, for a test of warnings.',
  is_write: true,
})

test('PUT /v1/policy, /v1/users and /v1/tools warn of what does not fit the other two', async () => {
  const { apiKey: key } = await house.tenant()
  const put = async (path: string, body: unknown) => {
    const reply = await house.ask<Warned>('PUT', path, { key, body })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.warnings.map(({ code, name }) => (name === null ? code : `${code} ${name}`))
  }
  const ana = { userId: 1, displayName: 'Ana', role: 'manager' }
  assert.deepEqual(await put('/v1/users', [{ ...ana, role: 'odd' }]), [], 'without a policy no role is missing')
  assert.deepEqual(await put('/v1/tools', [write('refund_order')]), [], 'without a policy nothing is uncovered')

  const policy = {
    rules: [
      { tools: ['refund_order'], roles: ['manager'] },
      { tools: ['cancel_order'], roles: ['owner'] },
    ],
  }
  assert.deepEqual(await put('/v1/policy', policy), [
    'unknown_role manager',
    'too_few_people',
    'unknown_role owner',
    'too_few_people',
    'unknown_tool cancel_order',
  ])
  assert.deepEqual(await put('/v1/users', [ana]), ['unknown_role owner', 'too_few_people', 'unknown_tool cancel_order'])
  assert.deepEqual(await put('/v1/tools', [write('cancel_order'), write('close_shop')]), [
    'unknown_tool refund_order',
    'uncovered_write close_shop',
  ])
  const owner = { userId: 2, displayName: 'Beka', role: 'owner' }
  assert.deepEqual(await put('/v1/tools', [write('cancel_order'), write('refund_order')]), [])
  assert.deepEqual(await put('/v1/users', [owner]), [])
  assert.deepEqual(await put('/v1/policy', policy), [])
  const { users } = (await house.ask<{ users: { id: number; userId: number }[] }>('GET', '/v1/users', { key })).body
  const beka = users.find(({ userId }) => userId === owner.userId) ?? assert.fail('Beka is not registered')
  const removal = await house.ask<{ warnings: { code: string }[] }>('DELETE', `/v1/users/${beka.id}`, { key })
  assert.deepEqual(
    removal.body.warnings.map(({ code }) => code),
    ['unknown_role', 'too_few_people'],
    'a removal that leaves too few people is answered as a registration is',
  )
})

test('GET /v1/policy says plainly that without a policy any stated id counts', async () => {
  const { apiKey: key } = await house.tenant()
  const notice = async () => (await house.ask<{ notice: string | null }>('GET', '/v1/policy', { key })).body.notice
  assert.match((await notice()) ?? '', /No approval policy is in force.*any id.*X-Service-User-Id.*registered or not/)
  await house.ask('PUT', '/v1/policy', { key, body: { rules: [] } })
  assert.equal(await notice(), null)
  await house.ask('DELETE', '/v1/policy', { key })
  assert.match((await notice()) ?? '', /No approval policy/)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { mayApprove } from './index.ts'
import { loadGrounds } from './may-decide.ts'

type UserList = z.output<typeof contract.UserList>
type UsersAnswer = z.output<typeof contract.UsersRegistered> | z.output<typeof contract.UsersRefused>
type PolicyNow = z.output<typeof contract.Policy>
type PolicyAnswer = z.output<typeof contract.PolicyRegistered> | z.output<typeof contract.PolicyRefused>

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const putUsers = (key: string, body: unknown) => house.ask<UsersAnswer>('PUT', '/v1/users', { key, body })
const users = async (key: string) => (await house.ask<UserList>('GET', '/v1/users', { key })).body
const putPolicy = (key: string, body: unknown) => house.ask<PolicyAnswer>('PUT', '/v1/policy', { key, body })
const policy = async (key: string) => (await house.ask<PolicyNow>('GET', '/v1/policy', { key })).body

const ana = { userId: 1, displayName: 'Ana', email: 'ana@shop.example', role: 'manager' }
const beka = { userId: 2, displayName: 'Beka' }

test('nobody is registered at first; whoever is registered is listed in that order', async () => {
  const { apiKey } = await house.tenant()
  assert.deepEqual(await users(apiKey), { users: [], count: 0 })
  assert.deepEqual((await putUsers(apiKey, [ana, beka])).body, { registered: true, userCount: 2, warnings: [] })
  assert.deepEqual((await putUsers(apiKey, { users: [{ userId: 3, displayName: 'Cira "C" \\ {,}' }] })).body, {
    registered: true,
    userCount: 3,
    warnings: [],
  })
  const list = await users(apiKey)
  assert.equal(list.count, 3)
  assert.deepEqual(
    list.users.map(({ id: _id, createdAt: _at, ...rest }) => rest),
    [
      { ...ana, active: true },
      { ...beka, email: null, role: 'member', active: true },
      { userId: 3, displayName: 'Cira "C" \\ {,}', email: null, role: 'member', active: true },
    ],
  )
})

test('a change reaches the row that it means, omitted members stay, and a list goes back in as it came out', async () => {
  const { apiKey } = await house.tenant()
  await putUsers(apiKey, [ana, beka, { displayName: 'Cira', email: 'Cira@Shop.example' }])
  const first = await users(apiKey)
  const changes = [
    { id: first.users[0]?.id, role: 'owner' },
    { userId: 2, active: false, email: 'beka@shop.example' },
    { email: 'cira@shop.example', userId: 3 },
  ]
  assert.deepEqual((await putUsers(apiKey, changes)).body, { registered: true, userCount: 3, warnings: [] })
  const second = await users(apiKey)
  assert.deepEqual(
    second.users.map(({ userId, displayName, email, role, active }) => [userId, displayName, email, role, active]),
    [
      [1, 'Ana', 'ana@shop.example', 'owner', true],
      [2, 'Beka', 'beka@shop.example', 'member', false],
      [3, 'Cira', 'cira@shop.example', 'member', true],
    ],
  )
  const moments = ({ users: list }: UserList) => list.map(({ id, createdAt }) => [id, createdAt])
  assert.deepEqual(moments(second), moments(first))
  assert.equal((await putUsers(apiKey, second)).status, 200)
  assert.deepEqual(await users(apiKey), second)
})

test('a null changes nothing about a person but their address, which it removes', async () => {
  const { apiKey } = await house.tenant()
  await putUsers(apiKey, [ana])
  const [before] = (await users(apiKey)).users
  const nulled = { userId: 1, displayName: null, role: null, active: null }
  assert.equal((await putUsers(apiKey, [nulled])).status, 200)
  assert.deepEqual((await users(apiKey)).users, [before])
  await putUsers(apiKey, [{ ...nulled, email: null }])
  assert.deepEqual((await users(apiKey)).users, [{ ...before, email: null }])
})

test('one entry that is wrong leaves everybody as they were', async () => {
  const { apiKey } = await house.tenant()
  await putUsers(apiKey, [ana, beka])
  const before = await users(apiKey)
  const good = [
    { userId: 1, role: 'owner' },
    { userId: 9, displayName: 'New' },
  ]
  for (const bad of [{ userId: 'x' }, { id: 2 ** 40, displayName: 'X' }, { userId: 40 }, 5]) {
    const { status, body } = await putUsers(apiKey, [...good, bad])
    assert.equal(status, 400)
    assert.ok(body.registered === false)
    assert.match(body.error, /^Entry 2/)
  }
  const conflict = await putUsers(apiKey, [
    ...good,
    { userId: 2, displayName: 'Again' },
    { userId: 2, displayName: 'And again' },
  ])
  assert.deepEqual([conflict.status, conflict.error?.code], [409, 'user_link_conflict'])
  assert.match(conflict.error?.message ?? '', /^Entry 3 \(userId 2\).*Nobody was changed\.$/)
  const twoPeople = await putUsers(apiKey, [...good, { id: before.users[0]?.id, userId: 2 }])
  assert.equal(twoPeople.error?.code, 'user_link_conflict')
  assert.deepEqual(await users(apiKey), before)
})

test('lists that come at once are one after the other: a person is registered once, and no change is lost', async () => {
  const { apiKey } = await house.tenant()
  const lists = Array.from({ length: 12 }, (_, index) => [
    { userId: 7, displayName: 'Everyone’s' },
    { email: 'shared@shop.example', displayName: 'By address' },
    { userId: 100 + index, displayName: `Own ${index}` },
  ])
  const answers = await Promise.all(lists.map((list) => putUsers(apiKey, list)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    lists.map(() => 200),
  )
  // Each list saw what the ones before had written.
  const counts = answers.map(({ body }) => (body.registered ? body.userCount : 0)).sort((a, b) => a - b)
  assert.deepEqual(
    counts,
    lists.map((_, index) => index + 3),
  )
  assert.equal((await users(apiKey)).count, 14)
})

test('a workspace holds 5000 people, and not one more', async () => {
  const { apiKey } = await house.tenant()
  const crowd = Array.from({ length: 5_000 }, (_, index) => ({ userId: index + 1, displayName: `P${index}` }))
  assert.deepEqual((await putUsers(apiKey, crowd)).body, { registered: true, userCount: 5_000, warnings: [] })
  const more = await putUsers(apiKey, [
    { userId: 1, role: 'owner' },
    { userId: 9_999, displayName: 'One more' },
  ])
  assert.deepEqual(
    [more.status, more.body],
    [400, { registered: false, error: 'There would be 5001 people; 5000 is the most.' }],
  )
  assert.equal((await putUsers(apiKey, [{ userId: 1, role: 'owner' }])).status, 200)
})

test('a tenant’s people and policy are its own, whatever ids and addresses another one has', async () => {
  const [one, other] = [await house.tenant(), await house.tenant()]
  await putUsers(one.apiKey, [ana, { displayName: 'Alone', email: 'alone@shop.example' }])
  await putPolicy(one.apiKey, { rules: [{ roles: ['manager'] }] })
  const [first] = (await users(one.apiKey)).users
  assert.deepEqual(await users(other.apiKey), { users: [], count: 0 })
  assert.equal((await policy(other.apiKey)).inForce, false)
  const before = [await users(one.apiKey), await policy(one.apiKey)]
  // A foreign id is nobody's; a foreign userId and a foreign address are free.
  const foreign = await putUsers(other.apiKey, [{ id: first?.id, displayName: 'Taken' }])
  assert.equal(foreign.status, 400)
  const own = [
    { ...ana, displayName: 'Other Ana' },
    { displayName: 'Other', email: 'alone@shop.example' },
  ]
  assert.deepEqual((await putUsers(other.apiKey, own)).body, { registered: true, userCount: 2, warnings: [] })
  assert.deepEqual((await house.ask('DELETE', '/v1/policy', { key: other.apiKey })).body, {
    deleted: false,
    version: 0,
  })
  await putPolicy(other.apiKey, { rules: [] })
  await house.ask('DELETE', '/v1/policy', { key: other.apiKey })
  assert.deepEqual([await users(one.apiKey), await policy(one.apiKey)], before)
})

const none = { inForce: false, rules: [], requesterMayApprove: true, customerSelfConfirm: false, remindAtHalf: false }

test('a policy that was never set has version 0; each change is a version, a deletion too', async () => {
  const { apiKey, tenantId } = await house.tenant()
  const { notice, ...first } = await policy(apiKey)
  assert.deepEqual(first, { version: 0, ...none, changedAt: null })
  const rules = [{ tools: ['refund_order'], minValue: 500.5, roles: ['manager'], approvers: 2 }, { roles: ['member'] }]
  const made = await putPolicy(apiKey, { rules, requesterMayApprove: false, remindAtHalf: true })
  assert.ok(made.body.registered)
  const { registered: _registered, warnings, ...shown } = made.body
  assert.equal(warnings[0]?.code, 'no_people')
  assert.deepEqual(await policy(apiKey), shown)
  const { changedAt, ...rest } = shown
  assert.deepEqual(rest, {
    version: 1,
    inForce: true,
    rules,
    requesterMayApprove: false,
    customerSelfConfirm: false,
    remindAtHalf: true,
    notice: null,
  })
  assert.ok(Math.abs(Date.parse(changedAt ?? '') - Date.now()) < 60_000)
  assert.equal((await putPolicy(apiKey, shown)).status, 200, 'what is read can be written')
  const gone = await house.ask('DELETE', '/v1/policy', { key: apiKey })
  assert.deepEqual(gone.body, { deleted: true, version: 3 })
  const { changedAt: _at, ...after } = await policy(apiKey)
  assert.deepEqual(after, { version: 3, ...none, notice })
  assert.deepEqual((await house.ask('DELETE', '/v1/policy', { key: apiKey })).body, { deleted: false, version: 3 })
  assert.deepEqual((await putPolicy(apiKey, { rules: [] })).body, {
    ...(await policy(apiKey)),
    registered: true,
    warnings: warnings.slice(0, 1),
    version: 4,
  })
  const kept = await house.database.database.rows(allPolicies, { tenantId })
  assert.deepEqual(
    kept.map(({ version, rules: text }) => [version, text === 'null']),
    [
      [1, false],
      [2, false],
      [3, true],
      [4, false],
    ],
  )
})

test('a policy that is refused changes nothing; policies that come at once get a version each', async () => {
  const { apiKey } = await house.tenant()
  await putPolicy(apiKey, { rules: [{ roles: ['manager'] }] })
  const before = await policy(apiKey)
  const refused = await putPolicy(apiKey, { rules: [{ roles: [] }, { roles: ['a'], approvers: 6 }] })
  assert.equal(refused.status, 400)
  assert.ok(refused.body.registered === false)
  assert.match(refused.body.error, /rules\[0\]\.roles.*rules\[1\]\.approvers/)
  for (const method of ['PUT', 'DELETE']) {
    const strange = await house.ask<{ error: { code: string } }>(method, '/v1/policy?mode=draft', {
      key: apiKey,
      ...(method === 'PUT' ? { body: { rules: [{ roles: ['clerk'] }] } } : {}),
    })
    assert.deepEqual([strange.status, strange.body.error.code], [400, 'invalid_request'], method)
  }
  assert.deepEqual(await policy(apiKey), before)
  const answers = await Promise.all(Array.from({ length: 8 }, () => putPolicy(apiKey, { rules: [] })))
  const versions = answers.map(({ body }) => (body.registered ? body.version : 0)).sort((a, b) => a - b)
  assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9])
})

test('the documents of old policies go, and their versions and hashes stay', async () => {
  const shop = await house.tenant()
  const { tenantId, apiKey } = shop
  for (let at = 1; at <= 102; at++) await putPolicy(apiKey, { rules: [{ roles: [`role-${at}`] }] })
  const read = () => house.database.database.rows(policyRows, { tenantId })
  const rows = await read()
  assert.deepEqual(
    rows.filter(({ bytes }) => bytes === null).map(({ version }) => version),
    [1, 2],
  )
  assert.ok(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash ?? '')))
  assert.deepEqual((await policy(apiKey)).rules, [{ roles: ['role-102'] }])
  const large = Array.from({ length: 100 }, (_, rule) => ({
    roles: Array.from({ length: 140 }, (_, role) => `${String(rule * 200 + role).padStart(6, '0')}${'ა'.repeat(20)}`),
  }))
  for (let at = 0; at < 21; at++) assert.equal((await putPolicy(apiKey, { rules: large })).status, 200)
  const bytes = (await read()).reduce((sum, row) => sum + (row.bytes ?? 0), 0)
  assert.ok(bytes > 8 * 1024 * 1024 && bytes <= 16 * 1024 * 1024, `${bytes}`)
})

test('a body that is no JSON object or list is answered, and a missing one too', async () => {
  const { apiKey } = await house.tenant()
  for (const path of ['/v1/users', '/v1/policy']) {
    for (const body of [5, null, 'x', {}, undefined]) {
      const { status, body: answer } = await house.ask('PUT', path, { key: apiKey, body })
      assert.equal(status, 400, `${path} ${JSON.stringify(body)}`)
      assert.equal(answer.registered, false)
    }
  }
})

const allPolicies = statement<{ version: number; rules: string }, { tenantId: number }>(
  'test.all_policies',
  'select version, rules from policies where tenant_id = $tenantId::int order by version',
)
const policyRows = statement<{ version: number; bytes: number | null; hash: string | null }, { tenantId: number }>(
  'test.policy_rows',
  `select version, octet_length(rules) as bytes, hash from policies where tenant_id = $tenantId::int order by version`,
)
/** By the person who has the userId, or by a userId that no one has. */
const approve = statement<unknown, { tenantId: number; actionId: string; userId: number; payloadHash: string }>(
  'test.approve',
  `insert into approvals (tenant_id, action_id, user_id, payload_hash)
   select $tenantId::int, $actionId::uuid,
          coalesce((select -u.id from users u where u.tenant_id = $tenantId::int and u.user_id = $userId::bigint), $userId::bigint),
          $payloadHash::text`,
)
const idOf = async (tenant: NewTenant, userId: number): Promise<number> => {
  const { users } = (
    await house.ask<{ users: { id: number; userId: number }[] }>('GET', '/v1/users', { key: tenant.apiKey })
  ).body
  return users.find((user) => user.userId === userId)?.id ?? assert.fail(`no one has the userId ${userId}`)
}

const askedBy = ({ tenantId }: NewTenant, userId: number | null) => ({
  db: house.database.database,
  asking: { tenantId, actor: { by: 'key', userId, role: 'owner' } } as const,
})
const load = (tenant: NewTenant, actionId: string, userId: number | null) =>
  loadGrounds(askedBy(tenant, userId), actionId)

test('what a judgement needs is loaded as of one moment, of one tenant and one action', async () => {
  const [one, other] = [await house.tenant(), await house.tenant()]
  const { database } = house.database
  const actionId = randomUUID()
  const empty = {
    policy: null,
    policyVersion: 0,
    users: { any: false, byId: new Map() },
    approver: { by: 'key', userId: null, personId: 0 },
    alreadyApproved: [],
    shadow: null,
  }
  assert.deepEqual(await load(one, actionId, null), empty)
  await putUsers(one.apiKey, [
    ana,
    beka,
    { userId: 3, displayName: 'Cira', active: false },
    { userId: 4, displayName: 'Dato' },
  ])
  await putPolicy(one.apiKey, { rules: [{ roles: ['manager'] }], customerSelfConfirm: true })
  await putPolicy(one.apiKey, { rules: [{ roles: ['member'], approvers: 2 }] })
  for (const userId of [2, 3, 77])
    await database.run(approve, { tenantId: one.tenantId, actionId, userId, payloadHash: 'aa' })
  await database.run(approve, { tenantId: one.tenantId, actionId: randomUUID(), userId: 4, payloadHash: 'aa' })
  const [first, second, third] = [await idOf(one, 1), await idOf(one, 2), await idOf(one, 3)]
  const { alreadyApproved, ...loaded } = await load(one, actionId, 1)
  // They have no order.
  const approvedBy = [second, third, 0].map((personId) => ({ personId, payloadHash: 'aa' }))
  assert.deepEqual(new Set(alreadyApproved), new Set(approvedBy))
  assert.deepEqual(loaded, {
    policy: {
      rules: [{ roles: ['member'], approvers: 2 }],
      requesterMayApprove: true,
      customerSelfConfirm: false,
      remindAtHalf: false,
    },
    policyVersion: 2,
    shadow: null,
    users: {
      any: true,
      byId: new Map([
        [first, { id: first, userId: 1, role: 'manager', active: true }],
        [second, { id: second, userId: 2, role: 'member', active: true }],
        [third, { id: third, userId: 3, role: 'member', active: false }],
      ]),
    },
    approver: { by: 'key', userId: 1, personId: first },
  })
  assert.deepEqual((await load(one, actionId, null)).users.byId.has(first), false)
  const ofNoOne = { ...empty, approver: { by: 'key', userId: 1, personId: 0 } }
  assert.deepEqual(await load(other, actionId, 1), ofNoOne, 'another tenant sees nothing of it')
  await house.ask('DELETE', '/v1/policy', { key: one.apiKey })
  const { policy: gone, policyVersion } = await load(one, actionId, 1)
  assert.deepEqual([gone, policyVersion], [null, 3])
})

test('from the rows to the judgement: a person who is set inactive stops counting, and counts again', async () => {
  const tenant = await house.tenant()
  const actionId = randomUUID()
  await putUsers(tenant.apiKey, [ana, { ...ana, userId: 5, displayName: 'Eka' }])
  await putPolicy(tenant.apiKey, { rules: [{ roles: ['manager'], approvers: 2 }] })
  await house.database.database.run(approve, { tenantId: tenant.tenantId, actionId, userId: 5, payloadHash: 'aa' })
  const action = {
    actionId,
    tool: 'refund_order',
    domain: 'orders',
    risk: 'low',
    value: null,
    requesters: [],
    payloadHash: 'aa',
  } as const
  const received = async () => {
    const judged = await mayApprove(askedBy(tenant, 1), action)
    return judged.ok ? judged.received : judged.status
  }
  assert.equal(await received(), 2)
  await putUsers(tenant.apiKey, [{ userId: 5, active: false }])
  assert.equal(await received(), 1)
  await putUsers(tenant.apiKey, [{ userId: 5, active: true }])
  assert.equal(await received(), 2)
  await putUsers(tenant.apiKey, [{ userId: 1, role: 'member' }])
  assert.equal(await received(), 'ApprovalForbidden')
})

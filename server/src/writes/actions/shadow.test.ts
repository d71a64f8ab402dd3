// A policy in shadow: what it would have decided stands beside what was decided, and no decision changes because of it.
import assert from 'node:assert/strict'
import test from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { NewTenant } from '../../../testkit/house.ts'
import { statement } from '../../kernel/db/index.ts'
import { answering, confirm, decide, endpoint, newShop, outcome, passWindow, set, stage } from './fixtures/shop.ts'
import { ONE_AT_A_TIME, untilWaiting } from './fixtures/waiting.ts'

type InShadow = z.output<typeof contract.PolicyInShadow>
type Registered = z.output<typeof contract.PolicyRegistered>
type Policy = z.output<typeof contract.Policy>
type Deleted = z.output<typeof contract.PolicyDeleted>

const ask = <Body = unknown>({ apiKey: key }: NewTenant, method: string, path: string, body?: unknown) =>
  set.house.ask<Body>(method, path, { key, ...(body === undefined ? {} : { body }) })
const tryOut = (tenant: NewTenant, body: unknown) => ask<Registered>(tenant, 'PUT', '/v1/policy?mode=shadow', body)
const shadow = async (tenant: NewTenant, query = '') =>
  (await ask<InShadow>(tenant, 'GET', `/v1/policy/shadow${query}`)).body
const as = (userId: number) => ({ 'x-service-user-id': String(userId) })
const confirmAs = async (tenant: NewTenant, userId: number, actionId: string, body?: object) =>
  outcome(await confirm(actionId, body, as(userId), tenant.apiKey))
const rejectAs = async (tenant: NewTenant, userId: number, actionId: string) =>
  outcome(await decide('reject', actionId, {}, as(userId), tenant.apiKey))
async function waiting(tenant: NewTenant, tool = 'refund_order', given: unknown = { number: 'A' }): Promise<string> {
  return (await stage(tool, given, { tenant })).body.actionId
}
/** As much of each difference as these tests compare, the first decision first. */
const brief = ({ differences }: InShadow) =>
  differences
    .map(({ actionId, decision, userId, live, shadow }) => [actionId, decision, userId, live.status, shadow.status])
    .reverse()

const ana = { userId: 1, displayName: 'Ana', role: 'manager' }
const beka = { userId: 2, displayName: 'Beka', role: 'clerk' }
const managers = { rules: [{ roles: ['manager'] }] }
const two = { rules: [{ roles: ['manager', 'clerk'], approvers: 2 }] }

async function shopOf(...people: object[]): Promise<NewTenant> {
  const tenant = await newShop()
  if (people.length > 0) await ask(tenant, 'PUT', '/v1/users', people)
  answering({ state: 'paid' })
  return tenant
}

test('a policy in shadow is kept beside the live one, warned of like it, replaced by the next and ended', async () => {
  const tenant = await shopOf(ana)
  const nothing = { policy: null, decisions: 0, differing: 0, differences: [], count: 0, nextBefore: null }
  assert.deepEqual(await shadow(tenant), nothing)
  await ask(tenant, 'PUT', '/v1/policy', managers)
  const live = (await ask<Policy>(tenant, 'GET', '/v1/policy')).body

  const { status, body } = await tryOut(tenant, { rules: [{ roles: ['owner'], tools: ['refund_ordr'] }] })
  assert.equal(status, 200)
  const { warnings, ...kept } = body
  assert.deepEqual([kept.registered, kept.mode, kept.version, kept.inForce], [true, 'shadow', 1, false])
  assert.deepEqual(
    new Set(warnings.map(({ code }) => code)),
    new Set(['unknown_tool', 'unknown_role', 'too_few_people', 'uncovered_write']),
  )
  const { registered: _, mode: __, ...policy } = kept
  assert.deepEqual((await shadow(tenant)).policy, policy)
  assert.deepEqual((await ask<Policy>(tenant, 'GET', '/v1/policy')).body, live, 'the live one stays')

  assert.equal((await tryOut(tenant, two)).body.version, 2)
  assert.deepEqual((await shadow(tenant)).policy?.rules, two.rules)
  const end = () => ask<Deleted>(tenant, 'DELETE', '/v1/policy?mode=shadow')
  assert.deepEqual((await end()).body, { deleted: true, version: 3 })
  assert.deepEqual((await end()).body, { deleted: false, version: 3 })
  assert.deepEqual(await shadow(tenant), nothing)
  assert.deepEqual((await ask<Policy>(tenant, 'GET', '/v1/policy')).body, live, 'to end a trial ends nothing else')
})

test('a refused policy in shadow leaves the one that is tried, and its findings, as they are', async () => {
  const tenant = await shopOf(ana, beka)
  await tryOut(tenant, managers)
  await confirmAs(tenant, 2, await waiting(tenant))
  const before = await shadow(tenant)
  assert.equal(before.count, 1)
  const refused = await tryOut(tenant, { rules: [{ roles: [] }] })
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /"registered":false,"error":"rules\[0\]\.roles must be/)
  for (const query of [
    'mode=Shadow',
    'mode=live',
    'mode=',
    'shadow=true',
    'mode=shadow&mode=shadow',
    'mode=shadow&x=1',
  ]) {
    for (const method of ['PUT', 'DELETE']) {
      const { status, error } = await ask(tenant, method, `/v1/policy?${query}`, method === 'PUT' ? two : undefined)
      assert.deepEqual([status, error?.code], [400, 'invalid_request'], `${method} ${query}`)
    }
  }
  assert.deepEqual(await shadow(tenant), before)
  assert.equal((await ask<Policy>(tenant, 'GET', '/v1/policy')).body.version, 0)
})

test('what stricter people would have held goes through, and stands there with both verdicts', async () => {
  const tenant = await shopOf(ana, beka)
  await ask(tenant, 'PUT', '/v1/policy', { rules: [{ roles: ['manager', 'clerk'] }] })
  await tryOut(tenant, { rules: [{ roles: ['manager'], approvers: 2 }] })
  const [one, other] = [await waiting(tenant), await waiting(tenant)]
  assert.deepEqual(await confirmAs(tenant, 1, one), [200, 'Executed', null])
  assert.deepEqual(await confirmAs(tenant, 2, other), [200, 'Executed', null])
  const found = await shadow(tenant)
  assert.deepEqual([found.decisions, found.differing, found.count], [2, 2, 2])
  assert.deepEqual(brief(found), [
    [one, 'confirm', 1, 'Allowed', 'AwaitingApprovers'],
    [other, 'confirm', 2, 'Allowed', 'ApprovalForbidden'],
  ])
  const [latest, first] = found.differences
  assert.deepEqual(first?.live, { status: 'Allowed', required: 1, received: 1, message: null })
  assert.deepEqual(first?.shadow, { status: 'AwaitingApprovers', required: 2, received: 1, message: null })
  assert.match(latest?.shadow.message ?? '', /User 2 has the role "clerk"; this write needs one of: manager/)
  assert.deepEqual([first?.tool, first?.policyVersion, first?.user?.displayName], ['refund_order', 1, 'Ana'])
  const page = await shadow(tenant, '?limit=1')
  assert.deepEqual([page.count, page.nextBefore, page.differences], [1, 2, [latest]])
  assert.deepEqual((await shadow(tenant, '?limit=1&before=2')).differences, [first])
})

test('what it would have let through waits as the live policy says; where both agree, nothing is listed', async () => {
  const tenant = await shopOf(ana, beka)
  await ask(tenant, 'PUT', '/v1/policy', two)
  await tryOut(tenant, { rules: [{ roles: ['manager', 'clerk'] }] })
  const actionId = await waiting(tenant)
  assert.deepEqual(await confirmAs(tenant, 1, actionId), [202, 'AwaitingApprovers', 'awaiting_approvers'])
  assert.deepEqual(await confirmAs(tenant, 2, actionId), [200, 'Executed', null])
  const found = await shadow(tenant)
  assert.deepEqual(brief(found), [[actionId, 'confirm', 1, 'AwaitingApprovers', 'Allowed']])
  assert.deepEqual([found.decisions, found.differing], [2, 1])
})

test('without a policy in force everything goes through that went through before, and strangers are found', async () => {
  const tenant = await shopOf(ana)
  await tryOut(tenant, managers)
  const [one, other] = [await waiting(tenant), await waiting(tenant)]
  assert.deepEqual(await confirmAs(tenant, 77, one), [200, 'Executed', null])
  assert.deepEqual(await confirmAs(tenant, 1, other), [200, 'Executed', null])
  const found = await shadow(tenant)
  assert.deepEqual(brief(found), [[one, 'confirm', 77, 'Allowed', 'ApproverUnknown']])
  assert.deepEqual([found.differences[0]?.policyVersion, found.differences[0]?.user], [0, null])
  assert.equal(found.decisions, 2)
})

test('a yes that was given while it is tried counts under it, and an earlier one only if it was given under a policy', async () => {
  const tenant = await shopOf(ana, beka, { userId: 3, displayName: 'Cira', role: 'clerk' })
  const [early, late] = [await waiting(tenant), await waiting(tenant)]
  endpoint.play((_request, response) => {
    response.statusCode = 429
    response.end()
  })
  const retryable = [400, 'FailedRetryable', 'EXECUTION_FAILED_RETRYABLE']
  assert.deepEqual(await confirmAs(tenant, 1, early), retryable)
  await tryOut(tenant, two)
  assert.deepEqual(await confirmAs(tenant, 1, late), retryable)
  answering({})
  assert.deepEqual(await confirmAs(tenant, 2, early), [200, 'Executed', null])
  assert.deepEqual(await confirmAs(tenant, 2, late), [200, 'Executed', null])
  assert.deepEqual(brief(await shadow(tenant)), [
    [late, 'confirm', 1, 'Allowed', 'AwaitingApprovers'],
    [early, 'confirm', 2, 'Allowed', 'AwaitingApprovers'],
  ])
})

test('a no and an amend are decisions, too; what is about nothing that waits is none', async () => {
  const tenant = await shopOf(ana)
  await tryOut(tenant, managers)
  const [one, other] = [await waiting(tenant), await waiting(tenant)]
  assert.deepEqual(await rejectAs(tenant, 5, one), [200, 'Rejected', 'action_rejected'])
  await rejectAs(tenant, 5, one)
  await rejectAs(tenant, 5, '01900000-0000-7000-8000-000000000000')
  assert.equal((await decide('amend', other, { arguments: { number: 'B' } }, as(5), tenant.apiKey)).status, 200)
  assert.deepEqual(brief(await shadow(tenant)), [
    [one, 'reject', 5, 'Allowed', 'ApproverUnknown'],
    [other, 'amend', 5, 'Allowed', 'ApproverUnknown'],
  ])

  // The other way round: the live policy refuses what the tried one, with the same people, allows nobody either.
  await ask(tenant, 'PUT', '/v1/policy', managers)
  const third = await waiting(tenant)
  assert.deepEqual(await rejectAs(tenant, 5, third), [403, 'ApproverUnknown', 'approver_unknown'])
  const found = await shadow(tenant)
  assert.deepEqual([found.decisions, found.differing], [3, 2])
})

test('the shadow policy does not count a rejection of an expired write', async () => {
  const tenant = await shopOf(ana)
  await tryOut(tenant, managers)
  const actionId = await waiting(tenant)
  await set.house.database.database.run(passWindow, { tenantId: tenant.tenantId, actionId })
  // The sweep has not run yet, so the row still says "pending" when the rejection arrives.
  assert.equal((await rejectAs(tenant, 5, actionId))[1], 'Expired')
  const found = await shadow(tenant)
  assert.deepEqual([found.decisions, found.differences], [0, []])
})

test('a yes without its acknowledgement decides nothing, and is not counted', async () => {
  const tenant = await shopOf(ana)
  await tryOut(tenant, two)
  const actionId = await waiting(tenant, 'delete_order')
  assert.equal((await confirmAs(tenant, 1, actionId))[1], 'GuardRejected')
  assert.equal((await shadow(tenant)).decisions, 0)
  assert.deepEqual(await confirmAs(tenant, 1, actionId, { acknowledgeHighRisk: true }), [200, 'Executed', null])
  assert.equal((await shadow(tenant)).differing, 1)
})

test('a policy in shadow that is replaced during a confirm stops nothing, and learns nothing of what its forerunner judged', async () => {
  const tenant = await shopOf(ana)
  await ask(tenant, 'PUT', '/v1/policy', managers)
  await tryOut(tenant, two)
  const actionId = await waiting(tenant, 'refund_checked')
  let changed = 0
  endpoint.play((request, response) => {
    const answer = () => response.end(request.body.mode === 'read' ? '{"state":"paid"}' : '{"done":true}')
    if (changed > 0) return answer()
    changed += 1
    void tryOut(tenant, managers).then(answer)
  })
  assert.deepEqual(await confirmAs(tenant, 1, actionId), [200, 'Executed', null])
  assert.equal(changed, 1)
  const found = await shadow(tenant)
  assert.deepEqual([found.policy?.version, found.decisions, found.differences], [2, 0, []])
})

const lockShadow = statement<unknown, { tenantId: number }>(
  'test.lock_shadow',
  'select 1 from shadow_policies where tenant_id = $tenantId::int for update',
)

test('who judged by a policy in shadow and waits while another takes its place writes nothing down', async (t) => {
  const { database } = set.house.database
  if (database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
  const tenant = await shopOf(ana)
  const { tenantId } = tenant
  await tryOut(tenant, two)
  const actionId = await waiting(tenant)
  const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const replacing = database.transaction(async (tx) => {
    await tx.one(lockShadow, { tenantId })
    locked.resolve()
    await gate.promise
    await tx.run(replaced, { tenantId })
  })
  await locked.promise
  const confirmed = confirmAs(tenant, 1, actionId)
  await untilWaiting(database, 1)
  gate.resolve()
  await replacing
  assert.deepEqual(await confirmed, [200, 'Executed', null])
  const found = await shadow(tenant)
  assert.deepEqual([found.policy?.version, found.decisions, found.differences], [2, 0, []])
})

const replaced = statement<unknown, { tenantId: number }>(
  'test.replace_shadow',
  'update shadow_policies set version = version + 1 where tenant_id = $tenantId::int',
)
const spoil = statement<unknown, { tenantId: number; rules: string }>(
  'test.spoil_shadow',
  'update shadow_policies set rules = $rules::text where tenant_id = $tenantId::int',
)

test('a policy in shadow that cannot be read, or kept count of, stops no decision', async () => {
  const tenant = await shopOf(ana)
  const { database } = set.house.database
  await tryOut(tenant, two)
  for (const rules of ['{"rules":5}', 'not json', '']) {
    await database.run(spoil, { tenantId: tenant.tenantId, rules })
    assert.deepEqual(await confirmAs(tenant, 1, await waiting(tenant)), [200, 'Executed', null], rules)
  }
  await tryOut(tenant, two)
  await database.script('alter table shadow_differences add constraint test_full check (version < 0) not valid')
  try {
    assert.deepEqual(await confirmAs(tenant, 1, await waiting(tenant)), [200, 'Executed', null])
  } finally {
    await database.script('alter table shadow_differences drop constraint test_full')
  }
  assert.equal((await shadow(tenant)).decisions, 0)
})

const pretend = statement<unknown, { tenantId: number }>(
  'test.pretend_differing',
  'update shadow_policies set differing = 5000, decided = 5000 where tenant_id = $tenantId::int',
)

test('the latest differences are kept, and all of them are counted', async () => {
  const tenant = await shopOf(ana)
  await tryOut(tenant, two)
  await confirmAs(tenant, 1, await waiting(tenant))
  await set.house.database.database.run(pretend, { tenantId: tenant.tenantId })
  const kept = await waiting(tenant)
  await confirmAs(tenant, 1, kept)
  const found = await shadow(tenant)
  assert.deepEqual([found.decisions, found.differing, found.count], [5001, 5001, 1])
  assert.equal(found.differences[0]?.actionId, kept)
})

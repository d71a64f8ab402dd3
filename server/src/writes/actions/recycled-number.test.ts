// A userId is only unique among the people registered now: once a person is removed, it may go to the next one.
import assert from 'node:assert/strict'
import test from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { NewTenant } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { answering, confirm, decide, endpoint, executions, newShop, outcome, set, stage } from './fixtures/shop.ts'

type Person = { id: number; userId: number | null; displayName: string }
type Event = z.output<typeof contract.AuditEvent>

const as = (userId: number) => ({ 'x-service-user-id': String(userId) })
const manager = (userId: number | undefined, displayName: string, more: object = {}) => ({
  ...(userId === undefined ? {} : { userId }),
  displayName,
  role: 'manager',
  ...more,
})

async function register(shop: NewTenant, ...people: object[]): Promise<Record<string, number>> {
  const { status, text } = await set.house.ask('PUT', '/v1/users', { key: shop.apiKey, body: people })
  assert.equal(status, 200, text)
  const { users } = (await set.house.ask<{ users: Person[] }>('GET', '/v1/users', { key: shop.apiKey })).body
  return Object.fromEntries(users.map(({ displayName, id }) => [displayName, id]))
}

async function remove(shop: NewTenant, id: number | undefined): Promise<void> {
  const { status, text } = await set.house.ask('DELETE', `/v1/users/${id}`, { key: shop.apiKey })
  assert.equal(status, 200, text)
}

/** A shop where two managers approve, with Ana (7) and Ben (8). */
async function shopOfTwo(more: object = {}): Promise<{ shop: NewTenant; ids: Record<string, number> }> {
  const shop = await newShop()
  const ids = await register(shop, manager(7, 'Ana'), manager(8, 'Ben'))
  await setPolicy(shop, { rules: [{ roles: ['manager'], approvers: 2 }], ...more })
  return { shop, ids }
}

async function setPolicy(shop: NewTenant, policy: object): Promise<void> {
  const { status, text } = await set.house.ask('PUT', '/v1/policy', { key: shop.apiKey, body: policy })
  assert.equal(status, 200, text)
}

/** Ana's userId goes to Carl, a different person. */
async function recycle(shop: NewTenant, ana: number | undefined): Promise<Record<string, number>> {
  await remove(shop, ana)
  return await register(shop, manager(7, 'Carl'))
}

async function trail(shop: NewTenant, actionId: string): Promise<Event[]> {
  const path = `/v1/audit?actionId=${actionId}`
  return (await set.house.ask<{ events: Event[] }>('GET', path, { key: shop.apiKey })).body.events
}

const stageIn = async (shop: NewTenant, tool = 'refund_order', more: Parameters<typeof stage>[2] = {}) => {
  const { status, body, text } = await stage(tool, { number: 'A-1' }, { ...more, tenant: shop })
  assert.equal(status, 200, text)
  return body
}
const confirmIn = (shop: NewTenant, actionId: string, userId: number) =>
  confirm(actionId, undefined, as(userId), shop.apiKey)

test('an approval of a removed person does not count for the next person with their userId', async () => {
  const seen = answering({ state: 'paid' })
  const { shop, ids } = await shopOfTwo()
  const { actionId } = await stageIn(shop)
  assert.deepEqual(outcome(await confirmIn(shop, actionId, 7)), [202, 'AwaitingApprovers', 'awaiting_approvers'])
  const { Carl } = await recycle(shop, ids.Ana)
  const ben = await confirmIn(shop, actionId, 8)
  assert.deepEqual([...outcome(ben), ben.body.approversReceived], [202, 'AwaitingApprovers', 'awaiting_approvers', 1])
  assert.equal(executions(seen).length, 0)
  const { approvals } = (
    await set.house.ask<{ approvals: { user: Person | null }[] }>('GET', `/v1/actions/${actionId}`, {
      key: shop.apiKey,
    })
  ).body
  assert.deepEqual(
    approvals.map(({ user }) => user?.displayName ?? null),
    [null, 'Ben'],
  )

  // Carl approves for himself, although his userId has approved before.
  assert.deepEqual(outcome(await confirmIn(shop, actionId, 7)), [200, 'Executed', null])
  assert.equal(executions(seen).length, 1)
  const told = (await trail(shop, actionId)).map(({ event, userId, personId, user }) => [
    event,
    userId,
    personId,
    user?.displayName,
  ])
  assert.deepEqual(told, [
    ['proposed', 0, null, undefined],
    ['approved', 7, ids.Ana, undefined],
    ['approved', 8, ids.Ben, 'Ben'],
    ['approved', 7, Carl, 'Carl'],
    ['executed', 7, Carl, 'Carl'],
  ])
})

test('an approval does not follow a userId that is linked to a person who was there before', async () => {
  answering({ state: 'paid' })
  const { shop, ids } = await shopOfTwo()
  await register(shop, manager(undefined, 'Dora', { email: 'dora@shop.example' }))
  const { actionId } = await stageIn(shop)
  await confirmIn(shop, actionId, 7)
  await remove(shop, ids.Ana)
  await register(shop, manager(7, 'Dora', { email: 'dora@shop.example' }))
  const ben = await confirmIn(shop, actionId, 8)
  assert.deepEqual([ben.body.status, ben.body.approversReceived], ['AwaitingApprovers', 1])
})

test('an approval stays with a person who gets a userId afterwards', async () => {
  answering({ state: 'paid' })
  const { shop } = await shopOfTwo({ requesterMayApprove: false })
  const { actionId } = await stageIn(shop, 'refund_order', { headers: as(7) })
  await confirmIn(shop, actionId, 8)
  const again = await confirmIn(shop, actionId, 8)
  assert.deepEqual(
    [again.body.status, again.body.approversReceived],
    ['AwaitingApprovers', 1],
    'one person counts once',
  )
  assert.equal((await confirmIn(shop, actionId, 7)).body.status, 'ApprovalForbidden')
})

test('a token speaks for the person it was bound to, and not for the next one with their userId', async () => {
  const seen = answering({ state: 'paid' })
  const { shop, ids } = await shopOfTwo()
  await setPolicy(shop, { rules: [{ roles: ['manager'], approvers: 1 }] })
  const bound = await stageIn(shop, 'refund_order', { body: { approverUserId: 7 } })
  const kept = await stageIn(shop, 'refund_order', { body: { approverUserId: 8 } })
  await recycle(shop, ids.Ana)
  const refused = await confirm(bound.actionId, undefined, {}, bound.confirmationToken ?? '')
  assert.deepEqual(outcome(refused), [403, 'ApproverUnknown', 'approver_unknown'])
  assert.equal(executions(seen).length, 0)
  assert.deepEqual(outcome(await confirm(kept.actionId, undefined, {}, kept.confirmationToken ?? '')), [
    200,
    'Executed',
    null,
  ])
})

test('a token bound to a userId that is only stated counts for no one under a policy', async () => {
  answering({ state: 'paid' })
  const shop = await newShop()
  const bound = await stageIn(shop, 'refund_order', { body: { approverUserId: 7 } })
  await register(shop, manager(7, 'Carl'))
  await setPolicy(shop, { rules: [{ roles: ['manager'], approvers: 1 }] })
  const refused = await confirm(bound.actionId, undefined, {}, bound.confirmationToken ?? '')
  assert.deepEqual(outcome(refused), [403, 'ApproverUnknown', 'approver_unknown'])
  assert.match(refused.body.errorMessage ?? '', /Stage it again/)
})

test('an amended action keeps its bound approver, and its requesters', async () => {
  answering({ state: 'paid' })
  const { shop, ids } = await shopOfTwo({ requesterMayApprove: false, rules: [{ roles: ['manager'], approvers: 1 }] })
  const first = await stageIn(shop, 'refund_order', { body: { approverUserId: 7 }, headers: as(7) })
  const amended = await decide('amend', first.actionId, { arguments: { number: 'A-2' } }, as(8), shop.apiKey)
  const { actionId, confirmationToken } = amended.body as unknown as { actionId: string; confirmationToken: string }
  assert.equal((await confirmIn(shop, actionId, 7)).body.status, 'ApprovalForbidden', 'Ana asked for the first one')
  assert.equal((await confirmIn(shop, actionId, 8)).body.status, 'ApprovalForbidden', 'Ben asked for this one')
  await recycle(shop, ids.Ana)
  assert.equal((await confirm(actionId, undefined, {}, confirmationToken)).body.status, 'ApproverUnknown')
  assert.equal((await confirmIn(shop, actionId, 7)).body.status, 'Executed', 'Carl asked for neither')
  const told = (await trail(shop, actionId)).map(({ event, personId }) => [event, personId])
  assert.deepEqual(told[0], ['proposed', ids.Ben])
})

test('no confirm runs for a person whose userId goes to another one while the precondition is read', async () => {
  const { shop, ids } = await shopOfTwo()
  const { Ana } = ids
  let during: (() => Promise<unknown>) | undefined
  const seen = endpoint.play((_call, response) => {
    const work = during?.() ?? Promise.resolve()
    during = undefined
    void work.then(() => response.end(JSON.stringify({ state: 'paid' })))
  })
  const { actionId } = await stageIn(shop, 'refund_checked')
  await confirmIn(shop, actionId, 8)
  during = () => recycle(shop, Ana)
  const ana = await confirmIn(shop, actionId, 7)
  assert.equal(executions(seen).length, 0)
  assert.deepEqual(outcome(ana), [403, 'ApproverUnknown', 'approver_unknown'])
  const approved = (await trail(shop, actionId)).filter(({ event }) => event === 'approved')
  assert.deepEqual(
    approved.map(({ personId }) => personId),
    [ids.Ben, Ana],
  )
})

test('a rejection and a testimony name the person who gave them', async () => {
  const { shop, ids } = await shopOfTwo()
  const { actionId } = await stageIn(shop)
  assert.equal((await decide('reject', actionId, undefined, as(7), shop.apiKey)).body.status, 'Rejected')
  await recycle(shop, ids.Ana)
  const rejected = (await trail(shop, actionId)).at(-1)
  assert.deepEqual(
    [rejected?.event, rejected?.userId, rejected?.personId, rejected?.user],
    ['rejected', 7, ids.Ana, null],
  )
})

test('an id that is only stated stays as it was stated', async () => {
  answering({ state: 'paid' })
  const shop = await newShop()
  const { actionId } = await stageIn(shop, 'refund_order', { headers: as(7) })
  assert.equal((await confirmIn(shop, actionId, 7)).body.status, 'Executed')
  await register(shop, manager(7, 'Carl'))
  for (const { event, userId, personId, user } of await trail(shop, actionId))
    assert.deepEqual([event, userId, personId, user], [event, 7, null, null])
})

test('the trail finds what one person did by their id, whoever has their userId now', async () => {
  const { shop, ids } = await shopOfTwo()
  const { actionId } = await stageIn(shop)
  await confirmIn(shop, actionId, 7)
  const { Carl } = await recycle(shop, ids.Ana)
  await confirmIn(shop, actionId, 7)
  const found = async (user: string) =>
    (await set.house.ask<{ events: Event[] }>('GET', `/v1/audit?user=${user}`, { key: shop.apiKey })).body.events.map(
      ({ event, personId }) => [event, personId],
    )
  assert.deepEqual(await found(`person:${ids.Ana}`), [['approved', ids.Ana]])
  assert.deepEqual(await found(`person:${Carl}`), [['approved', Carl]])
  assert.deepEqual(await found('7'), [
    ['approved', ids.Ana],
    ['approved', Carl],
  ])
})

const asBefore = unlisted<unknown, { tenantId: number }>(
  'test.approvals_as_before',
  `with approved as (
     update approvals p set user_id = u.user_id from users u
      where p.tenant_id = $tenantId::int and u.tenant_id = $tenantId::int and p.user_id = -u.id and u.user_id is not null
   ), bound as (
     update keys set approver_person_id = null where tenant_id = $tenantId::int
   )
   update actions set requested_by_person_id = null where tenant_id = $tenantId::int`,
)

test('what was recorded before the upgrade bars its requester, and has to be approved again', async () => {
  answering({ state: 'paid' })
  const { shop } = await shopOfTwo({ requesterMayApprove: false })
  await register(shop, manager(9, 'Dato'))
  const { actionId, confirmationToken } = await stageIn(shop, 'refund_order', {
    headers: as(9),
    body: { approverUserId: 8 },
  })
  assert.equal((await confirmIn(shop, actionId, 7)).body.approversReceived, 1)
  await set.house.database.database.run(asBefore, { tenantId: shop.tenantId })

  assert.equal((await confirmIn(shop, actionId, 9)).body.status, 'ApprovalForbidden')
  assert.equal((await confirm(actionId, undefined, {}, confirmationToken ?? '')).body.status, 'ApproverUnknown')
  assert.equal((await confirmIn(shop, actionId, 8)).body.approversReceived, 1, 'Ana has to approve again')
  assert.equal((await confirmIn(shop, actionId, 7)).body.status, 'Executed')
})

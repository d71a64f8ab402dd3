// What signed-in people decide: as themselves, whatever the headers say, and for as long as they are signed in.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint, type Seen } from '../../../testkit/scripted-endpoint.ts'
import { placeSession } from '../../../testkit/sessions.ts'
import { unlisted } from '../../kernel/db/index.ts'

type Confirmed = z.output<typeof contract.ConfirmAnswer>
type Detail = z.output<typeof contract.ActionDetail>
type Trail = z.output<typeof contract.AuditEvents>

const endpoint = new ScriptedEndpoint()
let house: OpenHouse
let seen: readonly Seen[] = []
let held: PromiseWithResolvers<void> | undefined
let reading: PromiseWithResolvers<void> | undefined
before(async () => {
  house = await openHouse()
  seen = endpoint.play(({ body }, response) => {
    const done = () => response.end(JSON.stringify(body.mode === 'read' ? { state: 'paid' } : { done: true }))
    if (body.mode !== 'read' || held === undefined) return void done()
    reading?.resolve()
    void held.promise.then(done)
  })
})
after(async () => {
  await house.close()
  await endpoint.stop()
})

const input = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const CATALOG = [
  { name: 'get_order', description: 'Looks up one order by its number.', is_write: false, parameters: input },
  { name: 'refund_order', description: 'Pays an order back.', is_write: true, parameters: input },
  {
    name: 'refund_paid',
    description: 'Pays an order back that was paid.',
    is_write: true,
    parameters: input,
    precondition: {
      tool: 'get_order',
      arguments: { number: { from: 'number' } },
      check: { path: 'state', equals: 'paid' },
    },
  },
]

type Person = { readonly id: number; readonly session: string }
type Shop = { readonly tenant: NewTenant; readonly inbox: string; readonly people: readonly Person[] }

/** Ana and Bela are managers without a userId, Chris is a clerk whose userId is 9. */
async function shop(policy?: object): Promise<Shop> {
  const tenant = await house.tenant()
  const key = tenant.apiKey
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
  await house.ask('PUT', '/v1/tools', { key, body: CATALOG })
  const body = [
    { displayName: 'Ana', email: 'ana@shop.example', role: 'manager' },
    { displayName: 'Bela', email: 'bela@shop.example', role: 'manager' },
    { userId: 9, displayName: 'Chris', email: 'chris@shop.example', role: 'clerk' },
  ]
  await house.ask('PUT', '/v1/users', { key, body })
  if (policy !== undefined) assert.equal((await house.ask('PUT', '/v1/policy', { key, body: policy })).status, 200)
  const { users } = (await house.ask<{ users: { id: number }[] }>('GET', '/v1/users', { key })).body
  const people = await Promise.all(
    users.map(async ({ id }) => ({ id, session: await placeSession(house.database.database, tenant.tenantId, id) })),
  )
  return { tenant, inbox: await house.key(tenant.tenantId, 'inbox'), people }
}

async function stage({ tenant }: Shop, tool = 'refund_order', headers: Record<string, string> = {}) {
  const asked = { key: tenant.apiKey, headers, body: { tool, arguments: { number: 'A-1' } } }
  return (await house.ask<{ actionId: string }>('POST', '/v1/actions', asked)).body.actionId
}
const as = (session: string) => ({ 'x-service-user-session': session })
const decide = (verb: string, actionId: string, key: string, headers: Record<string, string>, body: object = {}) =>
  house.ask<Confirmed>('POST', `/v1/actions/${actionId}/${verb}`, { key, headers, body })
const who = (of: Shop, at: number): Person => of.people[at] ?? assert.fail()
const look = async (actionId: string, key: string, headers: Record<string, string> = {}) =>
  (await house.ask<Detail>('GET', `/v1/actions/${actionId}`, { key, headers })).body
const trail = async ({ tenant }: Shop, query = '') =>
  (await house.ask<Trail>('GET', `/v1/audit${query}`, { key: tenant.apiKey })).body.events

test('a signed-in person decides as themselves, and the trail names them without a userId', async () => {
  const of = await shop()
  const ana = who(of, 0)
  const actionId = await stage(of)
  const { body } = await decide('confirm', actionId, of.inbox, { ...as(ana.session), 'x-service-user-id': '9' })
  assert.equal(body.status, 'Executed')
  const events = await trail(of, `?actionId=${actionId}`)
  assert.deepEqual(
    events.map(({ event, userId, user }) => [event, userId, user?.id ?? null, user?.userId ?? null]),
    [
      ['proposed', 0, null, null],
      ['approved', 0, ana.id, null],
      ['executed', 0, ana.id, null],
    ],
  )
  assert.deepEqual(seen.at(-1)?.body.user, { id: null, role: 'manager' })
  assert.equal((await trail(of, `?user=person:${ana.id}`)).length, 2)
  assert.deepEqual(await trail(of, '?user=9'), [])
  const csv = await house.ask('GET', '/v1/audit', { key: of.tenant.apiKey, headers: { accept: 'text/csv' } })
  assert.match(csv.text, new RegExp(`approved,person:${ana.id},`))
  for (const query of ['?user=-5', '?user=x', '?user=person:'])
    assert.equal((await house.ask('GET', `/v1/audit${query}`, { key: of.tenant.apiKey })).status, 400)
  assert.equal((await house.ask('GET', '/v1/audit/verify', { key: of.tenant.apiKey })).body.ok, true)
})

test('with a secret key the session counts and the headers do not; without one nobody can claim to be somebody', async () => {
  const of = await shop({ rules: [{ roles: ['manager'] }] })
  const actionId = await stage(of)
  const key = of.tenant.apiKey
  const clerk = { ...as(who(of, 2).session), 'x-service-user-id': '1', 'x-service-user-role': 'manager' }
  assert.equal((await decide('confirm', actionId, key, clerk)).body.status, 'ApprovalForbidden')
  const claimed = { 'x-service-user-id': String(-who(of, 0).id) }
  assert.equal((await decide('confirm', actionId, key, claimed)).body.status, 'ApproverUnknown')
  assert.equal((await decide('confirm', actionId, key, as(who(of, 0).session))).body.status, 'Executed')
})

test('two people without a userId are two, and one of them is one after they got a userId', async () => {
  const of = await shop({ rules: [{ roles: ['manager'], approvers: 2 }] })
  const [ana, bela] = [who(of, 0), who(of, 1)]
  const [first, second] = [await stage(of), await stage(of)]
  for (const actionId of [first, second]) {
    const once = await decide('confirm', actionId, of.inbox, as(ana.session))
    assert.deepEqual([once.status, once.body.approversReceived, once.body.approversRequired], [202, 1, 2])
  }
  await house.ask('PUT', '/v1/users', { key: of.tenant.apiKey, body: [{ id: ana.id, userId: 77 }] })
  const again = await decide('confirm', first, of.inbox, as(ana.session))
  assert.deepEqual([again.body.status, again.body.approversReceived], ['AwaitingApprovers', 1])
  assert.equal((await decide('confirm', first, of.inbox, as(bela.session))).body.status, 'Executed')
  const byHeader = await decide('confirm', second, of.tenant.apiKey, { 'x-service-user-id': '77' })
  assert.deepEqual([byHeader.body.status, byHeader.body.approversReceived], ['AwaitingApprovers', 1])
})

test('somebody who asked by session may not approve where the policy says so', async () => {
  const of = await shop({ rules: [], requesterMayApprove: false })
  const actionId = await stage(of, 'refund_order', { 'x-service-user-id': '9' })
  assert.equal((await decide('confirm', actionId, of.inbox, as(who(of, 2).session))).body.status, 'ApprovalForbidden')
  assert.equal((await decide('confirm', actionId, of.inbox, as(who(of, 1).session))).body.status, 'Executed')
})

test('one action, read by whoever decides', async () => {
  const of = await shop({ rules: [{ roles: ['manager'], approvers: 2 }] })
  const [ana, bela, chris] = [who(of, 0), who(of, 1), who(of, 2)]
  const actionId = await stage(of)
  const byKey = await look(actionId, of.tenant.apiKey)
  assert.deepEqual(
    [byKey.mayDecide, byKey.approversRequired, byKey.approvals, byKey.requestPreview],
    [null, 2, [], { tool: 'refund_order', arguments: { number: 'A-1' } }],
  )
  const { actions } = (
    await house.ask<{ actions: Detail[] }>('GET', '/v1/actions', { key: of.inbox, headers: as(ana.session) })
  ).body
  const { approvals: _a, approversRequired: _r, mayDecide: _m, requestPreview: _p, ...more } = byKey
  const { destination: _d, changed: _c, ...entry } = more
  assert.deepEqual(actions, [entry], 'an entry of the list, and more')
  await decide('confirm', actionId, of.inbox, as(ana.session))
  const asBela = await look(actionId, of.inbox, as(bela.session))
  assert.deepEqual([asBela.mayDecide, asBela.approvals.map(({ user }) => user?.displayName)], [true, ['Ana']])
  assert.equal((await look(actionId, of.inbox, as(chris.session))).mayDecide, false)
  assert.equal((await look(actionId, of.tenant.apiKey, { 'x-service-user-id': '9' })).mayDecide, false)
  const rejected = await decide('reject', actionId, of.inbox, as(chris.session), { reason: 'no' })
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'Rejected'])
  assert.equal((await look(actionId, of.inbox, as(bela.session))).mayDecide, false)
  const unknown = await house.ask('GET', '/v1/actions/019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d7a8b', { key: of.tenant.apiKey })
  assert.equal(unknown.status, 404)
})

const expireSession = unlisted<unknown, { tenantId: number; personId: number }>(
  'test.expire_session',
  'update user_sessions set expires_at = now() where tenant_id = $tenantId::int and person_id = $personId::bigint',
)
const SESSION_ENDS: Record<string, (of: Shop, person: Person) => Promise<unknown>> = {
  'is closed': async ({ inbox }, { session }) => {
    const closed = await house.ask('DELETE', '/v1/user-sessions/current', { key: inbox, headers: as(session) })
    assert.equal(closed.status, 200)
  },
  expires: ({ tenant: { tenantId } }, { id: personId }) =>
    house.database.database.run(expireSession, { tenantId, personId }),
}
for (const [how, end] of Object.entries(SESSION_ENDS)) {
  test(`a person whose session ${how} while their confirm reads the precondition has not decided`, async () => {
    const of = await shop()
    const ana = who(of, 0)
    const actionId = await stage(of, 'refund_paid')
    held = Promise.withResolvers()
    reading = Promise.withResolvers()
    const confirming = decide('confirm', actionId, of.inbox, as(ana.session))
    await reading.promise
    await end(of, ana)
    held.resolve()
    held = undefined
    const { body } = await confirming
    assert.deepEqual([body.status, body.errorCode], ['Conflict', 'CONFLICT'])
    assert.match(body.errorMessage ?? '', /session .* was closed/)
    assert.equal((await look(actionId, of.tenant.apiKey)).status, 'pending')
    assert.equal((await decide('confirm', actionId, of.inbox, as(who(of, 1).session))).body.status, 'Executed')
  })
}

test('of two people who confirm at once one write runs', async () => {
  const of = await shop()
  const before = seen.length
  const actionId = await stage(of)
  const replies = await Promise.all(of.people.map(({ session }) => decide('confirm', actionId, of.inbox, as(session))))
  assert.equal(replies.filter(({ body }) => body.status === 'Executed').length, 1)
  assert.equal(seen.slice(before).filter(({ body }) => body.mode === 'execute').length, 1)
})

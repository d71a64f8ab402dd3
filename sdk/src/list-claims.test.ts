// The operator of the service asks which writes were claimed.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { callOf, read, secret, signed, write } from './fixtures/sender.ts'
import { memoryClaims, receiver, sqliteClaims } from './index.ts'

const quiet = { secret, onError: () => undefined }

const since = '2026-11-21T09:30:00.000Z'
const listing = (given: object = {}, more: object = {}) =>
  signed(JSON.stringify(callOf('claims.list', { since, after: '', ...given }, { type: 'claims_list', ...more })))

test('claims are listed page by page where the receiver says so, and nowhere else', async () => {
  const tools = { refund_order: () => ({ secret: 'of the customer' }), get_order: () => 1 }
  const listed = receiver({ ...quiet, listsClaims: true, tools })
  const keys = Array.from({ length: 501 }, (_, place) => `act_${String(place).padStart(3, '0')}`)
  for (const key of keys) assert.equal((await listed.answer(write('refund_order', {}, key))).status, 200)
  await listed.answer(read('get_order', {}))
  const first = await listed.answer(listing())
  const page = JSON.parse(first.body)
  assert.deepEqual([first.status, page.type, page.claims.length, page.next], [200, 'claims', 500, 'act_499'])
  assert.deepEqual(Object.keys(page.claims[0]), ['request_id', 'tool', 'status', 'claimed_at'])
  const rest = JSON.parse((await listed.answer(listing({ after: page.next }))).body)
  assert.deepEqual([rest.claims.length, rest.claims[0].request_id, rest.next], [1, 'act_500', null])
  // The arguments and the answers of customers stay where they are, and so do the writes of other workspaces.
  assert.doesNotMatch(first.body, /customer/)
  const others = await listed.answer(listing({}, { tenant: { organization_id: 2, scope_id: null } }))
  assert.deepEqual(JSON.parse(others.body).claims, [])
  assert.equal((await listed.answer(signed(String(listing().body), 'whsec_c29tZWJvZHkgZWxzZQ=='))).status, 401)
  for (const wrong of [{ since: 'yesterday' }, { since: 7 }, { after: undefined }])
    assert.equal((await listed.answer(listing(wrong))).status, 400, JSON.stringify(wrong))
  assert.equal((await listed.answer(listing({}, { tenant: {} }))).status, 400)
  const silent = receiver({ ...quiet, tools })
  await silent.answer(write('refund_order', {}, 'act_1'))
  const said = await silent.answer(listing())
  assert.deepEqual([said.status, JSON.parse(said.body).status], [404, 'not_listed'])
  const { list, ...forgetful } = memoryClaims()
  assert.ok(list)
  assert.throws(() => receiver({ ...quiet, listsClaims: true, claims: forgetful, tools }), /cannot be listed/)
})

test('a table of claims of before is taken along', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table tether_claims (request_id text primary key, holder text not null, leased_until integer not null,
    holders integer not null default 1, status integer, body text, claimed_at integer not null default (unixepoch()))`)
  database.exec(
    `insert into tether_claims (request_id, holder, leased_until, status) values ('act_old', 'one', 0, 200), ('evt_old', 'one', 0, 204)`,
  )
  sqliteClaims(database)
  const claims = sqliteClaims(database)
  await claims.claim('act_new', { holder: 'one', leaseMs: 1, takeOver: false, write: { tenantId: 1, tool: 'refund' } })
  const found = await claims.list?.({ tenantId: 1, since: new Date(0), after: '', limit: 9 })
  assert.deepEqual(
    found?.map(({ key, tool, status }) => [key, tool, status]),
    [
      ['act_new', 'refund', null],
      ['act_old', null, 200],
    ],
  )
})

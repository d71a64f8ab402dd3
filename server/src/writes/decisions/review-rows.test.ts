import assert from 'node:assert/strict'
import test from 'node:test'
import { newShop, set, stage } from '../actions/fixtures/shop.ts'
import { latestExchanges, listApprovals } from './queries.ts'

test('a review lists the approvals as they came, and the latest exchanges of the conversation', async () => {
  const shop = await newShop()
  const { tenantId } = shop
  const { database } = set.house.database
  const { actionId } = (await stage('refund_order', { number: 'A-1' }, { tenant: shop })).body
  await database.script(`
    insert into approvals (tenant_id, action_id, user_id, payload_hash, at) values
      (${tenantId}, '${actionId}', 1, 'hash', now()), (${tenantId}, '${actionId}', 2, 'hash', now() - interval '1 hour');
    insert into exchanges (tenant_id, session_id, number, request_id, prompt, reply, used_tools, answered, at)
    select ${tenantId}, 'ses_review', n, 'req_' || n, 'Question ' || n, 'Answer', '{}', true, now() from generate_series(1, 3) n`)
  const given = await database.rows(listApprovals, { tenantId, actionId })
  assert.deepEqual(
    given.map(({ at }) => at.getTime()),
    given.map(({ at }) => at.getTime()).sort((one, other) => one - other),
  )
  const said = await database.rows(latestExchanges, { tenantId, sessionId: 'ses_review', most: 2, longest: 100 })
  assert.deepEqual(
    said.map(({ prompt }) => prompt),
    ['Question 3', 'Question 2'],
  )
})

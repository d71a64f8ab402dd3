import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { NOTHING_TOLD, proposalsOf } from './proposals-of.ts'

let fresh: FreshDatabase
before(async () => {
  fresh = await freshDatabase()
})
after(() => fresh.close())

const [TENANT, SESSION] = [1, 'ses_long']

// Neither the order of the rows nor that of their ids is the order of their times.
const propose = unlisted<unknown, { tenantId: number; sessionId: string; count: number }>(
  'test.propose_many',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, session_id, idempotency_key,
                        created_at, expires_at)
   select $tenantId::int, gen_random_uuid(), 'refund_order', 'shop', 'Refund', 'Refund ' || at, '{}', 'the-hash', 'low', 'pending',
          $sessionId::text, 'act_' || at, now() - make_interval(mins => 60 - at), now() + interval '1 day'
     from (select 1 + n * 7 % $count::int as at from generate_series(1, $count::int) n) as shuffled`,
)

test('a conversation with many proposals has its latest twenty, oldest first', async () => {
  const db = fresh.database
  await db.script(`insert into tenants (tenant_id, name) values (${TENANT}, 'Shop')`)
  await db.run(propose, { tenantId: TENANT, sessionId: SESSION, count: 25 })
  // With statistics the planner reads so small a table row by row, and not in the order of an index.
  await db.script('analyze actions')
  const proposals = await proposalsOf({ db, asking: { tenantId: TENANT, kind: 'secret' } }, SESSION, NOTHING_TOLD)
  assert.deepEqual(
    proposals.map(({ summary }) => summary),
    Array.from({ length: 20 }, (_, at) => `Refund ${at + 6}`),
  )
})

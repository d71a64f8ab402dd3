// Transitions of which some are rolled back after they were made: the event must go the way of the change.

import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { reject } from '../../src/writes/actions/deciding-queries.ts'
import type { Random } from '../fuzz/random.ts'
import { openProofApp, openTenant } from './house.ts'

const stageMany = unlisted<{ actionId: string }, { tenantId: number; count: number }>(
  'proof.stage_many',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key, expires_at)
         select $tenantId::int, gen_random_uuid(), 'refund_order', 'orders', 'Refund', 'Refund', '{}', 'none', 'low', 'pending',
                'act_' || i, now() + interval '1 day'
           from generate_series(1, $count::int) as i returning action_id as "actionId"`,
)
const compare = unlisted<{ committed: number; phantom: number; missing: number }, { tenantId: number }>(
  'proof.compare_events',
  `select (select count(*)::int from actions a where a.tenant_id = $tenantId::int and a.state = 'rejected') as committed,
                (select count(*)::int from outbox o join actions a on a.tenant_id = o.tenant_id and a.action_id = o.action_id
                  where o.tenant_id = $tenantId::int and (a.state <> 'rejected' or o.event <> 'action.rejected')) as phantom,
                (select count(*)::int from actions a where a.tenant_id = $tenantId::int and a.state = 'rejected'
                    and (select count(*) from outbox o where o.tenant_id = a.tenant_id and o.action_id = a.action_id) <> 1) as missing`,
)

export async function rolledBack(db: Database, transitions: number, random: Random) {
  const app = openProofApp(db, {})
  try {
    const tenantId = await openTenant(app, 'http://127.0.0.1:9/')
    const actions = await db.rows(stageMany, { tenantId, count: transitions })
    let undone = 0
    for (const [at, { actionId }] of actions.entries()) {
      const isUndone = random.next() < 0.4
      const change = app.house.db.transaction(async (tx) => {
        await tx.one(reject, {
          tenantId,
          actionId,
          userId: 7,
          personId: 0,
          source: 'proof',
          eventId: `evt_${at}`,
          reason: null,
          tellVisitor: false,
        })
        if (isUndone) throw new Error('undone')
      })
      await change.catch(() => undone++)
    }
    const found = await db.one(compare, { tenantId })
    return { transitions, undone, ...(found ?? { committed: 0, phantom: -1, missing: -1 }) }
  } finally {
    await app.close()
  }
}

import assert from 'node:assert/strict'
import test from 'node:test'
import { freshDatabase } from '../../../testkit/database.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { listEvents, listNewest, listNewestOfAction, listOfAction } from './queries.ts'

const TYPES = {
  tenantId: 'int',
  after: 'bigint',
  first: 'bigint',
  last: 'bigint',
  from: 'timestamptz',
  to: 'timestamptz',
  decision: 'text',
  actionId: 'uuid',
  tool: 'text',
  userId: 'bigint',
  subject: 'text',
  scopeId: 'bigint',
  limit: 'int',
} as const
const ACTION = '00000000-0000-4000-8000-000000000001'
const literalOf = (name: string): string =>
  ({ tenantId: '1', after: '0', first: '1', last: '3000', actionId: `'${ACTION}'`, limit: '10' })[name] ?? 'null'

test('a page reads no more of a long trail than it shows, also with a plan that was made for any values', async () => {
  const fresh = await freshDatabase()
  try {
    await fresh.database.transaction(async (tx) => {
      await tx.script(`set local session_replication_role = replica; set local plan_cache_mode = force_generic_plan;
        insert into audit_events (tenant_id, id, occurred_at, action_id, event, source, hash)
          select 1, n, now(), gen_random_uuid(), 'proposed', 'x', 'x' from generate_series(1, 3000) as n;
        analyze audit_events`)
      const PAGE = /CTE page\n +-> {2}Limit(?:(?!-> {2}Sort)[\s\S])*using audit_events(?:_p\d+)?_pkey/
      const OF_ACTION = /Index Cond: .*\(action_id = \$/
      const cases = [
        [listEvents, PAGE],
        [listNewest, PAGE],
        [listOfAction, OF_ACTION],
        [listNewestOfAction, OF_ACTION],
      ] as const
      for (const [{ name, text, names }, expected] of cases) {
        const types = names.map((name) => TYPES[name as keyof typeof TYPES])
        await tx.script(`deallocate all; prepare page (${types.join()}) as ${text}`)
        const explained = unlisted<Record<string, string>>(
          `test.plan_of_${name}`,
          `explain execute page (${names.map(literalOf).join()})`,
        )
        const plan = (await tx.rows(explained)).flatMap((row) => Object.values(row)).join('\n')
        assert.match(plan, expected, plan)
        await tx.script('deallocate page')
      }
    })
  } finally {
    await fresh.close()
  }
})

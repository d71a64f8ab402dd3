import assert from 'node:assert/strict'
import test from 'node:test'
import { freshDatabase } from '../../../testkit/database.ts'
import { listNewest } from './list.ts'

test('a page of the newest looks so far back and no farther, and the next one goes on there', async () => {
  const fresh = await freshDatabase()
  const db = fresh.database
  const add = (event: string, count: number) =>
    db.script(`insert into audit_events (tenant_id, tool, event, source, action_id)
      select 1, 'refund_order', '${event}', 'test', '00000000-0000-4000-8000-00000000000${event.length}'
        from generate_series(1, ${count})`)
  try {
    await add('failed', 2)
    await add('proposed', 50)
    await add('rejected', 1)
    const page = { before: null, limit: 10, farthest: 50 }
    const idsOf = async (
      filters: object,
      asked: { before: number | null; limit: number; farthest?: number } = page,
    ) => {
      const { events, nextBefore } = await listNewest({ db }, 1, filters, asked)
      return [events.map(({ id }) => id), nextBefore]
    }
    assert.deepEqual(await idsOf({ decision: 'rejected' }), [[53], 4])
    assert.deepEqual(await idsOf({ decision: 'failed' }), [[], 4])
    assert.deepEqual(await idsOf({ decision: 'failed' }, { before: 4, limit: 10, farthest: 50 }), [[2, 1], null])
    assert.deepEqual(await idsOf({}, { before: null, limit: 2 }), [[53, 52], 52])
    // What is of one action is found wherever it stands.
    assert.deepEqual(await idsOf({ actionId: '00000000-0000-4000-8000-000000000006' }), [[2, 1], null])
    assert.deepEqual(await idsOf({ from: '2999-01-01T00:00:00Z' }), [[], null])
    assert.deepEqual(await idsOf({ to: '2000-01-01T00:00:00Z' }), [[], null])
    assert.deepEqual((await idsOf({ from: '2000-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' }))[1], 44)
    assert.deepEqual(await listNewest({ db }, 2, {}, page), { events: [], nextBefore: null, archived: null })
  } finally {
    await fresh.close()
  }
})

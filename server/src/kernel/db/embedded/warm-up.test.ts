import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../../testkit/database.ts'
import { unlisted } from '../statement.ts'
import { startWarmUp } from './warm-up.ts'

const migrations = fileURLToPath(new URL('../fixtures/shops', import.meta.url))
const prepared = unlisted<{ n: number }>(
  'warm_up_test.prepared',
  "select count(*) as n from pg_prepared_statements where name like 'db.warm_%'",
)
const left = unlisted<{ n: number }>(
  'warm_up_test.left',
  "select count(*) as n from pg_class where relname like 'warm_%'",
)

test('it runs its statements and leaves no table behind', async (t) => {
  const { database, close } = await freshDatabase({ migrations, engine: 'embedded' })
  t.after(close)
  const warmUp = startWarmUp(database, () => true)
  const deadline = performance.now() + 60_000
  while ((await database.one(prepared))?.n !== 3 && performance.now() < deadline) await pause(20)
  await warmUp.stop()
  assert.deepEqual(await database.one(prepared), { n: 3 })
  assert.deepEqual(await database.one(left), { n: 0 })
})

test('whoever stops it early hears nothing of it', async (t) => {
  const { database, close } = await freshDatabase({ migrations, engine: 'embedded' })
  t.after(close)
  await startWarmUp(database, () => true).stop()
  assert.deepEqual(await database.one(left), { n: 0 })
})

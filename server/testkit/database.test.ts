import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Database, unlisted } from '../src/kernel/db/index.ts'
import { freshDatabase } from './database.ts'

const migrations = fileURLToPath(new URL('../src/kernel/db/fixtures/shops', import.meta.url))

const shops = unlisted<{ shop_id: number; name: string }>(
  'testkit_test.shops',
  'select shop_id, name from shops order by 1',
)
const nextOrder = unlisted<{ order_id: number }>(
  'testkit_test.next_order',
  'insert into orders (shop_id) values (0) returning order_id',
)
const seeded = [{ shop_id: 0, name: 'the first one' }]

async function isUntouched(database: Database): Promise<void> {
  assert.deepEqual(await database.rows(shops), seeded)
  assert.deepEqual(await database.rows(nextOrder), [{ order_id: 1 }])
}

test('every call sees what the migrations made, and nothing of the calls before', async () => {
  const spoil = [
    `insert into shops values (7, 'seven'); insert into orders (shop_id) values (7)`,
    `delete from orders; delete from shops`,
    `update shops set name = 'It''s "changed" \\'`,
    'create table of_a_test (x integer)',
    'alter table shops drop constraint named',
    'drop table orders, shops cascade',
    'truncate shops cascade',
  ]
  for (const text of spoil) {
    const { database, close } = await freshDatabase({ migrations })
    await isUntouched(database)
    await database.script(text)
    await close()
  }
  const { database, close } = await freshDatabase({ migrations })
  await isUntouched(database)
  await close()
})

test('two that are open at the same time do not see each other', async () => {
  const [one, two] = await Promise.all([freshDatabase({ migrations }), freshDatabase({ migrations })])
  await one.database.script("insert into shops values (1, 'mine')")
  await isUntouched(two.database)
  await Promise.all([one.close(), two.close()])
})

test("what a test leaves running cannot write into the next test's database", async () => {
  const first = await freshDatabase({ migrations })
  await first.close()
  const second = await freshDatabase({ migrations })
  await assert.rejects(first.database.script("insert into shops values (1, 'late')"), /closed/)
  await assert.rejects(first.database.rows(shops), /closed/)
  await isUntouched(second.database)
  await second.close()
})

test('the app under test may close the database itself', async () => {
  const { database, close } = await freshDatabase({ migrations })
  await database.close()
  await close()
  const next = await freshDatabase({ migrations })
  await isUntouched(next.database)
  await next.close()
})

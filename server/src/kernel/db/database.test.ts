// What the port promises, on each engine. The half on a server needs TEST_DATABASE_URL.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../testkit/database.ts'
import {
  type Database,
  isCheckViolation,
  isUnavailable,
  isUniqueViolation,
  type Named,
  type NoValues,
  type Queries,
  sqlState,
  unlisted,
} from './index.ts'

const migrations = fileURLToPath(new URL('./fixtures/shops', import.meta.url))
const server = process.env.TEST_DATABASE_URL

let statements = 0
const sql = <Row = unknown, Values extends Named = NoValues>(text: string) =>
  unlisted<Row, Values>(`port.${statements++}`, text)
const addShop = sql<{ shop_id: number }, { id: number; name: string }>(
  'insert into shops (shop_id, name) values ($id::int, $name::text) returning shop_id',
)
const listShops = sql<{ shop_id: number; name: string }>('select shop_id, name from shops where shop_id > 0 order by 1')

type Check = (database: Database, t: TestContext) => Promise<void>

function onEachEngine(name: string, check: Check): void {
  test(`${name} (embedded)`, async (t) => {
    const { database, close } = await freshDatabase({ migrations, engine: 'embedded' })
    t.after(close)
    await check(database, t)
  })
  test(`${name} (server)`, { skip: server ? false : 'TEST_DATABASE_URL is not set' }, async (t) => {
    const { database, close } = await freshDatabase({ migrations })
    t.after(close)
    await check(database, t)
  })
}

onEachEngine('rows, one row, and how many were touched', async (database) => {
  assert.deepEqual(await database.rows(listShops), [])
  assert.equal(await database.one(listShops), undefined)
  assert.equal(await database.run(addShop, { id: 2, name: 'two' }), 1)
  assert.deepEqual(await database.one(addShop, { id: 1, name: 'one' }), { shop_id: 1 })
  assert.deepEqual(await database.rows(listShops), [
    { shop_id: 1, name: 'one' },
    { shop_id: 2, name: 'two' },
  ])
  assert.equal(await database.run(sql('update shops set name = name || name where shop_id > 0')), 2)
  assert.equal(await database.run(sql('delete from shops where shop_id > 100')), 0)
})

onEachEngine('a value that was forgotten reaches no database, in a transaction or out of it', async (database) => {
  const named: Named = { id: 1, name: undefined }
  const insert = sql<unknown, Named>('insert into shops (shop_id, name) values ($id::int, $name::text)')
  const forgotten = /was run without \$name/
  await assert.rejects(database.rows(insert, named), forgotten)
  await assert.rejects(database.one(insert, named), forgotten)
  await assert.rejects(database.run(insert, named), forgotten)
  await assert.rejects(
    database.transaction((tx) => tx.run(insert, named)),
    forgotten,
  )
  assert.deepEqual(await database.rows(listShops), [])
})

onEachEngine('what a column becomes', async (database) => {
  const columns = sql<Record<string, unknown>, { json: unknown; list: string[]; bytes: Buffer }>(`select
    9007199254740991::bigint as big, 1.50::numeric as exact, true as yes, null::int as nothing,
    timestamptz '2026-02-03 04:05:06.789+02' as moment, date '2026-02-03' as day, timestamp '2026-02-03 04:05' as wall,
    $json::jsonb as json, $list::text[] as list, $bytes::bytea as bytes`)
  const row = await database.one(columns, {
    json: { deep: [1, 'ü'] },
    list: ['a', 'b,"c'],
    bytes: Buffer.from([0, 255]),
  })
  assert.deepEqual(row, {
    big: Number.MAX_SAFE_INTEGER,
    exact: '1.50',
    yes: true,
    nothing: null,
    moment: new Date('2026-02-03T02:05:06.789Z'),
    day: '2026-02-03',
    wall: '2026-02-03 04:05:00',
    json: { deep: [1, 'ü'] },
    list: ['a', 'b,"c'],
    bytes: Buffer.from([0, 255]),
  })
})

onEachEngine('a bigint that a number cannot hold is refused, and the connection goes on', async (database) => {
  await assert.rejects(database.one(sql('select 9007199254740992::bigint as n')), /9007199254740992.*as text/)
  assert.deepEqual(await database.one(sql('select 1 as n')), { n: 1 })
})

onEachEngine('errors are told apart, and cost no connection', async (database) => {
  const backend = sql<{ pid: number }>('select pg_backend_pid() as pid')
  await database.run(addShop, { id: 1, name: 'one' })
  const before = await database.one(backend)
  const twice = await failure(database.run(addShop, { id: 1, name: 'again' }))
  assert.ok(isUniqueViolation(twice) && isUniqueViolation(twice, 'shops_pkey') && !isUniqueViolation(twice, 'other'))
  const stray = await failure(database.script('insert into orders (shop_id) values (77)'))
  assert.ok(sqlState(stray) === '23503' && !isUniqueViolation(stray))
  assert.ok(isCheckViolation(await failure(database.run(addShop, { id: 2, name: '' })), 'named'))
  assert.deepEqual(await database.one(backend), before)
})

onEachEngine('a transaction is kept as a whole or not at all', async (database) => {
  const result = await database.transaction(async (tx) => {
    await tx.run(addShop, { id: 1, name: 'one' })
    return tx.rows(listShops)
  })
  assert.equal(result.length, 1)
  const failing = database.transaction(async (tx) => {
    await tx.run(addShop, { id: 2, name: 'two' })
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await database.rows(listShops), [{ shop_id: 1, name: 'one' }])
})

onEachEngine('a transaction in which a failure was swallowed does not claim to be saved', async (database) => {
  const swallowing = database.transaction(async (tx) => {
    await tx.run(addShop, { id: 1, name: 'one' })
    await tx.run(addShop, { id: 1, name: 'again' }).catch(() => undefined)
  })
  await assert.rejects(swallowing, /Nothing was saved/)
  assert.deepEqual(await database.rows(listShops), [])
})

onEachEngine('inside a transaction the database itself is refused, instead of waiting for ever', async (database) => {
  let lateUse: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    await assert.rejects(database.rows(listShops), /Use `tx` inside a transaction/)
    await assert.rejects(
      database.transaction(async () => undefined),
      /Use `tx` inside a transaction/,
    )
    await tx.rows(listShops)
    lateUse = new Promise((resolve) => setTimeout(resolve, 50)).then(() => database.rows(listShops))
  })
  assert.deepEqual(await lateUse, [], 'what was started inside may use the database once the transaction has ended')
})

onEachEngine('a transaction that has ended cannot be used', async (database) => {
  let kept: Queries | undefined
  await database.transaction(async (tx) => {
    kept = tx
  })
  await assert.rejects(kept?.run(addShop, { id: 1, name: 'late' }) ?? Promise.resolve(), /has ended/)
  assert.deepEqual(await database.rows(listShops), [])
})

/** Raises the error at its first calls, and a rollback does not reset the count. */
const failingAt = (calls: number, code: string, message: string): string => `
  create sequence calls;
  create function meet() returns integer language plpgsql as $$ begin
    if nextval('calls') <= ${calls} then raise exception '${message}' using errcode = '${code}'; end if;
    return 1;
  end $$;`
const meet = sql<{ met: number }>('select meet() as met')

for (const [code, message] of [
  ['XX000', 'could not find valid entry for shard 102032'],
  ['40001', 'shard for the given value does not exist'],
] as const) {
  onEachEngine(`runs a statement again after Citus has moved its shard (${code})`, async (database) => {
    await database.script(failingAt(1, code, message))
    assert.deepEqual(await database.one(meet), { met: 1 })
  })

  onEachEngine(`reports a shard that keeps moving as unavailable (${code})`, async (database) => {
    await database.script(failingAt(2, code, message))
    const error = await failure(database.one(meet))
    assert.ok(isUnavailable(error))
    assert.match(error.message, /moves a shard.*rolled back/)
  })

  onEachEngine(`leaves it to the caller to repeat a transaction whose shard has moved (${code})`, async (database) => {
    await database.script(failingAt(1, code, message))
    const moved = database.transaction(async (tx) => {
      await tx.run(addShop, { id: 1, name: 'one' })
      await tx.one(meet)
    })
    assert.ok(isUnavailable(await failure(moved)))
    assert.deepEqual(await database.rows(listShops), [])
    assert.deepEqual(await database.one(meet), { met: 1 })
  })
}

onEachEngine('does not repeat a statement after another internal error', async (database) => {
  await database.script(failingAt(1, 'XX000', 'could not find a plan'))
  const error = await failure(database.one(meet))
  assert.equal(isUnavailable(error), false)
  assert.match(String(error), /could not find a plan/)
})

onEachEngine('many callers at the same time do not see into each other', async (database) => {
  const add = (id: number) => async (tx: Queries) => {
    await tx.run(addShop, { id, name: 'x' })
    assert.deepEqual(await tx.rows(sql(`select count(*) as n from shops where shop_id = ${id}`)), [{ n: 1 }])
    if (id % 2 === 0) throw new Error('even')
  }
  const ids = Array.from({ length: 30 }, (_, at) => at + 1)
  const ends = await Promise.allSettled(ids.map((id) => database.transaction(add(id))))
  assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 15)
  assert.deepEqual(
    (await database.rows(listShops)).map((shop) => shop.shop_id),
    ids.filter((id) => id % 2 === 1),
  )
})

onEachEngine("a transaction that a script left open is nobody else's", async (database) => {
  await database.script("begin; insert into shops values (5, 'five')")
  assert.deepEqual(await database.rows(listShops), [])
  await database.script("insert into shops values (6, 'six')")
  assert.deepEqual(await database.rows(listShops), [{ shop_id: 6, name: 'six' }])
})

onEachEngine('a failed script in the middle leaves nothing of itself', async (database) => {
  const script = "insert into shops values (1, 'one'); insert into shops values (1, 'again')"
  await assert.rejects(database.script(script), (error) => isUniqueViolation(error))
  assert.deepEqual(await database.rows(listShops), [])
})

onEachEngine('after close everything is refused, and closing again is fine', async (database) => {
  await database.close()
  await database.close()
  await assert.rejects(database.rows(listShops), /closed/)
  await assert.rejects(
    database.transaction(async () => undefined),
    /closed/,
  )
})

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('this should have failed'),
    (error: unknown) => error,
  )
}

const addInTransaction = sql<{ transaction: string }, { id: number; name: string }>(
  `insert into shops (shop_id, name) values ($id::int, $name::text) returning pg_current_xact_id()::text as transaction`,
)

onEachEngine('those of one line go together, and each hears what came of its own', async (database) => {
  const add = (line: string, id: number, name = 'a shop') => database.inLine(line, addInTransaction, { id, name })
  const ids = Array.from({ length: 12 }, (_, at) => at + 1)
  const made = await Promise.all(ids.map((id) => add('one', id)))
  assert.equal(made[0]?.transaction === made[1]?.transaction, false, 'the first waits for nobody')
  assert.equal(new Set(made.slice(1).map((row) => row?.transaction)).size, 1, 'the others wait once')
  const apart = await Promise.all([add('one', 21), add('two', 22)])
  assert.notEqual(apart[0]?.transaction, apart[1]?.transaction)
  assert.equal((await database.rows(listShops)).length, ids.length + 2)
})

onEachEngine('one of a line that fails takes nobody with it', async (database) => {
  const add = (id: number, name = 'a shop') => database.inLine('one', addInTransaction, { id, name })
  const ended = await Promise.allSettled([add(1), add(2), add(2), add(3, ''), add(4)])
  assert.deepEqual(
    ended.map((one) => (one.status === 'fulfilled' ? 'made' : isUniqueViolation(one.reason) ? 'there' : 'refused')),
    ['made', 'made', 'there', 'refused', 'made'],
  )
  assert.deepEqual(
    (await database.rows(listShops)).map(({ shop_id }) => shop_id),
    [1, 2, 4],
  )
  await add(5)
  assert.equal((await database.rows(listShops)).length, 4)
})

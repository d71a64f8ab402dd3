import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { emptySnapshot } from '../../../../testkit/database-snapshot.ts'
import type { Database } from '../database.ts'
import { unlisted } from '../statement.ts'
import { wireTypes } from '../wire-types.ts'
import { openEmbedded } from './open.ts'
import { startUpkeep, type Upkeep, type UpkeepOptions } from './upkeep.ts'

const sql = <Row>(name: string, text: string) => unlisted<Row>(`upkeep_test.${name}`, text)
const logFiles = sql<{ bytes: number }>('log', 'select sum(size)::bigint as bytes from pg_ls_waldir()')
const deadRows = sql<{ dead: number }>(
  'dead',
  "select n_dead_tup as dead from pg_stat_user_tables where relname = 'busy'",
)
const planned = sql<{ rows: number }>('planned', "select reltuples::int as rows from pg_class where relname = 'busy'")

type Opened = { database: Database; upkeep: Upkeep }

async function open(t: TestContext, options: Partial<UpkeepOptions>): Promise<Opened> {
  const at = { memory: true, snapshot: await emptySnapshot() } as const
  const quiet = { statementTimeoutMs: 30_000, warn: () => undefined }
  const { database, upkeep: own } = await openEmbedded(at, quiet, { connectionTimeoutMillis: 10_000, types: wireTypes })
  await own.stop()
  const command = (text: string): Promise<void> => database.script(text)
  const usual = { database, command, waiting: () => 0, warn: () => undefined, everyMs: 3_600_000 }
  const upkeep = startUpkeep({ ...usual, ...options })
  t.after(async () => {
    await upkeep.stop()
    await database.close()
  })
  await database.script('create table busy (x integer)')
  return { database, upkeep }
}

test('the log does not grow without end', async (t) => {
  const { database, upkeep } = await open(t, { logBytes: 16 * 1024 * 1024 })
  const sizes: number[] = []
  for (let round = 0; round < 6; round++) {
    await database.script('insert into busy select x from generate_series(1, 150000) as g(x); truncate busy')
    await upkeep.look()
    sizes.push((await database.one(logFiles))?.bytes ?? 0)
  }
  const written = 6 * 150_000 * 60
  assert.ok(Math.max(...sizes) < written, `${sizes}`)
  assert.ok((sizes.at(-1) ?? 0) <= (sizes[2] ?? 0), `the log files are used again: ${sizes}`)
})

test('tables that changed much are vacuumed and analyzed, others are left alone', async (t) => {
  const { database, upkeep } = await open(t, {})
  await upkeep.look()
  await database.script('insert into busy select x from generate_series(1, 1000) as g(x)')
  assert.deepEqual(await upkeep.look(), ['analyze public.busy'])
  assert.deepEqual(await database.one(planned), { rows: 1000 })
  await database.script('delete from busy where x > 500')
  assert.deepEqual(await upkeep.look(), ['vacuum (analyze) public.busy'])
  assert.deepEqual(await database.one(deadRows), { dead: 0 })
  assert.deepEqual(await upkeep.look(), [])
})

test('it waits while others wait, but not for ever', async (t) => {
  let looks = 0
  const first = Promise.withResolvers<number>()
  const { database } = await open(t, {
    everyMs: 20,
    waiting: () => {
      looks++
      return 1
    },
    command: async () => first.resolve(looks),
  })
  await database.script('insert into busy select x from generate_series(1, 1000) as g(x)')
  assert.ok((await first.promise) >= 10)
})

test('after stop nothing is started any more', async (t) => {
  const done: string[] = []
  const { database, upkeep } = await open(t, { everyMs: 10, command: async (text) => void done.push(text) })
  await upkeep.stop()
  done.length = 0
  await database.script('insert into busy select x from generate_series(1, 1000) as g(x)')
  await pause(60)
  assert.deepEqual(done, [])
})

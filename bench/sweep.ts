// A sweep that expires one write in each of 10,000 workspaces, against one that expires 10,000 writes of one workspace: processor time
// of PostgreSQL for each write, which other programs of the machine disturb less than the time that passes.
import { randomBytes } from 'node:crypto'
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { openLog } from '../server/src/kernel/log/index.ts'
import { loadSettings } from '../server/src/kernel/settings/index.ts'
import { expireAll } from '../server/src/writes/actions/index.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { sized } from './parts/scale.ts'
import { openSpending } from './parts/spent.ts'

const WRITES = sized(10_000)
const ROUNDS = 3

const log = openLog({ level: 'error', format: 'json', stream: process.stderr })

function settingsOfPostgres() {
  const env = { Encryption__Key: randomBytes(32).toString('base64') }
  const loaded = loadSettings({ env, readFile: () => '{}' })
  if (!loaded.ok) throw new Error(loaded.faults.map(({ message }) => message).join('\n'))
  return loaded.settings
}

const prepare = (db: Database) =>
  db.script(`insert into tenants (tenant_id, name) select n, 'Shop ' || n from generate_series(1, ${WRITES + 1}) n`)

/** Stages writes that are past their deadline: all of them of the last workspace, or one of each of the others. */
const stage = unlisted<unknown, { isOfOne: boolean; count: number }>(
  'bench.stage_overdue',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, idempotency_key, state, expires_at)
   select case when $isOfOne::boolean then $count::int + 1 else n end, gen_random_uuid(), 'refund', 'shop', 'Refund', 'Refund', '{}', 'h', 'low',
          'key', 'pending', now() - interval '1 hour'
     from generate_series(1, $count::int) n`,
)

type Cost = { readonly databaseMs: number; readonly seconds: number }

async function expire(db: Database, spent: () => Promise<{ databaseMs: number }>, isOfOne: boolean): Promise<Cost> {
  await db.run(stage, { isOfOne, count: WRITES })
  // What happens here between the sweeps of a service.
  await db.script('vacuum analyze')
  const before = await spent()
  const started = performance.now()
  const taken = await expireAll({ db, log, settings })
  const seconds = (performance.now() - started) / 1000
  if (taken !== WRITES) throw new Error(`${taken} of ${WRITES} writes were expired.`)
  return { databaseMs: ((await spent()).databaseMs - before.databaseMs) / WRITES, seconds }
}

async function measureOn(url: string): Promise<readonly Result[] | undefined> {
  const db = await openDatabase({
    at: { url, poolSize: 10, prepared: true },
    statementTimeoutMs: 30_000,
    warn: () => undefined,
  })
  try {
    const spent = await openSpending(db, process.pid)
    if (spent === undefined) return undefined
    await prepare(db)
    const seconds: Record<'many' | 'one', number[]> = { many: [], one: [] }
    const candidate = (name: 'many' | 'one') => async () => {
      const cost = await expire(db, spent, name === 'one')
      seconds[name].push(cost.seconds)
      return cost.databaseMs
    }
    const took = await takeTurns(
      { many: candidate('many'), one: candidate('one') },
      { rounds: ROUNDS, warmUpRounds: 1 },
    )
    const figures = {
      ofManyDatabaseMs: rounded(median(took.many)),
      ofOneDatabaseMs: rounded(median(took.one)),
      ofManySeconds: rounded(median(seconds.many.slice(-ROUNDS))),
      ofOneSeconds: rounded(median(seconds.one.slice(-ROUNDS))),
    }
    return [judged('10,000 workspaces, to one', ratioOf(took.many, took.one), { atMost: 2 }, figures)]
  } finally {
    await db.close()
  }
}

const settings = settingsOfPostgres()
const results = await onPostgres(1, ([url = '']) => measureOn(url))
say({
  bench: 'sweep',
  promise: 'A sweep over 10,000 workspaces costs the database at most twice as much as one over a single workspace',
  results: results ?? [],
  ...(results === undefined ? { skipped: `${NO_POSTGRES}, on this machine and on Linux` } : {}),
})

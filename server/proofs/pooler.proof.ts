// Named test files again, with PgBouncer in transaction mode between the service and PostgreSQL. Debian's 1.18 knows no prepared
// statements; from 1.21 on they are prepared by name.
//
//   npm run prove -- pooler         PGBOUNCER=/path/to/pgbouncer for another one
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import test from 'node:test'
import { startPgbouncer } from '../../scripts/private-pgbouncer.ts'
import { startPostgres } from '../../scripts/private-postgres.ts'
import { openDatabase } from '../src/kernel/db/index.ts'
import { say, secondsSince } from './card/form.ts'

/** Transactions, locks, races, queues, notifications and streams: what a pooler might come between. */
const FILES = [
  'writes/actions/execution',
  'writes/actions/superseded',
  'writes/actions/sweep-race',
  'talk/chat/elsewhere',
  'talk/chat/streaming',
  'tenancy/events/queue',
  'tenancy/access/access',
  'writes/audit/verify',
  'tenancy/jobs/jobs',
  'tenancy/mail/claims',
  'tenancy/usage/usage',
].map((name) => `server/src/${name}.test.ts`)

test('through PgBouncer in transaction mode nothing is otherwise', { timeout: 240_000 }, async (t) => {
  const postgres = await startPostgres({ durable: false })
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => postgres.stop())
  const pooler = await startPgbouncer(postgres.url)
  if (pooler === undefined) return t.skip('There is no PgBouncer here: apt-get install pgbouncer.')
  t.after(() => pooler.stop())
  await limitByRole(postgres.url)
  const start = performance.now()
  const { code, output } = await run({
    TEST_DATABASE_URL: postgres.url,
    TEST_POOLER_URL: pooler.url,
    TEST_POOLER_PREPARES: pooler.canPrepare ? 'yes' : 'no',
  })
  const clients = pooler.clientsOf()
  const figures = { prepared: pooler.canPrepare, clients: clients.length, databases: new Set(clients).size }
  say('pooler', { ...figures, files: FILES.length, seconds: secondsSince(start) })
  assert.equal(code, 0, output)
  // The proof is worth something only if the tests went through it.
  assert.ok(new Set(clients).size >= FILES.length, `clients of ${[...new Set(clients)].join(', ')}`)
})

test('whoever listens through the pooler is told, and listens to nothing', { timeout: 60_000 }, async (t) => {
  const postgres = await startPostgres({ durable: false })
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => postgres.stop())
  const pooler = await startPgbouncer(postgres.url)
  if (pooler === undefined) return t.skip('There is no PgBouncer here: apt-get install pgbouncer.')
  t.after(() => pooler.stop())
  const said = Promise.withResolvers<string>()
  const heard: string[] = []
  const listen = async (listenUrl: string, warn: (reason: string) => void): Promise<void> => {
    const at = { url: pooler.url, listenUrls: [listenUrl], poolSize: 2, prepared: false } as const
    const database = await openDatabase({
      at,
      statementTimeoutMs: 10_000,
      warn: (message, details) => warn(`${message} ${JSON.stringify(details)}`),
    })
    t.after(() => database.close())
    const told = Promise.withResolvers<void>()
    const listening = database.listen(['of_a_proof'], (channel) => {
      heard.push(channel)
      told.resolve()
    })
    t.after(() => listening.close())
    await Promise.race([told.promise, said.promise])
  }
  await listen(pooler.url, said.resolve)
  assert.match(await said.promise, /leads to a pooler. Set Database:ListenUrl/)
  assert.deepEqual(heard, [])
  const unexpected: string[] = []
  said.promise = new Promise(() => undefined)
  await listen(postgres.url, (reason) => unexpected.push(reason))
  assert.deepEqual([heard, unexpected], [['of_a_proof'], []])
})

/** As docs/operations.md asks: the service sets no limit behind a pooler. */
async function limitByRole(url: string): Promise<void> {
  const at = { url, poolSize: 1, prepared: true }
  const admin = await openDatabase({ at, statementTimeoutMs: 10_000, warn: () => undefined })
  await admin.script(`alter role tether set statement_timeout = '30s'`).finally(() => admin.close())
}

async function run(more: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...FILES], { env: { ...env, ...more } })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => written.push(text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output: written.join('') }
}

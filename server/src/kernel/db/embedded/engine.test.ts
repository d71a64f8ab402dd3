import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { emptySnapshot } from '../../../../testkit/database-snapshot.ts'
import { timed } from '../../../../testkit/stopwatch.ts'
import { isTimeLimit, isUnavailable, sqlState } from '../errors.ts'
import type { Named, NoValues } from '../named-values.ts'
import { unlisted } from '../statement.ts'
import { wireTypes } from '../wire-types.ts'
import { type Embedded, type EmbeddedLocation, type EmbeddedOptions, openEmbedded } from './open.ts'

const common = { connectionTimeoutMillis: 10_000, types: wireTypes }
const snapshot = await emptySnapshot()

type Opened = Embedded & { warnings: string[] }

async function open(t: TestContext, at: EmbeddedLocation, options: Partial<EmbeddedOptions> = {}): Promise<Opened> {
  const warnings: string[] = []
  const warn = (message: string, { reason }: Record<string, unknown>) => void warnings.push(`${message} ${reason}`)
  const embedded = await openEmbedded({ ...at, snapshot }, { statementTimeoutMs: 5_000, warn, ...options }, common)
  t.after(() => embedded.database.close())
  return { ...embedded, warnings }
}

const inMemory: EmbeddedLocation = { memory: true }

function inDirectory(t: TestContext): { directory: string } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-embedded-'))
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }))
  return { directory }
}

const sql = <Row = object, Values extends Named = NoValues>(text: string) =>
  unlisted<Row, Values>(`test.${text.length}.${text.slice(0, 40)}`, text)
const countKept = sql<{ n: number }>('select count(*) as n from kept')

async function keepOne({ database }: Embedded): Promise<void> {
  await database.script('create table if not exists kept (x integer); insert into kept values (1)')
}

test('what is nested too deeply is a proper error, and the engine is as it was', async (t) => {
  // Reaching PostgreSQL's own limit takes a busy machine seconds, and ours of time must not come first.
  const opened = await open(t, inMemory, { statementTimeoutMs: 60_000 })
  await keepOne(opened)
  const deep = 700_000
  const json = '['.repeat(deep) + ']'.repeat(deep)
  const failures = [
    opened.database.rows(sql(`select ${Array(50_000).fill('1').join('+')}`)),
    opened.database.rows(sql<object, { json: string }>('select length($json::jsonb::text)'), { json }),
    opened.database.script(
      'create function again(i int) returns int language plpgsql as $$ begin return again(i + 1); end $$; select again(1)',
    ),
  ]
  for (const failure of failures) {
    await assert.rejects(failure, (error) => sqlState(error) === '54001')
  }
  // Memory: had the engine been started again, the row would be gone.
  assert.deepEqual(await opened.database.one(countKept), { n: 1 })
  assert.deepEqual(opened.warnings, [])
})

test('an engine that was damaged is never taken for an answer: the caller hears so, and another one starts', async (t) => {
  const opened = await open(t, inMemory, { stackSizeMb: 2 })
  const json = '['.repeat(100_000) + ']'.repeat(100_000)
  const query = opened.database.rows(sql<object, { json: string }>('select $json::jsonb is not null as ok'), { json })
  await assert.rejects(query, (error) => isUnavailable(error) && /call stack/.test(error.message))
  assert.deepEqual(await opened.database.one(sql('select 1 as one')), { one: 1 })
  assert.match(opened.warnings.join(), /being reopened.*call stack/)
})

test("what a destroyed client leaves behind is not the next one's", async (t) => {
  const { engine } = await open(t, inMemory)
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ user: 'postgres', database: 'postgres', ssl: false, stream: () => engine.connect() })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const first = await connect()
  await first.query('create table open_work (x integer)')
  await first.query('prepare known as select 1')
  await first.query("set application_name = 'first'; create temp table scratch (x integer)")
  await first.query({ name: 'named', text: 'select 1 as one' })
  await first.query('begin')
  await first.query('insert into open_work values (1)')
  first.connection.stream.destroy()

  const second = await connect()
  assert.equal(second.getTransactionStatus(), 'I')
  assert.equal((await second.query('select * from open_work')).rowCount, 0)
  await assert.rejects(second.query('execute known'), /does not exist/)
  await assert.rejects(second.query('select * from scratch'), /does not exist/)
  assert.deepEqual((await second.query('show application_name')).rows, [{ application_name: '' }])
  assert.deepEqual((await second.query({ name: 'named', text: 'select 2 as two' })).rows, [{ two: 2 }])
  await second.end()
})

test('a statement over the limit is ended; who waited behind it, and everything after it, works', async (t) => {
  const opened = await open(t, inDirectory(t), { statementTimeoutMs: 2_000 })
  await keepOne(opened)
  const endless = opened.database.rows(sql('select count(*) from generate_series(1, 100000000000)'))
  const waiting = opened.database.one(countKept)
  const { ms } = await timed(
    () => assert.rejects(endless, (error) => isTimeLimit(error) && /2000 ms/.test(String(error))),
    2_000,
  )
  assert.ok(ms < 2_700, `${ms} ms`)
  assert.deepEqual(await waiting, { n: 1 })
  assert.match(opened.warnings.join(), /being reopened.*longer than 2000 ms/)

  const halfWay = opened.database.transaction(async (tx) => {
    await tx.script('insert into kept values (2)')
    await tx.script('select pg_sleep(60)')
  })
  await assert.rejects(halfWay, isTimeLimit)
  assert.deepEqual(await opened.database.one(countKept), { n: 1 })
})

test('the limit is lifted for a transaction that asks for it, and for nothing after it', async (t) => {
  const { database } = await open(t, inMemory, { statementTimeoutMs: 1_000 })
  await database.transaction((tx) => tx.script('select pg_sleep(3)'), { unlimited: true })
  await assert.rejects(database.script('select pg_sleep(60)'), isTimeLimit)
})

test('a main thread that was busy itself does not mistake an answered statement for an endless one', async (t) => {
  const { database, warnings } = await open(t, inMemory, { statementTimeoutMs: 1_000 })
  await database.one(sql('select 1 as one'))
  const answer = database.one(sql('select 2 as two'))
  await new Promise((resolve) => setImmediate(resolve)) // the statement is on its way
  // Twice the limit, and time enough for the engine to answer on a machine that is busy itself.
  const busyUntil = performance.now() + 2_000
  while (performance.now() < busyUntil);
  assert.deepEqual(await answer, { two: 2 })
  assert.deepEqual(warnings, [])
})

test('when the engine dies, nobody is left waiting', async (t) => {
  const opened = await open(t, inMemory)
  const one = sql<{ n: number }>('select 1 as n')
  // PostgreSQL ends its process when the client breaks the protocol: the driver sends no rows for this copy.
  const fatal = opened.database.script('create table rows (x integer); copy rows from stdin')
  const behind = Array.from({ length: 20 }, () => opened.database.one(one))
  await assert.rejects(fatal, (error) => isUnavailable(error) && /FATAL/.test(error.message))
  for (const answer of await Promise.all(behind)) assert.deepEqual(answer, { n: 1 })
  assert.equal(opened.warnings.length, 1)
})

test('the next engine starts only when the one before has ended', async (t) => {
  const opened = await open(t, inMemory, { statementTimeoutMs: 1_000 })
  const terminate = Worker.prototype.terminate
  let endedAt = Number.POSITIVE_INFINITY
  t.mock.method(Worker.prototype, 'terminate', async function (this: Worker) {
    const code = await terminate.call(this)
    await pause(1_000)
    endedAt = performance.now()
    return code
  })
  await assert.rejects(opened.database.script('select pg_sleep(60)'), isTimeLimit)
  assert.deepEqual(await opened.database.one(sql('select 1 as one')), { one: 1 })
  assert.ok(performance.now() > endedAt)
  t.mock.restoreAll()
})

test('a cluster that does not open says why, and lets go of its directory', async (t) => {
  const at = inDirectory(t)
  const cluster = path.join(at.directory, 'database', 'cluster')
  fs.mkdirSync(cluster, { recursive: true })
  fs.writeFileSync(path.join(cluster, 'PG_VERSION'), '18\n')
  for (let attempt = 0; attempt < 2; attempt++) {
    const opening = openEmbedded(at, { statementTimeoutMs: 0, warn: () => undefined }, common)
    await assert.rejects(
      opening,
      (error: Error) => error.message.includes(cluster) && /configuration file/.test(error.message),
    )
  }
})

test('a directory belongs to one opener, nobody else reaches its files, and who loses its lock stops', async (t) => {
  const at = inDirectory(t)
  const { database } = await open(t, at)
  await assert.rejects(openEmbedded(at, { statementTimeoutMs: 0, warn: () => undefined }, common), /is in use by/)
  assert.equal(fs.statSync(path.join(at.directory, 'database')).mode & 0o777, 0o700)

  fs.rmSync(path.join(at.directory, 'database', 'lock'))
  const deadline = performance.now() + 60_000
  let refusal: unknown
  while (refusal === undefined && performance.now() < deadline) {
    refusal = await database.script('select pg_sleep(0.05)').then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  assert.ok(isUnavailable(refusal))
  assert.match(refusal.message, /lock of the data directory is gone/)
})

test('close ends a statement that is under way, in bounded time', async (t) => {
  const { engine, database } = await open(t, inMemory)
  const endless = assert.rejects(database.script('select pg_sleep(60)'), isUnavailable)
  await pause(50)
  const { ms } = await timed(() => engine.close())
  assert.ok(ms < 1_000, `${ms} ms`)
  await endless
  await assert.rejects(database.script('select 1'), (error) => isUnavailable(error) && /closed/.test(error.message))
})

test('an open database that nobody uses keeps no process alive', async () => {
  const source = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('../index.ts'))})
    const at = { memory: true, snapshot: ${JSON.stringify(snapshot)} }
    const database = await openDatabase({ at, statementTimeoutMs: 60_000, warn: () => {} })
    await database.script('select 1')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit', timeout: 240_000 })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

test('the thread keeps its compiled code where its process does', async (t) => {
  const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-compiled-'))
  t.after(() => fs.rmSync(kept, { recursive: true }))
  const source = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('../index.ts'))})
    // Only now: what this thread has loaded is not kept.
    const { default: module } = await import('node:module')
    module.enableCompileCache(${JSON.stringify(kept)})
    const at = { memory: true, snapshot: ${JSON.stringify(snapshot)} }
    const database = await openDatabase({ at, statementTimeoutMs: 60_000, warn: () => {} })
    await database.close()`
  // The folder of this process would take the place of that one.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const words = ['--input-type=module', '-e', source]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env })
  assert.equal(status, 0, stderr)
  const files = fs.readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(files.length >= 5, `${files.length} files`)
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { emptySnapshot } from '../../../testkit/database-snapshot.ts'
import { timed } from '../../../testkit/stopwatch.ts'
import { Checkout } from './checkout.ts'
import { Engine } from './embedded/engine.ts'
import { isUnavailable } from './errors.ts'

async function open(t: TestContext): Promise<Checkout> {
  const snapshot = await emptySnapshot()
  const engine = new Engine({ cluster: undefined, snapshot, statementTimeoutMs: 0, warn: () => undefined })
  t.after(() => engine.close())
  await engine.ready
  const config = { user: 'postgres', password: '', database: 'postgres', ssl: false }
  return new Checkout(new pg.Pool({ ...config, max: 1, stream: () => engine.connect() }), () => undefined)
}

test('a database that was away is said to be back, once, with how long it was away', async (t) => {
  const snapshot = await emptySnapshot()
  const engine = new Engine({ cluster: undefined, snapshot, statementTimeoutMs: 0, warn: () => undefined })
  t.after(() => engine.close())
  await engine.ready
  const config = { user: 'postgres', password: '', database: 'postgres', ssl: false }
  const pool = new pg.Pool({ ...config, max: 1, stream: () => engine.connect() })
  let isAway = true
  const connect = () => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : pool.connect())
  const told: [string, unknown][] = []
  const tell = (message: string, details: Record<string, unknown>) => void told.push([message, details])
  const checkout = new Checkout(pool, () => undefined, { connect, tell })
  t.after(() => checkout.close(0))
  const ask = () => checkout.use((client) => client.query('select 1'))
  for (let times = 0; times < 2; times++) await assert.rejects(ask(), says(/its address is right \(Database:Url\)/))
  assert.equal(told.length, 0)
  isAway = false
  for (let times = 0; times < 2; times++) await ask()
  assert.deepEqual(
    told.map(([message, details]) => [message, Object.keys(details as object)]),
    [['The database answers again.', ['awaySeconds']]],
  )
})

const says = (words: RegExp) => (error: unknown) => isUnavailable(error) && words.test(error.message)

test('close lets work end, and refuses what comes after', async (t) => {
  const checkout = await open(t)
  const working = checkout.use((client) => client.query('select pg_sleep(0.2), 1 as one'))
  const closing = checkout.close(60_000)
  await assert.rejects(
    checkout.use((client) => client.query('select 1')),
    says(/closed/),
  )
  assert.equal((await working).rowCount, 1)
  await closing
})

test('close does not wait for ever: whoever waits or works is told', async (t) => {
  const checkout = await open(t)
  const stuck = Promise.withResolvers<void>()
  const working = checkout.use(async (client) => {
    await client.query('begin')
    await stuck.promise
    return client.query('commit')
  })
  const waiting = checkout.use((client) => client.query('select 1'))
  const told = Promise.all([assert.rejects(waiting, says(/closed/)), assert.rejects(working, isUnavailable)])
  const { ms } = await timed(() => checkout.close(100), 100)
  assert.ok(ms < 900, `${ms} ms too many`)
  stuck.resolve()
  await told
})

test('a database that answers and cannot write is away, and says where to look', async (t) => {
  const checkout = await open(t)
  const raise = (state: string) =>
    checkout.use((client) => client.query(`do $$ begin raise exception 'no room' using errcode = '${state}'; end $$`))
  for (const state of ['53100', '53200', '58030', '25006'])
    await assert.rejects(raise(state), says(/cannot write: no room\. Check its disk/))
  await assert.rejects(raise('22012'), (error) => !isUnavailable(error))
})

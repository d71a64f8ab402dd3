// What only a server over the network does. Needs TEST_DATABASE_URL.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '../../../testkit/database.ts'
import {
  type Database,
  type DatabaseOptions,
  isTimeLimit,
  isUnavailable,
  openDatabase,
  serverAdvice,
  unlisted,
} from './index.ts'

const migrations = fileURLToPath(new URL('./fixtures/shops', import.meta.url))
const server = process.env.TEST_DATABASE_URL
const onServer = { skip: server ? false : 'TEST_DATABASE_URL is not set' }

type Opened = { database: Database; url: string; warnings: string[] }
type Change = Partial<Omit<DatabaseOptions, 'at'>> & { poolSize?: number; prepared?: boolean }

async function open(t: TestContext, { poolSize = 2, prepared = true, ...options }: Change = {}): Promise<Opened> {
  const fresh = await freshDatabase({ migrations })
  t.after(fresh.close)
  const { url = '' } = fresh
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const database = await openDatabase({ at: { url, poolSize, prepared }, statementTimeoutMs: 5_000, warn, ...options })
  t.after(() => database.close())
  return { database, url, warnings }
}

async function another(t: TestContext, url: string): Promise<Database> {
  const at = { url, poolSize: 1, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 0, warn: () => undefined })
  t.after(() => database.close())
  return database
}

const one = unlisted<{ one: number }>('server.one', 'select 1 as one')
const prepared = unlisted<{ name: string }>(
  'server.prepared',
  "select name from pg_prepared_statements where name like 'server.%' order by 1",
)
const sleeping = unlisted<object>(
  'server.sleeping',
  "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
)
const killSleeping = unlisted<{ pid: number }>(
  'server.kill_sleeping',
  `with asleep as materialized (
     select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'
   ) select pid, pg_terminate_backend(pid) from asleep`,
)
const killOthers = unlisted<{ killed: boolean }>(
  'server.kill',
  `select pg_terminate_backend(pid) as killed from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
)

test('a statement over the limit is cancelled by the server', onServer, async (t) => {
  const { database } = await open(t, { statementTimeoutMs: 200 })
  await assert.rejects(database.script('select pg_sleep(30)'), isTimeLimit)
  await database.transaction((tx) => tx.script('select pg_sleep(0.4)'), { unlimited: true })
  await assert.rejects(database.script('select pg_sleep(30)'), isTimeLimit)
})

test('behind a pooler the limit is the same', onServer, async (t) => {
  const { database } = await open(t, { statementTimeoutMs: 200, prepared: false })
  await assert.rejects(database.script('select pg_sleep(30)'), isTimeLimit)
})

test('statements are prepared by name, or not at all', onServer, async (t) => {
  const named = await open(t, { poolSize: 1 })
  await named.database.rows(one)
  assert.deepEqual(await named.database.rows(prepared), [{ name: 'server.one' }, { name: 'server.prepared' }])
  const plain = await open(t, { poolSize: 1, prepared: false })
  await plain.database.rows(one)
  assert.deepEqual(await plain.database.rows(prepared), [])
})

test('no free connection in time is said so, with what to do', onServer, async (t) => {
  // Long enough for a busy machine to open the one connection that there is.
  const { database } = await open(t, { poolSize: 1, statementTimeoutMs: 60_000, checkoutTimeoutMs: 2_500 })
  const holding = database.script('select pg_sleep(6)')
  await assert.rejects(database.rows(one), (error) => {
    assert.ok(isUnavailable(error))
    assert.match(error.message, /No database connection became free.*1 in use.*Database:PoolSize/)
    return true
  })
  await holding
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
})

test(
  'a connection that the server ends under a statement is "unavailable", and the next statement has another one',
  onServer,
  async (t) => {
    const { database, url } = await open(t)
    const other = await another(t, url)
    const working = database.script('select pg_sleep(30)')
    const inTransaction = database.transaction((tx) => tx.script('select pg_sleep(30)'))
    const refused = Promise.allSettled([working, inTransaction])
    while ((await other.rows(sleeping)).length < 2) await pause(10)
    assert.equal((await other.rows(killOthers)).length, 2)
    for (const end of await refused) assert.ok(end.status === 'rejected' && isUnavailable(end.reason), String(end))
    assert.deepEqual(await database.rows(one), [{ one: 1 }])
  },
)

test('a connection that is lost while nobody uses it ends nothing but itself', onServer, async (t) => {
  const { database, url, warnings } = await open(t)
  await Promise.all([database.rows(one), database.rows(one)])
  const other = await another(t, url)
  assert.equal((await other.rows(killOthers)).length, 2)
  const deadline = performance.now() + 60_000
  while (warnings.length < 2 && performance.now() < deadline) await pause(10)
  assert.equal(warnings.length, 2)
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
})

test('who waits too long for a lock is cancelled, and holds up nobody else', onServer, async (t) => {
  const { database, url } = await open(t, { statementTimeoutMs: 1_500 })
  const holder = await another(t, url)
  await holder.transaction(async (tx) => {
    await tx.script('lock table shops')
    const blocked = assert.rejects(database.script('select * from shops'), isTimeLimit)
    assert.deepEqual(await database.rows(one), [{ one: 1 }])
    await blocked
  })
})

test('a server that is not there is "unavailable", with what to check', async (t) => {
  const at = { url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 0, warn: () => undefined })
  t.after(() => database.close())
  await assert.rejects(database.rows(one), (error) => {
    assert.ok(isUnavailable(error))
    assert.match(error.message, /cannot be reached.*ECONNREFUSED.*its address is right \(Database:Url\)/)
    return true
  })
})

test('a server that accepts and says nothing is given up, and close does not wait for it', async (t) => {
  const silent = net.createServer(() => undefined)
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  t.after(() => silent.close())
  const at = { url: `postgres://nobody@127.0.0.1:${portOf(silent)}/none`, poolSize: 1, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 0, checkoutTimeoutMs: 200, warn: () => undefined })
  await assert.rejects(database.rows(one), isUnavailable)
  await database.close()
})

/** Stands between, and from a moment on lets nothing more through to the client, although every line stays open. */
async function silencer(t: TestContext, url: string) {
  const [target, own] = [new URL(url), new URL(url)]
  const silent = new Set<net.Socket>()
  const clients = new Set<net.Socket>()
  const between = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    clients.add(client)
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('data', (data) => upstream.write(data)).on('close', () => upstream.destroy())
    upstream.on('data', (data) => silent.has(client) || client.write(data))
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    for (const client of clients) client.destroy()
    between.close()
  })
  own.port = String(portOf(between))
  return {
    url: own.href,
    /** The lines that are open now. */
    silence: () => {
      for (const client of clients) silent.add(client)
    },
  }
}

test('a line that falls silent is left, and what was asked through it is told so', onServer, async (t) => {
  const fresh = await freshDatabase({ migrations })
  t.after(fresh.close)
  const { url, silence } = await silencer(t, fresh.url ?? '')
  const options = { statementTimeoutMs: 200, warn: () => undefined }
  const database = await openDatabase({ at: { url, poolSize: 1, prepared: true }, ...options })
  t.after(() => database.close())
  const saysSilent = (error: unknown) => isUnavailable(error) && /no answer within 2.2 s/.test(error.message)
  await database.rows(one)
  silence()
  await assert.rejects(database.rows(one), saysSilent)
  await assert.rejects(
    database.transaction(async (tx) => {
      silence()
      await tx.rows(one)
    }),
    saysSilent,
  )
  assert.deepEqual(await database.rows(one), [{ one: 1 }], 'with another line')
})

/** Greets everybody, answers the first connection's statement with this error, and the statements of later ones with success. */
async function refusesOnce(t: TestContext, [state, words]: readonly [string, string]) {
  const ready = Buffer.from('Z\0\0\0\x05I')
  const greeting = Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0'), ready])
  const goingAway = Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${words}\0\0`)
  const fatal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, goingAway.length + 4]), goingAway])
  const done = Buffer.concat([Buffer.from('C\0\0\0\x0dSELECT 1\0'), ready])
  let connections = 0
  const fake = net.createServer((socket) => {
    const answer = ++connections === 1 ? fatal : done // and the first one stays connected
    socket.on('error', () => undefined)
    socket.on('data', (message) => socket.write(message[0] === 0x51 ? answer : message[0] === 0 ? greeting : ''))
  })
  await once(fake.listen(0, '127.0.0.1'), 'listening')
  t.after(() => fake.close())
  const url = `postgres://nobody@127.0.0.1:${portOf(fake)}/none?sslmode=disable`
  return { database: await another(t, url), connections: () => connections }
}

test('a server that says it is going away is left at once, before it hangs up', async (t) => {
  const { database, connections } = await refusesOnce(t, ['57P01', 'terminating connection'])
  await assert.rejects(database.script('select 1'), isUnavailable)
  await database.script('select 1')
  assert.equal(connections(), 2)
})

test('a pooler that has lost its server says so in a state of its own, and that is "unavailable" too', async (t) => {
  // PgBouncer knows no other state for it, and hangs up.
  for (const words of ['server conn crashed?', 'server login has been failing, try again later (server_login_retry)']) {
    const { database, connections } = await refusesOnce(t, ['08P01', words])
    await assert.rejects(database.script('select 1'), (error) => isUnavailable(error) && error.message.includes(words))
    await database.script('select 1')
    assert.equal(connections(), 2)
  }
})

function portOf(server: net.Server): number {
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

const ASKS = 'pg_is_in_recovery()'

/** A way to the server that says it is a standby, until it is promoted, and that can be cut. */
async function wayTo(t: TestContext, url: string, { isPromoted = false } = {}) {
  const target = new URL(url)
  let isPrimary = isPromoted
  const sockets = new Set<net.Socket>()
  const between = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    sockets.add(client.on('close', () => upstream.destroy()).on('error', () => undefined))
    upstream.on('close', () => client.destroy()).on('error', () => undefined)
    client.on('data', (bytes) => {
      // Of the same length, because a message begins with it.
      const asked = bytes.toString('latin1').replace(ASKS, isPrimary ? ASKS : 'true'.padEnd(ASKS.length))
      upstream.write(Buffer.from(asked, 'latin1'))
    })
    upstream.pipe(client)
  })
  await once(between.listen(0, '127.0.0.1'), 'listening')
  const cut = (): void => {
    between.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(cut)
  const way = new URL(url)
  way.host = `127.0.0.1:${portOf(between)}`
  return {
    url: way.href,
    cut,
    promote() {
      isPrimary = true
    },
  }
}

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none'

test('of several hosts the one that takes writes is used, and another when it is gone', onServer, async (t) => {
  const fresh = await freshDatabase({ migrations })
  t.after(fresh.close)
  const { url = '' } = fresh
  const [primary, standby] = [await wayTo(t, url, { isPromoted: true }), await wayTo(t, url)]
  const at = { url: NOWHERE, otherUrls: [standby.url, primary.url], poolSize: 3, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 5_000, warn: () => undefined })
  t.after(() => database.close())
  const asked = await Promise.all(Array.from({ length: 9 }, () => database.rows(one)))
  assert.ok(asked.every(([row]) => row?.one === 1))
  const heard = Promise.withResolvers<string>()
  const listening = database.listen(['shops_changed'], heard.resolve)
  t.after(() => listening.close())
  assert.equal(await heard.promise, 'shops_changed')

  primary.cut()
  // The first statements may still be given a connection that has not been seen to end.
  const refusals: string[] = []
  while (!refusals.some((reason) => reason.includes('it is a standby'))) {
    await database.rows(one).catch((error) => {
      assert.ok(isUnavailable(error), String(error))
      refusals.push(error.message)
    })
  }
  standby.promote()
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
})

test('a pool that is all in use says nothing of its host', onServer, async (t) => {
  const fresh = await freshDatabase({ migrations })
  t.after(fresh.close)
  const at = { url: fresh.url ?? '', otherUrls: [NOWHERE], poolSize: 1, prepared: true }
  const database = await openDatabase({ at, statementTimeoutMs: 0, checkoutTimeoutMs: 2_500, warn: () => undefined })
  t.after(() => database.close())
  const holding = database.script('select pg_sleep(6)')
  await assert.rejects(database.rows(one), /No database connection became free/)
  await holding
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
})

test('beside a pooler the limit of a statement is the role’s, and its lack is said', onServer, async (t) => {
  const fresh = await freshDatabase({ migrations })
  t.after(fresh.close)
  const { url = '' } = fresh
  const at = { url, listenUrls: [url], poolSize: 1, prepared: false } as const
  const database = await openDatabase({ at, statementTimeoutMs: 200, warn: () => undefined })
  t.after(() => database.close())
  await database.script('select pg_sleep(0.4)')
  const said = await serverAdvice(database, { pooled: true })
  assert.match(said[0] ?? '', /^No SQL statement has a time limit/)
  assert.match(said[1] ?? '', /no synchronous standby/)
  await database.script(
    `alter role current_user in database ${new URL(url).pathname.slice(1)} set statement_timeout = '3s'`,
  )
  const again = await openDatabase({ at, statementTimeoutMs: 200, warn: () => undefined })
  t.after(() => again.close())
  assert.equal((await serverAdvice(again, { pooled: true })).length, 1)
})

test('a line whose connection breaks says so to all who waited in it, and goes on', onServer, async (t) => {
  const { database, url } = await open(t)
  const other = await another(t, url)
  const sleep = unlisted<object>('server.sleep_in_line', 'select pg_sleep(30)')
  const waiting = Promise.allSettled([1, 2, 3].map(() => database.inLine('one', sleep)))
  // The first goes alone, and the others follow on another connection. One that was killed may be seen for a moment longer.
  const killed = new Set<number>()
  while (killed.size < 2) {
    for (const { pid } of await other.rows(killSleeping)) killed.add(pid)
    await pause(10)
  }
  for (const end of await waiting) assert.ok(end.status === 'rejected' && isUnavailable(end.reason), String(end))
  assert.deepEqual(await database.inLine('one', one), { one: 1 })
})

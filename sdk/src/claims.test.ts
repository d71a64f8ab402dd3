// Every store under many senders at once, and with processes killed between the claim and the answer.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { startPostgres } from '../../scripts/private-postgres.ts'
import { missingRedis, privateRedis } from '../../server/src/tenancy/limits/fixtures/private-redis.ts'
import { secret, write } from './fixtures/sender.ts'
import { type OpenStore, openStore, pause, type StoreName } from './fixtures/stores.ts'
import { postgresClaims, receiver, redisClaims } from './index.ts'

type At = (t: TestContext) => Promise<string | undefined>

const STORES: Readonly<Record<StoreName, At>> = {
  memory: async () => '',
  sqlite: async (t) => path.join(folder(t), 'claims.sqlite'),
  postgresql: async (t) => {
    const server = await startPostgres({ durable: false })
    if (server !== undefined) t.after(() => server.stop())
    return server?.url
  },
  redis: async (t) => {
    if (missingRedis !== false) return undefined
    const server = await privateRedis()
    await server.start()
    t.after(() => server.stop())
    return server.url
  },
}

for (const name of Object.keys(STORES) as StoreName[]) {
  test(name, async (t) => {
    const at = await STORES[name](t)
    if (at === undefined) return t.skip(`there is no server of ${name} on this machine`)
    await t.test('each verb is one step', (t) => eachVerb(t, name, at))
    await t.test('many at once perform each write once', (t) => manyAtOnce(t, name, at))
    await t.test('the writes of a workspace are listed', (t) => listed(t, name, at))
    await t.test('a transaction keeps its effect and its answer, or neither', (t) => transactions(t, name, at))
    if (name !== 'memory') await t.test('processes are killed between claim and answer', (t) => killed(t, name, at))
  })
}

async function eachVerb(t: TestContext, name: StoreName, at: string): Promise<void> {
  const { claims } = await opened(t, name, at)
  const [one, other] = [
    { holder: 'one', leaseMs: 60_000, takeOver: true },
    { holder: 'other', leaseMs: 60_000, takeOver: true },
  ]
  const reply = { status: 200, body: '{"ünï":"ქ"}' }
  assert.equal(await claims.claim('k', one), 'claimed')
  assert.equal(await claims.claim('k', other), 'in_flight')
  assert.equal(await claims.answer('k', 'other', reply), false, 'only the holder answers')
  await claims.release('k', 'other')
  await claims.abandon('k', 'other')
  assert.equal(await claims.claim('k', other), 'in_flight')
  await claims.release('k', 'one')
  assert.equal(await claims.claim('k', one), 'claimed', 'released is as if it had never come')
  await claims.abandon('k', 'one')
  assert.equal(await claims.claim('k', { ...other, takeOver: false }), 'in_flight', 'left, and not to be taken over')
  assert.equal(await claims.claim('k', other), 'taken_over')
  assert.equal(await claims.answer('k', 'one', reply), false, 'no longer its holder')
  assert.equal(await claims.answer('k', 'other', reply), true)
  assert.equal(await claims.answer('k', null, { status: 500, body: '' }), false, 'what is answered stays')
  await claims.release('k', 'other')
  await claims.abandon('k', 'other')
  assert.deepEqual(await claims.claim('k', one), { answered: reply })
  assert.equal(await claims.claim('short', { ...one, leaseMs: 1 }), 'claimed')
  await pause(30)
  assert.equal(await claims.claim('short', other), 'taken_over', 'a lease runs out')
  assert.equal(await claims.answer('short', null, { status: 204, body: '' }), true, 'a person may answer')
  assert.deepEqual(await claims.claim('short', one), { answered: { status: 204, body: '' } })
  const racing = Array.from({ length: 40 }, (_, place) => claims.claim('raced', { ...one, holder: `h${place}` }))
  assert.equal((await Promise.all(racing)).filter((claimed) => claimed === 'claimed').length, 1)
  await claims.abandon('raced', 'nobody')
}

async function listed(t: TestContext, name: StoreName, at: string): Promise<void> {
  const { claims } = await opened(t, name, at)
  if (claims.list === undefined) return t.skip(`${name} lists no claims`)
  const began = new Date(Date.now() - 60_000)
  const terms = { holder: 'one', leaseMs: 60_000, takeOver: true }
  const [refund, mail] = [
    { tenantId: 41, tool: 'refund' },
    { tenantId: 41, tool: 'mail' },
  ]
  await claims.claim('act_2', { ...terms, write: mail })
  await claims.claim('act_1', { ...terms, write: refund })
  await claims.answer('act_1', 'one', { status: 200, body: '{"card":"4111"}' })
  await claims.claim('act_3', { ...terms, write: { tenantId: 42, tool: 'refund' } })
  await claims.claim('evt_1', terms)
  await claims.transaction?.('act_4', () => ({ status: 409, body: '' }), refund)
  const asked = { tenantId: 41, since: began, after: '', limit: 10 }
  const all = await claims.list(asked)
  const performed = claims.transaction === undefined ? [] : [['act_4', 'refund', 409]]
  assert.deepEqual(
    all.map(({ key, tool, status }) => [key, tool, status]),
    [['act_1', 'refund', 200], ['act_2', 'mail', null], ...performed],
  )
  for (const { claimedAt } of all) assert.ok(claimedAt >= began && claimedAt.getTime() <= Date.now() + 1_000)
  assert.deepEqual(await claims.list({ ...asked, limit: 1 }), all.slice(0, 1))
  assert.deepEqual(await claims.list({ ...asked, after: 'act_1' }), all.slice(1))
  assert.deepEqual(await claims.list({ ...asked, since: new Date(Date.now() + 60_000) }), [])
  if (name === 'postgresql') {
    const pool = new pg.Pool({ connectionString: at, max: 1 })
    t.after(() => pool.end())
    await pool.query('alter table tether_claims rename to of_now')
    await pool.query('create table tether_claims as select * from of_now')
    await pool.query('alter table tether_claims drop column tenant_id, drop column tool')
    await postgresClaims(pool).setUp()
    assert.deepEqual(
      (await claims.list(asked)).map(({ key, tool }) => [key, tool]),
      ['act_1', 'act_2', 'act_3', 'act_4'].map((key) => [key, null]),
      'a table of before has the columns by now, and says of no write whose it is',
    )
    await pool.query('drop table tether_claims')
    await pool.query('alter table of_now rename to tether_claims')
  }
  // Taken over by another version or not: it is the same write, claimed when it first came.
  await claims.abandon('act_2', 'one')
  assert.equal(await claims.claim('act_2', { ...terms, holder: 'other', write: mail }), 'taken_over')
  assert.deepEqual(await claims.list(asked), all)
}

async function manyAtOnce(t: TestContext, name: StoreName, at: string): Promise<void> {
  const store = await opened(t, name, at)
  const effects = new Map<string, number>()
  const tools = receiver<unknown>({
    secret,
    claims: store.claims,
    tools: {
      outside: async ({ request_id }) => {
        await pause()
        effects.set(request_id, (effects.get(request_id) ?? 0) + 1)
        await pause()
        return { done: request_id }
      },
      ...(store.inTransaction === undefined ? {} : { inside: store.inTransaction }),
    },
  })
  const kinds = ['outside', ...(store.inTransaction === undefined ? [] : ['inside'])]
  const writes = kinds.flatMap((tool) => Array.from({ length: 30 }, (_, place) => write(tool, {}, `${tool}-${place}`)))
  const sends = writes.flatMap((one) => [one, one, one, one])
  const answers = await Promise.all(sends.map((one) => tools.answer(one)))
  for (const { status } of answers) assert.ok(status === 200 || status === 409, `answered ${status}`)
  for (const one of writes) assert.equal((await tools.answer(one)).status, 200)
  const kept = new Map([...effects, ...(await store.effects())])
  assert.equal(
    [...kept.values()].reduce((sum, times) => sum + times, 0),
    writes.length,
  )
}

async function transactions(t: TestContext, name: StoreName, at: string): Promise<void> {
  const store = await opened(t, name, at)
  const { inTransaction } = store
  if (inTransaction === undefined) return
  let turn = 0
  const tools = receiver<unknown>({
    secret,
    onError: () => undefined,
    claims: store.claims,
    tools: {
      inside: {
        transaction(call, transaction) {
          const done = inTransaction.transaction(call, transaction)
          const end = () => {
            turn++
            if (turn === 1) throw new Error('the line was cut')
            if (turn === 2) throw Object.assign(new Error('no'), {})
            return done
          }
          return done instanceof Promise ? done.then(end) : end()
        },
      },
    },
  })
  const one = write('inside', {}, `tx-${name}`)
  const effects = async () => (await store.effects()).get(`tx-${name}`) ?? 0
  for (const expected of [429, 429]) {
    assert.equal((await tools.answer(one)).status, expected, 'it is certain that nothing was applied')
    assert.equal(await effects(), 0)
  }
  assert.deepEqual(await tools.answer(one), { status: 200, body: `{"done":"tx-${name}"}` })
  assert.deepEqual(await tools.answer(one), { status: 200, body: `{"done":"tx-${name}"}` })
  assert.equal(await effects(), 1)
}

/** Two processes with one store, each killed and started again, while every write is sent until it is settled. */
async function killed(t: TestContext, name: StoreName, at: string): Promise<void> {
  const file = path.join(folder(t), 'effects')
  writeFileSync(file, '')
  const start = () => startShop(name, at, file)
  const shops = await Promise.all([start(), start()])
  t.after(() => {
    for (const { child } of shops) child.kill('SIGKILL')
  })
  const kinds = ['outside', 'recovered', ...(name === 'redis' ? [] : ['inside'])]
  const keys = kinds.flatMap((kind) => Array.from({ length: 40 }, (_, place) => `${kind}-killed-${place}`))
  const settled = new Map<string, string>()
  let killing = true
  const kills = async () => {
    for (let round = 0; round < 6; round++) {
      await pause(60)
      const seat = round % 2
      shops[seat]?.child.kill('SIGKILL')
      shops[seat] = await start()
    }
    killing = false
  }
  const send = async (key: string, place: number) => {
    const [kind = ''] = key.split('-')
    // However long the kills took, it is sent again for a while after them.
    for (let [turn, after] = [0, 0]; after < 2_000; turn++) {
      const said = await ask(shops[(place + turn) % 2]?.url ?? '', kind, key)
      if (said?.status === 200) settled.set(key, said.text)
      // What was claimed by a process that died is in flight for as long as nobody says what became of it.
      if (said !== undefined && !killing && (said.status === 200 || kind === 'outside')) return
      if (!killing) after++
      await pause(10)
    }
  }
  await Promise.all([kills(), ...keys.map(send)])
  const store = await opened(t, name, at)
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const effects = [...lines, ...[...(await store.effects())].flatMap(([key, times]) => Array<string>(times).fill(key))]
  const times = (key: string) => effects.filter((one) => one === key).length
  assert.deepEqual(
    keys.filter((key) => times(key) > 1),
    [],
    'performed twice',
  )
  assert.deepEqual(
    [...settled.keys()].filter((key) => times(key) !== 1),
    [],
    'told done, and was not',
  )
  const open = keys.filter((key) => !settled.has(key))
  assert.deepEqual(
    open.filter((key) => !key.startsWith('outside')),
    [],
    'left open although somebody could have known',
  )
  assert.ok(settled.size > keys.length / 2)
}

type Shop = { readonly child: ChildProcess; readonly url: string }

async function startShop(name: StoreName, at: string, file: string): Promise<Shop> {
  const program = path.join(import.meta.dirname, 'fixtures/serve-writes.ts')
  const child = spawn(process.execPath, [program, name, at, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { child, url: String(line).trim() }
}

async function ask(url: string, kind: string, key: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const answer = await fetch(url, { method: 'POST', ...write(kind, {}, key), signal: AbortSignal.timeout(60_000) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return undefined
  }
}

async function opened(t: TestContext, name: StoreName, at: string): Promise<OpenStore> {
  const store = await openStore(name, at)
  t.after(() => store.close())
  return store
}

function folder(t: TestContext): string {
  const made = mkdtempSync(path.join(tmpdir(), 'tether-claims-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('a client of ioredis, and a function, are spoken to in their own way', async () => {
  const seen: unknown[] = []
  const told = async (...words: unknown[]) => {
    seen.push(words)
    return ['claimed']
  }
  const terms = { holder: 'h', leaseMs: 1000, takeOver: false }
  assert.equal(
    await redisClaims({ call: told, sendCommand: () => assert.fail() } as never).claim('k', terms),
    'claimed',
  )
  assert.equal(await redisClaims((command) => told(...command), { prefix: 'shop:' }).claim('k', terms), 'claimed')
  const [first, second] = seen as string[][]
  assert.deepEqual([first?.[0], first?.slice(2)], ['EVAL', ['1', 'tether:claim:k', 'h', '1000', '0']])
  assert.deepEqual(second?.slice(2), ['1', 'shop:k', 'h', '1000', '0'])
})

test('in SQLite, work that waits is refused before it does anything, or rolled back', async (t) => {
  const { claims } = await opened(t, 'sqlite', ':memory:')
  const asynchronous = { inside: { transaction: async () => 1 } }
  assert.throws(() => receiver<unknown>({ secret, claims, tools: asynchronous }), /must not be async/)
  const faults: unknown[] = []
  const onError = (error: unknown) => faults.push(error)
  const tools = receiver<unknown>({
    secret,
    claims,
    onError,
    tools: { inside: { transaction: () => Promise.resolve(1) } },
  })
  assert.equal((await tools.answer(write('inside', {}))).status, 429)
  assert.match(String(faults[0]), /must not wait/)
})

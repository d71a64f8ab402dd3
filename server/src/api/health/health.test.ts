import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { openKeyring } from '../../kernel/crypto/index.ts'
import { checkSentinel } from '../../tenancy/tenants/index.ts'
import { openReadiness } from './index.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
  await checkSentinel(house.app.house)
})
after(async () => await house.close())

const HOLDS = { database: true, schema: true, keys: true }

test('an instance is ready until it begins to stop; it is up all the while', async () => {
  const stopping = await openHouse({ beside: house })
  const ready = await stopping.ask('GET', '/ready')
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready', checks: { ...HOLDS, accepting: true } }])
  stopping.app.drain()
  const draining = await stopping.ask('GET', '/ready')
  assert.deepEqual(
    [draining.status, draining.body],
    [503, { status: 'not_ready', checks: { ...HOLDS, accepting: false } }],
  )
  assert.equal((await stopping.ask('GET', '/health')).status, 200)
  await stopping.close()
})

test('a schema that lacks something, and keys of another installation, are named', async () => {
  const { db, keyring, clock } = house.app.house
  const others = openKeyring({ key: Buffer.alloc(32, 7).toString('base64'), previous: [] })
  const look = async (schemaFits: () => Promise<boolean>, keys = keyring) =>
    await openReadiness({ db, keyring: keys, clock, schemaFits }).look()
  assert.deepEqual(await look(async () => false), { ...HOLDS, schema: false, accepting: true })
  assert.deepEqual(await look(() => Promise.reject(new Error('no'))), { ...HOLDS, schema: false, accepting: true })
  assert.deepEqual(await look(async () => true, others), { ...HOLDS, keys: false, accepting: true })
})

test('however often it is asked, the database is asked once a second, and not while it owes an answer', async () => {
  let now = 1_000
  let asked = 0
  let answer: (fits: boolean) => void = () => undefined
  const { db, keyring } = house.app.house
  const readiness = openReadiness({
    db,
    keyring,
    clock: { ...house.app.house.clock, now: () => now },
    schemaFits: () => {
      asked++
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  const first = [readiness.look(), readiness.look()]
  while (asked === 0) await new Promise((turned) => setImmediate(turned))
  now += 60_000
  const late = readiness.look()
  answer(true)
  assert.deepEqual(new Set((await Promise.all([...first, late])).map(({ schema }) => schema)), new Set([true]))
  assert.equal(asked, 1)
  // That look began a minute ago, so it is old as soon as it has ended.
  const next = readiness.look()
  while (asked === 1) await new Promise((turned) => setImmediate(turned))
  answer(false)
  assert.equal((await next).schema, false)
  now += 999
  assert.equal((await readiness.look()).schema, false)
  assert.equal(asked, 2)
})

test('a database that owes its answer keeps nobody waiting: what was seen last holds for a while, and then nothing does', {
  timeout: 20_000,
}, async () => {
  let now = 1_000
  let isSilent = false
  const { db, keyring } = house.app.house
  const clock = { ...house.app.house.clock, now: () => now }
  const silence = () => (isSilent ? new Promise<never>(() => undefined) : Promise.resolve(true))
  const readiness = openReadiness({ db, keyring, clock, schemaFits: silence })
  assert.equal((await readiness.look()).schema, true)
  isSilent = true
  now += 1_500
  assert.deepEqual(await readiness.look(), { ...HOLDS, accepting: true }, 'it may only be slow')
  now += 2_000
  const nothing = { database: false, schema: false, keys: false, accepting: true }
  assert.deepEqual(await readiness.look(), nothing)
})

test('the log has no line of a look that found all well, because a balancer looks every second', async () => {
  const stopping = await openHouse({ beside: house })
  const linesOf = async (path: string) => {
    const before = stopping.logged.length
    const { status } = await stopping.ask('GET', path)
    return [status, stopping.logged.slice(before).filter((line) => line.includes('"msg":"request"')).length]
  }
  assert.deepEqual(await linesOf('/ready'), [200, 0])
  assert.deepEqual(await linesOf('/health'), [200, 0])
  stopping.app.drain()
  assert.deepEqual(await linesOf('/ready'), [503, 1])
  assert.deepEqual(await linesOf('/openapi'), [200, 1])
  await stopping.close()
})

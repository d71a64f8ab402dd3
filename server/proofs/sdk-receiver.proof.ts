// The storms of the reliability card with the SDK's receiver as the endpoint, on each store that it claims in: performed twice 0.
//
//   npm run prove -- sdk-receiver        SDK_ACTIONS=… for more of it, CARD_SEED=… to repeat its choices
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { type Claims, memoryClaims, postgresClaims, type RedisClient, redisClaims, sqliteClaims } from '@tether/sdk'
import pg from 'pg'
import { createClient } from 'redis'
import { missingRedis, privateRedis } from '../src/tenancy/limits/fixtures/private-redis.ts'
import { say, secondsSince, seed } from './card/form.ts'
import { moody } from './card/moods.ts'
import { openPostgres } from './card/postgres.ts'
import { openScene, type Scene, warmUp } from './card/scene.ts'
import { type Effects, openSdkReceiver } from './card/sdk-receiver.ts'
import { operatorKey, STORMY } from './card/settings.ts'
import { openShop } from './card/shop.ts'
import { killing, mixed } from './card/storm.ts'
import { none } from './card/verdict.ts'
import { type Outcome, weather } from './card/weather.ts'

process.setMaxListeners(100)
const timeout = 900_000
const actions = Number(process.env.SDK_ACTIONS ?? 160)
const kills = Math.ceil(actions / 60)

type Store = Effects & { readonly performed?: () => Promise<ReadonlyMap<string, number>> }
type Open = (t: TestContext, url: string, directory: string) => Promise<Store | undefined>

const STORES: Readonly<Record<string, Open>> = {
  memory: async () => ({ claims: memoryClaims() }),
  sqlite: async (t, _url, directory) => {
    const database = new DatabaseSync(path.join(directory, 'claims.sqlite'), { timeout: 20_000 })
    t.after(() => database.close())
    return { claims: sqliteClaims(database) }
  },
  redis: async (t) => {
    if (missingRedis !== false) return undefined
    const server = await privateRedis()
    await server.start()
    const client = createClient({ url: server.url, RESP: 2, maintNotifications: 'disabled' })
    await client.connect()
    t.after(async () => {
      client.destroy()
      await server.stop()
    })
    return { claims: redisClaims(client as RedisClient) }
  },
  postgresql: async (t, url) => {
    const { claims } = await openPool(t, url)
    return { claims }
  },
  'postgresql, in one transaction': async (t, url) => {
    const { claims, pool } = await openPool(t, url)
    await pool.query('create table effects (request_id text not null)')
    return {
      claims,
      async inTransaction(transaction, requestId) {
        await (transaction as pg.PoolClient).query('insert into effects values ($1)', [requestId])
      },
      async performed() {
        const { rows } = await pool.query('select request_id, count(*)::int as times from effects group by 1')
        return new Map(rows.map(({ request_id, times }) => [request_id, times]))
      },
    }
  },
}

test('the storms of the card, received by the SDK', { timeout }, async (t) => {
  const postgres = await openPostgres()
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => postgres.stop())
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-sdk-storm-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const url = await postgres.database('card')
  await warmUp({ url, directory })
  const scene = await openScene({ url, seats: 3, directory, settings: STORMY })
  t.after(() => scene.close())
  for (const [name, open] of Object.entries(STORES)) {
    await t.test(name, { timeout }, async (t) => {
      const store = await open(t, await postgres.database(`shop_${Object.keys(STORES).indexOf(name)}`), directory)
      if (store === undefined) return t.skip('There is no redis-server here.')
      const { verdict, unknown } = await stormOn(t, scene, name, store)
      assert.deepEqual(verdict.violations, none(), verdict.examples.join('\n'))
      assert.ok(unknown > 0, 'the storm left nothing unknown: it was none')
    })
  }
  await t.test('a store that claims nothing is caught', { timeout }, async (t) => {
    const { verdict } = await stormOn(t, scene, 'claims nothing', { claims: FORGETFUL })
    assert.ok(verdict.violations.performedTwice > 0)
  })
})

/** Says yes to everybody, and remembers nobody. */
const FORGETFUL: Claims = {
  claim: async () => 'claimed',
  answer: async () => true,
  release: async () => undefined,
  abandon: async () => undefined,
}

async function stormOn(t: TestContext, scene: Scene, name: string, store: Store): Promise<Outcome> {
  const start = performance.now()
  const { fleet, random } = scene
  const receiver = await openSdkReceiver(moody(seed), store)
  t.after(() => receiver.close())
  const shops = await Promise.all([0, 1, 2].map(() => openShop(fleet, operatorKey, receiver.url)))
  for (const shop of shops) receiver.admit(shop)
  const { performed } = store
  const settled = async () => {
    if (performed !== undefined) receiver.recount(await performed())
  }
  const blows = mixed(random, [kills, killing(fleet, random)])
  const outcome = await weather(scene, { shops, receiver, actions, blows, killsAfter: 1, settled })
  const { verdict, unknown, naiveDoubles, reconciles } = outcome
  const { violations, facts } = verdict
  say(`sdk: ${name}`, {
    actions,
    kills,
    unknown,
    reconciles,
    naiveDoubles,
    ...facts,
    violations,
    seconds: secondsSince(start),
  })
  return outcome
}

async function openPool(t: TestContext, url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  pool.on('error', () => undefined)
  t.after(() => pool.end())
  const claims = postgresClaims(pool)
  await claims.setUp()
  return { pool, claims }
}

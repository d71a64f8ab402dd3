// Citus grows while the service writes: a worker is added, shards are moved to it, and one large tenant gets a shard of its own, which is
// moved as well. Nothing is lost, nothing is performed twice, and the longest pause is printed.
//
//   npm run prove -- citus      CITUS_ACTIONS=… for a longer storm
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { type PrivateCitus, startCitus } from '../../scripts/private-citus.ts'
import { type Database, openDatabase, unlisted } from '../src/kernel/db/index.ts'
import { addWorker } from '../testkit/citus.ts'
import { everywhere, urlOf } from '../testkit/server-admin.ts'
import type { Fleet } from './card/fleet.ts'
import { patienceMs, say, secondsSince } from './card/form.ts'
import { fillOnCitus, openChecked } from './card/postgres.ts'
import { openReceiver } from './card/receiver.ts'
import { openScene } from './card/scene.ts'
import { operatorKey } from './card/settings.ts'
import { confirmAll, reconcileAll } from './card/settle.ts'
import { openShop, type Shop, stage } from './card/shop.ts'
import { confirm, type Told } from './card/storm.ts'
import { judge, lookAt, none } from './card/verdict.ts'
import { weather } from './card/weather.ts'

const timeout = 600_000
const ACTIONS = Number(process.env.CITUS_ACTIONS ?? 400)
/** Numbers that no order of the storm has. */
const FIRST_OF_PULSE = 1_000_000
const SEATS = 2

test('a worker is added, and a large tenant isolated and moved, while writes go on', { timeout }, async (t) => {
  const citus = await startCitus({ workers: 3 })
  if (citus === undefined) return t.skip('No PostgreSQL here has Citus: docs/scale.md says how to build it.')
  const directory = mkdtempSync(join(tmpdir(), 'tether-citus-'))
  const [url, added] = await databaseWithout(citus)
  const scene = await openScene({ url, seats: SEATS, directory, settings: { 'Database:DividedByTenant': 'true' } })
  const admin = await openDatabase({ at: { url, poolSize: 1, prepared: true }, statementTimeoutMs: 0, warn: () => {} })
  const receiver = await openReceiver()
  t.after(async () => {
    await receiver.close()
    await scene.close()
    await admin.close()
    await citus.stop()
    rmSync(directory, { recursive: true })
  })
  const { fleet, db } = scene
  const open = () => openShop(fleet, operatorKey, receiver.url)
  const [large, ...shops] = [await open(), await open(), await open(), await open()]
  const pulse = startPulse(fleet, large)
  const start = performance.now()
  const steps: Step[] = []
  const step = (name: string, work: () => Promise<void>) => async () => {
    const since = performance.now()
    await work()
    steps.push({ name, seconds: secondsSince(since), pauseMs: pulse.longestSince(since) })
  }
  const blows = [
    step('no step', () => new Promise((resolve) => setTimeout(resolve, 5_000))),
    step('add a worker', () => addWorker(admin, added)),
    step('rebalance', () => admin.script('select rebalance_table_shards()')),
    step('isolate the tenant', () => isolate(admin, large)),
    step('move its shard', () => moveTo(admin, large, added)),
  ]
  const outcome = await weather(scene, { shops, receiver, actions: ACTIONS, blows, killsAfter: 0 })
  const pulsed = await pulse.finish()
  const settling = { fleet, told: pulsed, look: lookAt(db), withinMs: patienceMs }
  await confirmAll(settling)
  await reconcileAll(settling)
  const { verdict } = outcome
  const ofPulse = await judge(db, pulsed, receiver)
  const { url: home } = (await db.one(placeOf, { tenantId: large.tenantId })) ?? {}
  say('citus', {
    writes: ACTIONS + pulsed.length,
    unknown: outcome.unknown,
    steps,
    failed: fleet.figures.faults.length,
    facts: verdict.facts,
    violations: verdict.violations,
    violationsOfMoved: ofPulse.violations,
    seconds: secondsSince(start),
  })
  assert.deepEqual(verdict.violations, none(), verdict.examples.join('\n'))
  assert.deepEqual(ofPulse.violations, none(), ofPulse.examples.join('\n'))
  assert.equal(home, new URL(added).host)
  assert.deepEqual([fleet.figures.hung, fleet.endedAlone()], [0, 0])
  // Missed in the run that docs/scale.md reports: four requests were answered 500, and the reason is not known yet.
  assert.deepEqual(fleet.figures.faults, [])
})

type Step = { readonly name: string; readonly seconds: number; readonly pauseMs: number }

/** A database on the coordinator and all workers but the last, which has only an empty one; its address, and that of the last worker. */
async function databaseWithout({ url, workers }: PrivateCitus): Promise<[url: string, added: string]> {
  const name = 'grows'
  const added = workers.at(-1) ?? assert.fail('there is no worker')
  await everywhere(url, `create database ${name}`, workers)
  await everywhere(urlOf(added, `/${name}`), 'create extension citus', [])
  for (const node of [url, ...workers]) await allowDecoding(node)
  await fillOnCitus(urlOf(url, `/${name}`), workers.slice(0, -1))
  return [urlOf(url, `/${name}`), urlOf(added, `/${name}`)]
}

type Pulse = {
  /** The longest that a write of this tenant took which was not over at this time: staged, confirmed, performed. */
  longestSince(start: number): number
  finish(): Promise<Told[]>
}

/** Writes of one tenant without a break. */
function startPulse(fleet: Fleet, shop: Shop): Pulse {
  const told: Told[] = []
  const writes: { start: number; end: number }[] = []
  let isOver = false
  let number = FIRST_OF_PULSE
  const beat = async (): Promise<void> => {
    while (!isOver) {
      const start = performance.now()
      const write = { start, end: Number.POSITIVE_INFINITY }
      writes.push(write)
      const { actionId } = await stage(fleet, number, shop, { tool: 'refund_order', number: number++ })
      const one: Told = { shop, actionId, confirmKey: undefined, confirmed: [], reconciled: [], reconciles: 0 }
      told.push(one)
      await confirm(fleet, number, one)
      write.end = performance.now()
    }
  }
  const beats = Promise.all(Array.from({ length: 4 }, beat))
  beats.catch(() => undefined)
  return {
    longestSince(start) {
      const now = performance.now()
      const took = writes.filter(({ end }) => end > start).map((write) => Math.min(write.end, now) - write.start)
      return Math.round(Math.max(0, ...took))
    },
    async finish() {
      isOver = true
      await beats
      return told
    },
  }
}

const placeOf = unlisted<{ shard: number; url: string }, { tenantId: number }>(
  'proof.place_of_tenant',
  `select shardid::int as shard, nodename || ':' || nodeport as url from citus_shards
    where table_name = 'tenants'::regclass and shardid = get_shard_id_for_distribution_column('tenants', $tenantId::int)`,
)

const knowsPlugins = unlisted<{ name: string }>(
  'proof.knows_plugins',
  `select name from pg_settings where name = 'output_plugin_libraries'`,
)

/** Newer minor releases of PostgreSQL list the libraries that may decode the log, and splitting a shard needs that of Citus. */
async function allowDecoding(node: string): Promise<void> {
  const db = await openChecked(node)
  if ((await db.one(knowsPlugins)) !== undefined)
    await db.script(`alter system set output_plugin_libraries = 'pgoutput', 'citus'`)
  await db.script('select pg_reload_conf()').finally(() => db.close())
}

/** The writes of its shard wait meanwhile: without that, Citus 13.2.2 stops for good at the first update (docs/scale.md). */
const isolate = (db: Database, { tenantId }: Shop): Promise<void> =>
  db.script(
    `select isolate_tenant_to_new_shard('tenants', ${tenantId}, 'CASCADE', shard_transfer_mode => 'block_writes')`,
  )

async function moveTo(db: Database, { tenantId }: Shop, worker: string): Promise<void> {
  const { shard, url = '' } = (await db.one(placeOf, { tenantId })) ?? {}
  const [from, to] = [`http://${url}`, worker].map((address) => new URL(address))
  if (from?.host === to?.host) return
  await db.script(
    `select citus_move_shard_placement(${shard}, '${from?.hostname}', ${from?.port}, '${to?.hostname}', ${to?.port})`,
  )
}

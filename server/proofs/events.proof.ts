// Events, in bad weather: nothing is lost, nothing overtakes, one dead receiver is alone with it, and an event exists exactly
// when its change does. On PostgreSQL, with the service as it is run.
//
//   npm run prove events               the short form
//   EVENTS=full npm run prove events   the one whose figures are published; EVENTS_SEED=… repeats its choices
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../src/kernel/db/index.ts'
import { openFleet } from './card/fleet.ts'
import { type CardPostgres, openChecked, openPostgres } from './card/postgres.ts'
import { compiled, operatorKey, SETTINGS } from './card/settings.ts'
import { killing } from './card/storm.ts'
import { crowd } from './events/crowd.ts'
import { deadReceiver } from './events/dead-receiver.ts'
import { form, PER_LANE, QUICK, say, seed, timeout } from './events/form.ts'
import { openProofApp, openTenant, spoiled } from './events/house.ts'
import { announce, judge, leftIn, untilSettled } from './events/queue.ts'
import { type Mood, openReceiver } from './events/receiver.ts'
import { rolledBack } from './events/rolled-back.ts'
import { type Random, randomOf } from './fuzz/random.ts'

process.setMaxListeners(100)
const TENANTS = 5

test('events', { timeout }, async (t) => {
  const postgres = await openPostgres()
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => postgres.stop())
  await t.test('R10: kills, and a receiver that fails, hangs and restarts', { timeout }, (t) => kills(t, postgres))
  await t.test('R10: the mutant that only skips what is locked is caught', { timeout }, (t) => mutant(t, postgres))
  await t.test('R11: one dead receiver among a hundred', { timeout }, async (t) => {
    if (process.env.EVENTS_TIMED === 'no') return t.skip('EVENTS_TIMED=no: a machine that others use measures nothing.')
    const db = await openOn(t, postgres, 'r11')
    const figures = await deadReceiver(db, form.rounds)
    say('R11', figures)
    assert.ok(figures.hanging > 0, 'nothing hung')
    // A tenth, or what one turn of a busy machine takes.
    assert.ok(figures.withDeadMs <= Math.max(figures.aloneMs * 1.1, figures.aloneMs + 10), JSON.stringify(figures))
  })
  await t.test('R11: a workspace that has a very long queue', { timeout }, async (t) => {
    const figures = await crowd(await openOn(t, postgres, 'r11_crowd'), form.crowd)
    say('R11', figures)
    assert.ok(figures.sent > 0 && figures.sent < figures.queued, 'the queue was being sent the whole time')
    assert.ok(figures.longestMs <= 3_000, JSON.stringify(figures))
  })
  await t.test('R12: an event exists exactly when its change committed', { timeout }, async (t) => {
    const figures = await rolledBack(await openOn(t, postgres, 'r12'), form.transitions, randomOf(seed, 12))
    say('R12', figures)
    assert.deepEqual([figures.phantom, figures.missing], [0, 0])
    assert.ok(figures.committed > 0 && figures.undone > 0)
  })
})

async function openOn(t: TestContext, postgres: CardPostgres, name: string): Promise<Database> {
  const db = await openChecked(await postgres.database(name))
  t.after(() => db.close())
  return db
}

/** 15 % errors, 7 % cut lines, 1 % silence. */
function weather(random: Random): () => Mood {
  return () => {
    const roll = random.next() * 100
    return roll < 15 ? 'error' : roll < 22 ? 'cut' : roll < 23 ? 'hang' : 'yes'
  }
}

async function kills(t: TestContext, postgres: CardPostgres): Promise<void> {
  const started = performance.now()
  const url = await postgres.database('r10')
  const db = await openChecked(url)
  const directory = mkdtempSync(join(tmpdir(), 'tether-events-'))
  const random = randomOf(seed, 10)
  const receiver = await openReceiver(weather(random))
  const settings = { ...SETTINGS, ...QUICK, 'Database:Url': url, ...compiled(directory) }
  const fleet = await openFleet({ seats: 3, settings, directory })
  t.after(async () => {
    await fleet.close()
    await receiver.close()
    await db.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const tenants: number[] = []
  for (let at = 0; at < TENANTS; at++) {
    const made = await fleet.insist(0, 'POST', '/v1/tenants', { key: operatorKey, body: { name: `Shop ${at}` } })
    const { tenantId, apiKey } = made.body as { tenantId: number; apiKey: string }
    await fleet.insist(0, 'PUT', '/v1/events/webhook', { key: apiKey, body: { url: receiver.url } })
    tenants.push(tenantId)
  }
  const kill = killing(fleet, random)
  for (let wave = 1; wave <= PER_LANE; wave++) {
    await announce(db, tenants, form.lanes, wave)
    for (let blow = 0; blow < form.kills / PER_LANE; blow++) {
      await pause(50 + random.next() * 300)
      await kill()
    }
    if (wave % 2 === 0) await receiver.restart(200)
  }
  await fleet.whole()
  // The weather stays as it is: only what still waits after long is let through.
  await untilSettled(db, 40_000)
  receiver.mood(() => 'yes')
  await untilSettled(db, 40_000)
  const judgement = judge(receiver.arrivals, form.lanes, PER_LANE)
  const left = await leftIn(db)
  const events = form.lanes * PER_LANE
  const seconds = Math.round((performance.now() - started) / 1000)
  say('R10', { processes: 3, events, kills: fleet.figures.kills, ...judgement, ...left, seconds })
  assert.deepEqual([judgement.lost, judgement.outOfOrder, judgement.otherBodies], [0, 0, 0])
  assert.deepEqual([left.waiting, left.undelivered, fleet.endedAlone()], [0, 0, 0])
  assert.ok(fleet.figures.kills >= form.kills && judgement.arrivals > events * 1.1, 'the weather was fair')
}

/** Without the look at who stands before: what a queue with `skip locked` alone does. */
const blind = (text: string): string => {
  const found = /exists \(\s*select 1 from outbox e[\s\S]+?\) as behind/
  assert.match(text, found, 'the statement is another one now: spoil it anew')
  return text.replace(found, 'false as behind')
}

async function mutant(t: TestContext, postgres: CardPostgres): Promise<void> {
  const db = await openOn(t, postgres, 'r10_mutant')
  const seen: Record<string, number> = {}
  for (const [name, database] of [
    ['sound', db],
    ['blind', spoiled(db, 'events.claim', blind)],
  ] as const) {
    const receiver = await openReceiver(weather(randomOf(seed, 11)))
    const app = openProofApp(database, QUICK)
    try {
      const tenants = [await openTenant(app, receiver.url)]
      app.startWork()
      for (let wave = 1; wave <= PER_LANE; wave++) await announce(db, tenants, form.mutantLanes, wave)
      await untilSettled(db, 60_000)
      seen[name] = judge(receiver.arrivals, form.mutantLanes, PER_LANE).outOfOrder
    } finally {
      await app.close()
      await receiver.close()
    }
  }
  say('R10', { mutant: 'skip locked alone', caught: (seen.blind ?? 0) > 0, ...seen })
  assert.equal(seen.sound, 0)
  assert.ok((seen.blind ?? 0) > 0, 'the mutant went unseen')
}

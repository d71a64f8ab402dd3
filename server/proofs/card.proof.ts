// The reliability card: what is promised of a confirmed write, tried on the real service, as figures.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { type Fleet, openFleet } from './card/fleet.ts'
import { form, patienceMs, say, secondsSince, seed, timeout } from './card/form.ts'
import { moody } from './card/moods.ts'
import { startPager } from './card/pager.ts'
import { openChecked, openPostgres } from './card/postgres.ts'
import { openReceiver } from './card/receiver.ts'
import { operatorKey, SETTINGS } from './card/settings.ts'
import { confirmAll, indeterminate, reconcileAll, reconcileTwice } from './card/settle.ts'
import { openShop } from './card/shop.ts'
import { killing, storm } from './card/storm.ts'
import { judge, lookAt, naiveDoubles, sumOf } from './card/verdict.ts'
import { randomOf } from './fuzz/random.ts'

test('dev', { timeout }, async (t) => {
  const start = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'tether-card-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await openPostgres()
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here.')
  t.after(() => postgres.stop())
  const url = await postgres.database('card')
  const db = await openChecked(url)
  t.after(() => db.close())
  const fleet = await openFleet({ seats: 3, settings: { ...SETTINGS, 'Database:Url': url }, directory })
  t.after(() => fleet.close())
  const receiver = await openReceiver(moody(seed))
  t.after(() => receiver.close())
  const shops = await Promise.all([1, 2, 3].map(() => openShop(fleet, operatorKey, receiver.url)))
  const random = randomOf(seed, 0)
  console.log('ready', secondsSince(start))
  const kill = killing(fleet, random)
  const told = await storm({
    fleet,
    shops,
    random,
    actions: form.r1.actions,
    blows: Array.from({ length: form.r1.kills }, () => kill),
  })
  console.log('stormed', secondsSince(start))
  await fleet.whole()
  const look = lookAt(db)
  await confirmAll({ fleet, told, look, withinMs: patienceMs })
  console.log('settled', secondsSince(start))
  const open = await indeterminate(told, look)
  const naive = naiveDoubles(receiver)
  const first = await judge(db, told, receiver)
  await Promise.all([reconcileTwice(fleet, open), kill()])
  await fleet.whole()
  receiver.play(() => ({ performs: 'first', answer: { status: 200, body: '{}' } }))
  const rounds = await reconcileAll({ fleet, told, look, withinMs: patienceMs })
  const v = await judge(db, told, receiver)
  say('R1', {
    open: open.length,
    naive,
    rounds,
    first,
    v,
    figures: fleet.figures,
    endedAlone: fleet.endedAlone(),
    seconds: secondsSince(start),
  })
})

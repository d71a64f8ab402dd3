// The reliability card: what is promised of a confirmed write, tried on the real service, and printed as figures.
//
//   npm run prove              the short form
//   CARD=full npm run prove    the one whose figures are published; CARD_SEED=… repeats its choices, CARD_PARTS=… runs some of it
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openSlackServer } from '../src/modules/channels/fixtures/slack-server.ts'
import { amending } from './card/amending.ts'
import { attempts } from './card/attempts.ts'
import { clicking } from './card/clicking.ts'
import { crashPoints } from './card/crash-points.ts'
import { deadline } from './card/deadline.ts'
import { embedded } from './card/embedded.ts'
import { form, runs, say, secondsSince, seed, timeout, timeoutOfMany } from './card/form.ts'
import { lateWriter } from './card/late-writer.ts'
import { lostAnswers, staleRelease, UNHURRIED } from './card/lost-answers.ts'
import { moody } from './card/moods.ts'
import { MUTANTS, type Mutant, seeMutant } from './card/mutants.ts'
import { startPager } from './card/pager.ts'
import { poison } from './card/poison.ts'
import { type CardPostgres, openPostgres } from './card/postgres.ts'
import { openReceiver } from './card/receiver.ts'
import { openScene, type Scene, warmUp } from './card/scene.ts'
import { operatorKey, STORMY } from './card/settings.ts'
import { openImportedShop, openShop } from './card/shop.ts'
import { shutdown } from './card/shutdown.ts'
import { killing, mixed } from './card/storm.ts'
import { none, sumOf, type Verdict } from './card/verdict.ts'
import { type Outcome, weather } from './card/weather.ts'

// Every process that is started asks to be told when this one ends.
process.setMaxListeners(100)

test('the reliability card', { timeout: timeoutOfMany, concurrency: 2 }, async (t) => {
  const onServer = runs('storms') || runs('single') || runs('slack')
  await Promise.all([
    onServer && t.test('on PostgreSQL, three processes', { timeout: timeoutOfMany }, onPostgres),
    runs('embedded') && t.test('on the embedded database, one process', { timeout }, onEmbedded),
  ])
})

async function onPostgres(t: TestContext): Promise<void> {
  const postgres = await openPostgres()
  if (postgres === undefined) return t.skip('There is no PostgreSQL server here: apt-get install postgresql.')
  t.after(() => postgres.stop())
  const directory = folder(t)
  const url = await postgres.database('card')
  await warmUp({ url, directory })
  if (runs('storms'))
    await t.test('storms', { timeout: timeoutOfMany }, (t) =>
      storms(t, postgres, { url, seats: 3, directory, settings: STORMY }),
    )
  if (runs('slack'))
    await t.test('R19: clicks of Slack', { timeout }, async (t) =>
      clicks(t, { url: await postgres.database('card_slack'), directory }),
    )
  if (!runs('single')) return
  await t.test('one thing at a time', { timeout: timeoutOfMany, concurrency: 2 }, async (t) => {
    const scene = await openScene({ url, seats: 3, directory })
    t.after(() => scene.close())
    await Promise.all([...single(t, scene), ...MUTANTS.map((mutant) => caught(t, mutant, { postgres, directory }))])
  })
}

async function onEmbedded(t: TestContext): Promise<void> {
  const start = performance.now()
  const { actions, kills } = form.embedded
  const { verdict, ...figures } = await embedded(folder(t), actions, kills)
  const { violations, facts } = verdict
  const sizes = { database: 'embedded', processes: 1, actions }
  say('R1', { ...sizes, ...figures, ...facts, violations, seconds: secondsSince(start) })
  clean(verdict)
  assert.deepEqual([figures.naiveDoubles, figures.faults], [0, []])
  assert.ok(figures.kills >= kills && figures.unknown > 0)
}

type Where = { readonly postgres: CardPostgres; readonly directory: string }

const caught = (t: TestContext, mutant: Mutant, { postgres, directory }: Where): Promise<void> =>
  t.test(`R4: the mutant ${mutant} is caught`, { timeout }, async () => {
    const start = performance.now()
    const seen = await seeMutant(postgres, directory, mutant)
    const violations = sumOf(seen)
    say('R4', { mutant, caught: violations > 0, ...seen, seconds: secondsSince(start) })
    assert.ok(violations > 0, `${mutant} went unseen`)
  })

async function storms(t: TestContext, postgres: CardPostgres, options: Parameters<typeof openScene>[0]): Promise<void> {
  const scene = await openScene(options)
  t.after(() => scene.close())
  const { fleet, db, random } = scene
  const kill = killing(fleet, random)
  // Two with a signed endpoint, and one that imported its API.
  const shopsAt = (endpoint: string) =>
    Promise.all([openShop, openShop, openImportedShop].map((open) => open(fleet, operatorKey, endpoint)))

  await t.test('R1, R3, R13: kills', { timeout }, async (t) => {
    const start = performance.now()
    const receiver = await openReceiver(moody(seed))
    t.after(() => receiver.close())
    const shops = await shopsAt(receiver.url)
    const pager = startPager(fleet, shops)
    const { actions, kills } = form.r1
    const blows = mixed(random, [kills, kill])
    const outcome = await weather(scene, { shops, receiver, actions, blows, killsAfter: 2 }).finally(() => pager.halt())
    sayStorm('R1', { database: 'postgresql', processes: 3, actions, kills: fleet.figures.kills }, outcome, start)
    const { unknown, reconciles, rounds, sendsAfterwards } = outcome
    say('R3', {
      unknown,
      reconciles,
      rounds,
      leftIndeterminate: outcome.verdict.violations.leftIndeterminate,
      sendsAfterwards,
      seconds: secondsSince(start),
    })
    const paged = await pager.finish(db)
    say('R13', { ...paged, seconds: secondsSince(start) })
    stormHeld(scene, outcome)
    assert.deepEqual([paged.missed, paged.wrong, paged.filesOther, paged.chainsBroken], [0, 0, 0, 0])
    assert.ok(paged.events > actions && paged.filesTwice > shops.length)
  })

  await t.test('R2: power cuts', { timeout }, async (t) => {
    const start = performance.now()
    const receiver = await openReceiver(moody(seed + 1))
    t.after(() => receiver.close())
    const { actions, kills, cuts } = form.r2
    const before = fleet.figures.kills
    const blows = mixed(random, [kills, kill], [cuts, () => postgres.cutPower()])
    const shops = await shopsAt(receiver.url)
    const outcome = await weather(scene, { shops, receiver, actions, blows, killsAfter: 1 })
    sayStorm('R2', { actions, kills: fleet.figures.kills - before, cuts }, outcome, start)
    stormHeld(scene, outcome)
  })
}

/** Whoever clicks decides as whoever confirms: beside each other, beside what is amended, and under kills. */
async function clicks(t: TestContext, { url, directory }: { readonly url: string; readonly directory: string }) {
  const start = performance.now()
  const slack = await openSlackServer()
  t.after(() => slack.close())
  const settings = { ...STORMY, 'Notifications:Slack:ApiUrl': slack.url }
  const scene = await openScene({ url, seats: 3, directory, settings })
  t.after(() => scene.close())
  const { examples, ...figures } = await clicking(scene, slack, form.r19)
  say('R19', { ...figures, faults: figures.faults.length, seconds: secondsSince(start) })
  const { performedTwice, notApproved, lost, leftOpen, staleMessages, faults } = figures
  assert.deepEqual([performedTwice, notApproved, lost, leftOpen, staleMessages], [0, 0, 0, 0, 0], examples.join('\n'))
  assert.deepEqual(faults, [])
  assert.ok(figures.kills >= form.r19.kills && figures.clicks > form.r19.actions)
  assert.ok(figures.executedBySlack > 0 && figures.amended > 0 && figures.rejected > 0)
}

type One = (name: string, work: (start: number) => Promise<void>) => Promise<void>

/** What people decide at the same moment, or at the last one. */
function decided(one: One, scene: Scene): Promise<void>[] {
  return [
    one('R8: at the deadline', async (start) => {
      const { otherTrails, toldWrong, ...figures } = await deadline(scene, form.r8)
      say('R8', {
        ...figures,
        otherTrails: otherTrails.length,
        toldWrong: toldWrong.length,
        seconds: secondsSince(start),
      })
      assert.deepEqual([otherTrails, toldWrong], [[], []])
      assert.deepEqual([figures.ranLate, figures.sentWrong], [0, 0])
      assert.ok(figures.executed > 0 && figures.rejected > 0 && figures.expired > 0 && figures.superseded > 0)
    }),
    one('R18: changed while it is confirmed', async (start) => {
      const { lost, wrong, ...figures } = await amending(scene, form.r18)
      say('R18', { ...figures, lost: lost.length, wrong: wrong.length, seconds: secondsSince(start) })
      assert.deepEqual([lost, wrong], [[], []])
      assert.ok(figures.changed > 0 && figures.ranUnchanged > 0)
      assert.equal(figures.ranChanged, figures.changed)
      assert.equal(figures.changed + figures.ranUnchanged + figures.rejected, figures.actions)
    }),
  ]
}

function single(t: TestContext, scene: Scene): Promise<void>[] {
  const one: One = (name, work) => t.test(name, { timeout }, () => work(performance.now()))
  return [
    ...decided(one, scene),
    one('R5: answers of the database are lost', async (start) => {
      const { verdict, ...figures } = await lostAnswers(scene, { losses: ['unasked', 'cut'], times: form.r5 })
      const stale = await staleRelease(scene, await scene.beside(UNHURRIED), form.r5)
      const violations = sumOf(verdict.violations) + sumOf(stale.verdict.violations) + stale.naiveDoubles
      say('R5', { ...figures, violations, seconds: secondsSince(start) })
      clean(verdict)
      clean(stale.verdict)
      assert.deepEqual([stale.naiveDoubles, figures.hung], [0, 0])
    }),
    one('R5: a line that falls silent', async (start) => {
      const statements = ['actions.claim', 'actions.succeed']
      const settings = { 'Database:StatementTimeoutSeconds': '1' }
      const silent = { losses: ['mute'], times: 1, statements, settings, patienceMs: 12_000 } as const
      const { verdict, ...figures } = await lostAnswers(scene, silent)
      say('R5', { silent: true, ...figures, violations: sumOf(verdict.violations), seconds: secondsSince(start) })
      clean(verdict)
      assert.equal(figures.hung, 0)
    }),
    one('R6: a crash at every point, whatever was answered', async (start) => {
      const { verdict, ...figures } = await crashPoints(scene)
      say('R6', { ...figures, violations: sumOf(verdict.violations), seconds: secondsSince(start) })
      assert.deepEqual([figures.elsewhere, figures.notReplayed], [[], 0])
      clean(verdict)
    }),
    one('R7: who comes late', async (start) => {
      const { verdict, ...figures } = await lateWriter(scene, form.r7)
      say('R7', { ...figures, violations: sumOf(verdict.violations), seconds: secondsSince(start) })
      clean(verdict)
      assert.equal(figures.settledLate, figures.leftAlone)
    }),
    one('R14: poison', async (start) => {
      const figures = await poison(scene)
      say('R14', { ...figures, seconds: secondsSince(start) })
      assert.equal(figures.kept, figures.successes)
      assert.equal(figures.indeterminate, figures.unreadable)
      assert.equal(figures.performed, figures.successes + figures.unreadable)
      assert.equal(figures.endedAlone, 0)
    }),
    one('R15: three attempts', async (start) => {
      const { wrong, ...figures } = await attempts(scene, form.r15)
      say('R15', { ...figures, wrong: wrong.length, seconds: secondsSince(start) })
      assert.deepEqual(wrong, [])
    }),
    one('R17: asked to stop', async (start) => {
      const { verdict, ...figures } = await shutdown(scene, form.r17)
      say('R17', { ...figures, violations: sumOf(verdict.violations), seconds: secondsSince(start) })
      clean(verdict)
      assert.deepEqual([figures.executed, figures.exitCode], [figures.confirms, 0])
      // It waits for requests, and not for connections.
      assert.ok(figures.leftAfterMs < 10_000)
    }),
  ]
}

function sayStorm(name: string, sizes: object, outcome: Outcome, start: number): void {
  const { unknown, naiveDoubles, confirms, verdict } = outcome
  const { violations, facts } = verdict
  say(name, { ...sizes, confirms, unknown, naiveDoubles, ...facts, violations, seconds: secondsSince(start) })
}

function stormHeld({ fleet }: Scene, { unknown, naiveDoubles, sendsAfterwards, verdict }: Outcome): void {
  clean(verdict)
  assert.deepEqual([naiveDoubles, sendsAfterwards], [0, 0])
  assert.deepEqual([fleet.figures.faults, fleet.figures.hung, fleet.endedAlone()], [[], 0, 0])
  assert.ok(unknown > 0, 'the storm left nothing unknown: it was none')
}

function clean({ violations, examples }: Verdict): void {
  assert.deepEqual(violations, none(), examples.join('\n'))
}

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'tether-card-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

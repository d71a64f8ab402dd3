// Generated lives of staged writes, on the service and on a small reference of the specification: no difference. And
// faults in the SQL, each of which must be one.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { type Driven, openDriven } from './model/drive.ts'
import { CALL_MUTANTS, MUTANTS, PEOPLE_MUTANTS, RACING_MUTANTS } from './model/mutants.ts'
import { comings, playComings } from './model/people.ts'
import { play } from './model/play.ts'
import { race, runRace } from './model/race.ts'
import { sequence } from './model/sequences.ts'
import { type Tally, tell, unreached } from './model/tally.ts'

const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31))
const sequences = Number(process.env.MODEL_SEQUENCES ?? 10_000)
const races = Number(process.env.MODEL_RACES ?? 2_000)
const peopleRuns = Number(process.env.MODEL_PEOPLE ?? 500)
const timeout = 3_600_000
/** A mutant that needs more than this is not found. The rarest takes one sequence in some 1,800: 5,000 missed it now and then. */
const mostTries = 20_000

/** `fc.check`, for one kind of input on one open service. */
type Checks = (driven: Driven, tally: Tally, runs: fc.Parameters<unknown>) => Promise<fc.RunDetails<unknown>>
const checks = {
  sequence: (driven, tally, runs) =>
    fc.check(
      fc.asyncProperty(sequence, (one) => play(driven, one, tally)),
      runs,
    ),
  race: (driven, tally, runs) =>
    fc.check(
      fc.asyncProperty(race, (one) => runRace(driven, one, tally)),
      runs,
    ),
} satisfies Record<string, Checks>

for (const [what, numRuns] of [['sequence', sequences] as const, ['race', races] as const]) {
  test(`${numRuns} ${what}s, and no difference (MODEL_SEED=${seed})`, { timeout }, async (t) => {
    const driven = await openDriven()
    t.after(() => driven.close())
    const tally: Tally = new Map()
    const started = performance.now()
    const details = await checks[what](driven, tally, { seed, numRuns })
    t.diagnostic(`${((performance.now() - started) / 1000).toFixed(1)} s: ${tell(tally)}`)
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : ''
    assert.ok(!details.failed, `${fc.defaultReportMessage(details)}\n${why}`)
    assert.equal(await driven.gaps(), 0, 'the trails have no gaps')
    // Some of it is one in a few hundred.
    if (numRuns >= 2_000) assert.deepEqual(unreached(tally, what), [])
  })
}

function finds(what: keyof typeof checks, name: string, open: () => Promise<Driven>): void {
  test(`a ${what} finds that ${name} (MODEL_SEED=${seed})`, { timeout }, async (t) => {
    const driven = await open()
    t.after(() => driven.close())
    const runs = { seed, numRuns: mostTries, endOnFailure: true }
    const { failed, numRuns, errorInstance } = await checks[what](driven, new Map(), runs)
    assert.ok(failed, `not found in ${numRuns}`)
    assert.ok(errorInstance instanceof assert.AssertionError, `it broke instead: ${errorInstance}`)
    t.diagnostic(`found by ${what} ${numRuns}: ${errorInstance.message.slice(0, 300).replace(/\s+/g, ' ')}`)
  })
}

for (const [what, mutants] of [['sequence', MUTANTS] as const, ['race', RACING_MUTANTS] as const])
  for (const [name, mutant] of Object.entries(mutants)) finds(what, name, () => openDriven(mutant))
for (const [name, calls] of Object.entries(CALL_MUTANTS)) finds('sequence', name, () => openDriven({}, calls))

test(`${peopleRuns} comings and goings, and no approval counts for a person who did not give it (MODEL_SEED=${seed})`, {
  timeout,
}, async (t) => {
  const driven = await openDriven()
  t.after(() => driven.close())
  const tally: Tally = new Map()
  const played = fc.asyncProperty(comings, (one) => playComings(driven, one, tally))
  await fc.assert(played, { seed, numRuns: peopleRuns })
  t.diagnostic(tell(tally))
  const reached = ['Executed', 'approver_unknown', 'awaiting_approvers', 'CONFLICT'].map((what) => `says ${what}`)
  if (peopleRuns >= 500)
    assert.deepEqual(
      reached.filter((what) => !tally.has(what)),
      [],
    )
})

for (const [name, mutant] of Object.entries(PEOPLE_MUTANTS)) {
  test(`comings and goings find that ${name} (MODEL_SEED=${seed})`, { timeout }, async (t) => {
    const driven = await openDriven(mutant)
    t.after(() => driven.close())
    const played = fc.asyncProperty(comings, (one) => playComings(driven, one, new Map()))
    const { failed, numRuns, errorInstance } = await fc.check(played, { seed, numRuns: 2_000, endOnFailure: true })
    assert.ok(failed, `not found in ${numRuns}`)
    assert.ok(errorInstance instanceof assert.AssertionError, `it broke instead: ${errorInstance}`)
    t.diagnostic(`found by coming and going ${numRuns}`)
  })
}

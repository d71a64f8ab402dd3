// Two to four confirms of one action at once. The service's statements are let through one at a time, in an order that is
// generated; what comes of it must be what some order of the reference's steps gives.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { assertHonest, assertSentWhereSeen, expected, inOrder } from './compare.ts'
import type { Driven, Staged } from './drive.ts'
import { wearing } from './play.ts'
import * as reference from './reference.ts'
import { flavour, who } from './sequences.ts'
import { WEATHERS, type Weather } from './shop.ts'
import { type Tally, tallySaid, tallySeen } from './tally.ts'
import type { Confirm, Flavour, Point, Said, Seen } from './words.ts'

export type Race = {
  readonly flavour: Flavour
  readonly worn: number
  readonly weathers: readonly Weather[]
  readonly readsFail: boolean
  readonly confirms: readonly Confirm[]
  /** Who of those that wait runs its next statement; null, and when all are spent: who ran last. */
  readonly turns: readonly (number | null)[]
}
export const race: fc.Arbitrary<Race> = fc.record({
  flavour,
  worn: fc.constantFrom(0, 0, 0, 1, 2),
  weathers: fc.array(fc.constantFrom<Weather>('fine', 'fine', 'busy', ...WEATHERS), { maxLength: 3 }),
  readsFail: fc.constantFrom(false, false, false, false, false, true),
  confirms: fc.array(
    fc.record({ who, acknowledges: fc.constantFrom(true, true, true, false), key: fc.constantFrom(null, 'k1') }),
    {
      minLength: 2,
      maxLength: 4,
      size: 'max',
    },
  ),
  turns: fc.array(fc.option(fc.nat(11), { freq: 2 }), { maxLength: 50, size: 'max' }),
})
type Outcome = { readonly seen: Seen; readonly said: readonly Said[] }

/** Whatever cannot be explained is thrown. */
export async function runRace(driven: Driven, one: Race, tally: Tally): Promise<void> {
  const { shop } = driven
  Object.assign(shop, { weathers: [], readsFail: false })
  const staged = await driven.stage(one.flavour)
  for (let time = 0; time < one.worn; time++) {
    shop.weathers = ['busy']
    await driven.confirm(staged, wearing(time, one.flavour), null)
  }
  Object.assign(shop, { weathers: [...one.weathers], readsFail: one.readsFail })
  const said = await inTurns(driven, staged, one)
  const seen = await driven.see(staged)
  const outcome = { seen: { ...seen, trail: inOrder(seen.trail) }, said }
  assertHonest(seen)
  assertSentWhereSeen(seen.sentTo, staged.stagedFor)
  assert.ok(shop.close(staged.number) <= 1, 'every request of an action carries the same idempotency key')
  if (!isPossible(one, outcome)) assert.fail(`no order of the steps gives ${JSON.stringify(outcome)}`)
  tallySeen(tally, seen)
  for (const each of said) tallySaid(tally, each)
}

/** One process runs at a time, up to its next statement: so the next to come to the gate is the one that was let go. */
async function inTurns(driven: Driven, staged: Staged, { confirms, turns }: Race): Promise<Said[]> {
  const waiting: (() => void)[] = []
  const said: Said[] = []
  let rest = Promise.withResolvers<void>()
  driven.doorway.gate = (statement) => {
    if (!/^(actions|approvals)\./.test(statement)) return Promise.resolve()
    const turn = Promise.withResolvers<void>()
    waiting.push(turn.resolve)
    rest.resolve()
    return turn.promise
  }
  const run = async (go: () => void): Promise<void> => {
    rest = Promise.withResolvers()
    go()
    await rest.promise
  }
  const start = async (how: Confirm, place: number) => {
    const begun = await driven.confirm(staged, { ...how, key: how.key && `${staged.number}-${how.key}` }, null)
    said[place] = 'said' in begun ? begun.said : assert.fail('it stopped')
  }
  try {
    for (const [place, how] of confirms.entries())
      await run(
        () =>
          void start(how, place).then(
            () => rest.resolve(),
            (error) => rest.reject(error),
          ),
      )
    for (let turn = 0; waiting.length > 0; turn++) {
      const [next] = waiting.splice((turns[turn] ?? waiting.length - 1) % waiting.length, 1)
      if (next !== undefined) await run(next)
    }
  } finally {
    driven.doorway.gate = undefined
    for (const go of waiting) go()
  }
  return said
}

/** Where it matters that something else happens in between: every stop that does not multiplies the search. */
function stopsOf({ flavour: { tool, approvers }, confirms }: Race): readonly Point[] {
  const isKeyed = confirms.some(({ key }) => key !== null)
  return [
    'read',
    'approved',
    'before_outcome',
    'marked',
    ...(isKeyed ? (['asked'] as const) : []),
    ...(isKeyed || approvers === 2 || tool === 'checked' ? (['before_claim'] as const) : []),
    ...(tool === 'checked' ? (['after_outcome'] as const) : []),
  ]
}

type Runner = { readonly process: reference.Process; said: Said | undefined; memory: string }

/** The reference after these steps: who made each is in the schedule. */
function after(one: Race, stops: readonly Point[], schedule: readonly number[]) {
  const { flavour, worn, weathers, readsFail, confirms } = one
  const world = reference.newWorld(flavour)
  reference.stage(world)
  const [action = assert.fail()] = world.actions
  for (let time = 0; time < worn; time++) {
    world.weathers = ['busy']
    for (const _ of reference.confirm(world, action, wearing(time, flavour)));
  }
  Object.assign(world, { weathers: [...weathers], readsFail })
  const runners = confirms.map(
    (how): Runner => ({ process: reference.confirm(world, action, how), said: undefined, memory: '' }),
  )
  for (const place of schedule) {
    const runner = runners[place] ?? assert.fail()
    for (;;) {
      const { done, value } = runner.process.next()
      if (done) {
        runner.said = value
        break
      }
      if (!stops.includes(value)) continue
      runner.memory += `${value} ${value === 'read' ? action.state : ''}${value === 'before_outcome' ? action.claim : ''} `
      break
    }
  }
  return { world, action, runners }
}

/** Searches the orders of the reference's steps for one that gives this outcome. */
function isPossible(one: Race, { seen, said }: Outcome): boolean {
  const stops = stopsOf(one)
  const known = new Set<string>()
  const agrees = (trail: readonly string[]) => {
    const decided = (events: readonly string[]) => events.filter((event) => !event.startsWith('superseded'))
    const there = decided(seen.trail)
    return decided(trail).every((event, place) => there[place] === event)
  }
  const search = (schedule: readonly number[]): boolean => {
    const { world, action, runners } = after(one, stops, schedule)
    if (!agrees(action.trail)) return false
    if (runners.some((runner, place) => runner.said !== undefined && !isDeepStrictEqual(runner.said, said[place])))
      return false
    if (runners.every((runner) => runner.said !== undefined))
      return isDeepStrictEqual(expected(one.flavour, action), seen)
    // All that a process remembers: how far it came, whether another one was executing, and which claim is its own.
    const place = JSON.stringify([
      action,
      [...action.approvals],
      [...world.keys.keys()],
      world.weathers.length,
      runners.map(({ memory, said: answer }) => (answer === undefined ? memory : 'done')),
    ])
    if (known.has(place)) return false
    known.add(place)
    return runners.some((runner, next) => runner.said === undefined && search([...schedule, next]))
  }
  return search([])
}

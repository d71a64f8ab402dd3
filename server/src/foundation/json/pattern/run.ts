// Runs a program over a text: all states at once, one character at a time, so the time is at most states × characters
// whatever the pattern (K. Thompson's way). A look-around is decided beforehand for every place, in one pass of its
// own; a counted run of characters keeps where it was entered.
import { type Budget, spend } from '../budget.ts'
import { isIn } from './char-set.ts'
import type { Program, State } from './program.ts'
import type { Assertion } from './syntax.ts'

type Run = {
  program: Program
  points: Int32Array
  /** For each look-around, whether it holds at each place. */
  decided: Uint8Array[]
  /** Where each counting state was entered, oldest first. */
  entered: Map<number, Entries>
  /** The step at which each state was last reached. */
  reachedAt: Int32Array
  active: States
  reached: States
  stack: number[]
  budget: Budget
}
type States = { list: Int32Array; count: number }
type Entries = { steps: number[]; first: number }
type Direction = 1 | -1

export function matches(program: Program, text: string, budget: Budget): boolean {
  const size = program.states.length
  spend(budget, text.length + 128)
  const run: Run = {
    program,
    points: codePoints(text),
    decided: [],
    entered: new Map(),
    reachedAt: new Int32Array(size),
    active: { list: new Int32Array(size), count: 0 },
    reached: { list: new Int32Array(size), count: 0 },
    stack: [],
    budget,
  }
  for (const look of program.looks) run.decided.push(placesWhereHolds(run, look.entry, look.ahead ? -1 : 1))
  return pass(run, program.entry, 1, program.anchored, () => true)
}

function codePoints(text: string): Int32Array {
  const points = new Int32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0
    points[count++] = point
    if (point > 0xffff) at++
  }
  return points.subarray(0, count)
}

function placesWhereHolds(run: Run, entry: number, direction: Direction): Uint8Array {
  const places = new Uint8Array(run.points.length + 1)
  spend(run.budget, places.length / 16)
  pass(run, entry, direction, false, (place) => {
    places[place] = 1
    return false
  })
  return places
}

/** Goes over the text once; `accepted` is told every place where a match ends, and says whether that is enough. */
function pass(
  run: Run,
  entry: number,
  direction: Direction,
  anchored: boolean,
  accepted: (place: number) => boolean,
): boolean {
  const { points, budget } = run
  spend(budget, run.reachedAt.length / 16)
  run.entered.clear()
  run.reachedAt.fill(-1)
  run.active.count = 0
  let place = direction === 1 ? 0 : points.length
  for (let step = 0; step <= points.length; step++) {
    run.reached.count = 0
    if (step > 0) {
      const codePoint = points[direction === 1 ? place : place - 1] ?? -1
      place += direction
      advance(run, codePoint, place, step)
    }
    if (step === 0 || !anchored) follow(run, entry, place, step)
    spend(budget, run.reached.count + 1)
    if (run.reachedAt[0] === step && accepted(place)) return true
    if (anchored && run.reached.count === 0) return false
    const spare = run.active
    run.active = run.reached
    run.reached = spare
  }
  return false
}

/** Fills `reached` with the states that the active ones reach by taking one character. */
function advance(run: Run, codePoint: number, place: number, step: number): void {
  const { states } = run.program
  const { list, count } = run.active
  const foreign = codePoint > 127
  // Every counting state takes the character before any is entered anew, or the new entry would be lost with the old.
  for (let index = 0; run.entered.size > 0 && index < count; index++) {
    const state = states[list[index] ?? 0]
    if (state?.op === 'count') takeCounted(run.entered, list[index] ?? 0, state, codePoint, step)
  }
  for (let index = 0; index < count; index++) {
    const state = states[list[index] ?? 0]
    if (!state) continue
    // A Unicode property is asked of the platform, for each character outside ASCII.
    if (foreign) spend(run.budget, state.members.set.properties.length * 8)
    if (state.op === 'count') goOnCounting(run, list[index] ?? 0, state, place, step)
    else if (isIn(state.members, codePoint)) follow(run, state.next, place, step)
  }
}

function takeCounted(entered: Run['entered'], index: number, state: State, codePoint: number, step: number): void {
  const entries = entered.get(index)
  if (!entries) return
  if (isIn(state.members, codePoint)) {
    while (step - (entries.steps[entries.first] ?? step) > state.max) entries.first++
    if (entries.first < entries.steps.length) return
  }
  entered.delete(index)
}

function goOnCounting(run: Run, index: number, state: State, place: number, step: number): void {
  spend(run.budget, 8)
  const entries = run.entered.get(index)
  const oldest = entries?.steps[entries.first]
  // Entered only now, by way of another state: `follow` has dealt with it.
  if (oldest === undefined || oldest === step) return
  if (run.reachedAt[index] !== step) reach(run, index, step)
  if (step - oldest >= state.min) follow(run, state.next, place, step)
}

function reach(run: Run, index: number, step: number): void {
  run.reachedAt[index] = step
  run.reached.list[run.reached.count++] = index
}

/** Reaches a state and everything that can be reached from it without taking a character. */
function follow(run: Run, from: number, place: number, step: number): void {
  const { stack, program, reachedAt } = run
  stack.push(from)
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    spend(run.budget, 1)
    const state = program.states[index]
    if (!state) continue
    if (state.op === 'count') enter(run.entered, index, step, state.max)
    if (reachedAt[index] === step) continue
    if (state.op === 'set' || state.op === 'count') reach(run, index, step)
    else reachedAt[index] = step
    goOn(run, state, place, stack)
  }
}

/** Where a state leads without taking a character. */
function goOn(run: Run, state: State, place: number, stack: number[]): void {
  switch (state.op) {
    case 'split':
      stack.push(state.other, state.next)
      return
    case 'assert':
      if (holds(run.points, state.test, place)) stack.push(state.next)
      return
    case 'look':
      if ((run.decided[state.other]?.[place] === 1) !== state.negated) stack.push(state.next)
      return
    case 'count':
      if (state.min === 0) stack.push(state.next)
  }
}

function enter(entered: Run['entered'], index: number, step: number, max: number): void {
  const entries = entered.get(index)
  if (!entries) entered.set(index, { steps: [step], first: 0 })
  // Without an upper bound the oldest run is the longest, and the only one that matters.
  else if (max !== Number.POSITIVE_INFINITY && entries.steps.at(-1) !== step) entries.steps.push(step)
}

function holds(points: Int32Array, test: Assertion, place: number): boolean {
  if (test === 'start') return place === 0
  if (test === 'end') return place === points.length
  return (isWord(points[place - 1]) !== isWord(points[place])) === (test === 'boundary')
}

const isWord = (codePoint = -1): boolean =>
  (codePoint >= 97 && codePoint <= 122) ||
  (codePoint >= 65 && codePoint <= 90) ||
  (codePoint >= 48 && codePoint <= 57) ||
  codePoint === 95

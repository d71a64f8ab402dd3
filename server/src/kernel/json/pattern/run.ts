// Runs a program over a text, with all states at once and one character at a time (K. Thompson's way), so the time is
// at most states × characters for any pattern. A separate pass decides each look-around for every position beforehand.
// A counted run of characters remembers where it was entered.
import { spend, type WorkBudget } from '../budget.ts'
import { isIn } from './char-set.ts'
import type { Program, State } from './program.ts'
import type { Assertion } from './syntax.ts'

type PatternRun = {
  program: Program
  points: Int32Array
  /** For each look-around, whether it holds at each position. */
  decided: Uint8Array[]
  /** Where each counting state was entered, oldest first. */
  entered: Map<number, Entries>
  /** The step at which each state was last reached. */
  reachedAt: Int32Array
  active: States
  reached: States
  stack: number[]
  budget: WorkBudget
}
type States = { list: Int32Array; count: number }
type Entries = { steps: number[]; first: number }
type Direction = 1 | -1

export function programMatches(program: Program, text: string, budget: WorkBudget): boolean {
  const size = program.states.length
  spend(budget, text.length + 128)
  const run: PatternRun = {
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

function placesWhereHolds(run: PatternRun, entry: number, direction: Direction): Uint8Array {
  const places = new Uint8Array(run.points.length + 1)
  spend(run.budget, places.length / 16)
  pass(run, entry, direction, false, (place) => {
    places[place] = 1
    return false
  })
  return places
}

/**
 * Goes over the text once. It calls `accepted` with every position where a match ends, and stops when that returns
 * true.
 */
function pass(
  run: PatternRun,
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
    if (step === 0 || !anchored) reachAll(run, entry, place, step)
    spend(budget, run.reached.count + 1)
    if (run.reachedAt[0] === step && accepted(place)) return true
    if (anchored && run.reached.count === 0) return false
    const spare = run.active
    run.active = run.reached
    run.reached = spare
  }
  return false
}

/** Fills `reached` with the states that the active ones reach by one character. */
function advance(run: PatternRun, codePoint: number, place: number, step: number): void {
  const { states } = run.program
  const { list, count } = run.active
  const foreign = codePoint > 127
  // Every counting state takes the character before any is entered again, or the new entry would be lost with the old
  // one.
  for (let index = 0; run.entered.size > 0 && index < count; index++) {
    const state = states[list[index] ?? 0]
    if (state?.op === 'count') takeCounted(run.entered, list[index] ?? 0, state, codePoint, step)
  }
  for (let index = 0; index < count; index++) {
    const state = states[list[index] ?? 0]
    if (!state) continue
    // For each character outside ASCII, the platform decides a Unicode property.
    if (foreign) spend(run.budget, state.members.set.properties.length * 8)
    if (state.op === 'count') goOnCounting(run, list[index] ?? 0, state, place, step)
    else if (isIn(state.members, codePoint)) reachAll(run, state.next, place, step)
  }
}

function takeCounted(
  entered: PatternRun['entered'],
  index: number,
  state: State,
  codePoint: number,
  step: number,
): void {
  const entries = entered.get(index)
  if (!entries) return
  if (isIn(state.members, codePoint)) {
    while (step - (entries.steps[entries.first] ?? step) > state.max) entries.first++
    if (entries.first < entries.steps.length) return
  }
  entered.delete(index)
}

function goOnCounting(run: PatternRun, index: number, state: State, place: number, step: number): void {
  spend(run.budget, 8)
  const entries = run.entered.get(index)
  const oldest = entries?.steps[entries.first]
  // It was entered just now through another state, and `reachAll` has handled it.
  if (oldest === undefined || oldest === step) return
  if (run.reachedAt[index] !== step) reach(run, index, step)
  if (step - oldest >= state.min) reachAll(run, state.next, place, step)
}

function reach(run: PatternRun, index: number, step: number): void {
  run.reachedAt[index] = step
  run.reached.list[run.reached.count++] = index
}

/** Reaches a state and all others that can be reached from it without a character. */
function reachAll(run: PatternRun, from: number, place: number, step: number): void {
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

/** Adds the states that this one leads to without a character. */
function goOn(run: PatternRun, state: State, place: number, stack: number[]): void {
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

function enter(entered: PatternRun['entered'], index: number, step: number, max: number): void {
  const entries = entered.get(index)
  if (!entries) entered.set(index, { steps: [step], first: 0 })
  // Without an upper bound only the oldest run matters, because it is the longest.
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

// Regular expressions that strangers wrote, on text that strangers wrote. The platform's engine backtracks: one
// `^(a+)+$` from a tenant would hold every other tenant's request for minutes. This engine's time is bounded by
// states × characters, and by a budget on top.
import { type Budget, spend } from '../budget.ts'
import { parsePattern } from './parse-pattern.ts'
import { compile, mostStates, type Program, statesOf } from './program.ts'
import { matches } from './run.ts'
import { PatternFault } from './syntax.ts'

/** What the pattern will cost, or why it cannot be used (words that follow "the pattern"). Linear in its length. */
export function checkPattern(source: string): { ok: true; states: number } | { ok: false; problem: string } {
  try {
    const states = statesOf(parsePattern(source))
    if (states > mostStates)
      return {
        ok: false,
        problem: 'repeats a group too many times to be checked in bounded time: lower the counts in braces',
      }
    return { ok: true, states }
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, problem: error.message }
    throw error
  }
}

// Programs are kept between calls, most recently used last, up to a total weight that is some ten megabytes.
const mostKept = 100_000
const kept = new Map<string, Program>()
let keptWeight = 0
/** Building a program costs about this much a state. */
const costOfBuilding = 20
const weightOf = (source: string, program: Program): number => source.length + program.states.length

/** Whether the pattern matches anywhere in the text. Throws BudgetSpent, and PatternFault on what checkPattern refuses. */
export function patternMatches(source: string, text: string, budget: Budget): boolean {
  return matches(programFor(source, budget), text, budget)
}

function programFor(source: string, budget: Budget): Program {
  const found = kept.get(source)
  if (found) {
    kept.delete(source)
    kept.set(source, found)
    return found
  }
  const program = compile(parsePattern(source))
  kept.set(source, program)
  keptWeight += weightOf(source, program)
  for (const [oldest, old] of kept) {
    if (keptWeight <= mostKept || oldest === source) break
    kept.delete(oldest)
    keptWeight -= weightOf(oldest, old)
  }
  spend(budget, weightOf(source, program) * costOfBuilding)
  return program
}

// Runs strangers' regular expressions on strangers' text. The platform's engine backtracks, so one `^(a+)+$` from a
// tenant would hold up every other tenant's requests for minutes. This engine's time is bounded by states × characters,
// and by a budget on top.
import { memoizedTexts } from '../../memo/index.ts'
import { spend, type WorkBudget } from '../budget.ts'
import { parsePattern } from './parse-pattern.ts'
import { compilePattern, mostStates, type Program, statesOf } from './program.ts'
import { programMatches } from './run.ts'
import { PatternFault } from './syntax.ts'

/**
 * Says what the pattern will cost, or why it cannot be used (words that follow "the pattern"). Linear in its length.
 */
export function checkPattern(source: string): { ok: true; states: number } | { ok: false; problem: string } {
  try {
    const states = statesOf(parsePattern(source))
    if (states > mostStates)
      return {
        ok: false,
        problem: 'repeats a group too many times to be checked in bounded time. Lower the counts in braces',
      }
    return { ok: true, states }
  } catch (error) {
    if (error instanceof PatternFault) return { ok: false, problem: error.message }
    throw error
  }
}

/** Programs of this total weight take about ten megabytes. */
const mostKept = 100_000
/** Building a program costs about this much per state. */
const costOfBuilding = 20
const programWeight = (source: string, program: Program): number => source.length + program.states.length

/**
 * True if the pattern matches anywhere in the text. Throws BudgetSpent, or PatternFault for what checkPattern refuses.
 */
export function patternMatches(source: string, text: string, budget: WorkBudget): boolean {
  return programMatches(programFor(source, budget), text, budget)
}

const programFor = memoizedTexts(
  (source: string, budget: WorkBudget) => {
    const program = compilePattern(parsePattern(source))
    spend(budget, programWeight(source, program) * costOfBuilding)
    return program
  },
  { max: mostKept, weigh: programWeight },
)

// Whether the result of a read satisfies the check of a precondition or a verify. Pure: the read is made elsewhere.
import {
  BudgetSpent,
  compareNumbers,
  isNumber,
  type Json,
  type JsonNumber,
  type JsonObject,
  jsonEqual,
  listedValues,
  member,
  shownWhole,
  type WorkBudget,
} from '../../kernel/json/index.ts'
import { readPath } from './dot-path.ts'
import type { Bound, Check, Mapping, Operator, ReadCheck, Test } from './read-check.ts'

/** `reason` is a sentence for people: what was found, and what it must be or was expected to be. */
type CheckResult = { holds: boolean; reason: string }

/** The arguments of the read. One that is copied from an argument which was not sent is left out. */
export function readArguments(readCheck: ReadCheck, writeArguments: JsonObject): JsonObject {
  const mapped = Object.entries(readCheck.arguments).map(
    ([name, mapping]) => [name, mappedValue(mapping, writeArguments)] as const,
  )
  return Object.fromEntries(mapped.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const mappedValue = (mapping: Mapping, writeArguments: JsonObject): Json | undefined =>
  'from' in mapping ? member(writeArguments, mapping.from) : mapping.value

export function evaluateCheck(check: Check, result: Json, writeArguments: JsonObject): CheckResult {
  const path = check.path.join('.')
  const found = readPath(result, check.path)
  if (found === undefined) return { holds: false, reason: `The result has nothing at \`${path}\`.` }
  try {
    return tested(check.test, { path, found, writeArguments, budget: { left: mostWork } })
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return { holds: false, reason: `\`${path}\` is too large to compare: check a smaller part of the result.` }
  }
}

/** The value found at the path, and what it may be compared with. */
type Comparison = { path: string; found: Json; writeArguments: JsonObject; budget: WorkBudget }

/** Comparing is linear, but both sides may be large; this is about 50 ms of it. */
const mostWork = 5_000_000

function tested(test: Test, comparison: Comparison): CheckResult {
  const { found, budget } = comparison
  switch (test.kind) {
    case 'equals':
      return resultOf(comparison, jsonEqual(found, test.value, budget), shownWhole(test.value))
    case 'in':
      return resultOf(
        comparison,
        test.values.some((allowed) => jsonEqual(found, allowed, budget)),
        `one of ${listedValues(test.values, 10)}`,
      )
    case 'from':
      return equalsArgument(comparison, test.argument)
    case 'compare':
      return compare(comparison, test.bounds)
  }
}

function resultOf({ path, found }: Comparison, holds: boolean, wanted: string): CheckResult {
  const value = shownWhole(found)
  if (!holds) return { holds, reason: `\`${path}\` is ${value}; it must be ${wanted}.` }
  return { holds, reason: `\`${path}\` is ${value}, as expected${wanted === value ? '' : ` (${wanted})`}.` }
}

function equalsArgument(comparison: Comparison, argument: string): CheckResult {
  const wanted = member(comparison.writeArguments, argument)
  if (wanted === undefined)
    return {
      holds: false,
      reason: `\`${comparison.path}\` must equal the argument \`${argument}\`, which was not sent.`,
    }
  return resultOf(
    comparison,
    jsonEqual(comparison.found, wanted, comparison.budget),
    `${shownWhole(wanted)}, the argument \`${argument}\``,
  )
}

const words: Record<Operator, string> = { gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' }
/** Whether a bound holds, by how what was found compares with it. */
export const boundHolds: Readonly<Record<Operator, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
}

/** Every bound must hold; the reason names the first that does not. A number in quotes is not a number. */
function compare(comparison: Comparison, bounds: readonly Bound[]): CheckResult {
  const { path, found } = comparison
  if (!isNumber(found)) return { holds: false, reason: `\`${path}\` is ${shownWhole(found)}, which is not a number.` }
  const results = bounds.map((bound) => compareWith(comparison, found, bound))
  const [first] = results
  return results.find(({ holds }) => !holds) ?? first ?? { holds: false, reason: `Nothing was asked of \`${path}\`.` }
}

function compareWith(comparison: Comparison, found: JsonNumber, { operator, to }: Bound): CheckResult {
  if (isNumber(to))
    return resultOf(comparison, boundHolds[operator](compareNumbers(found, to)), `${words[operator]} ${shownWhole(to)}`)
  const limit = member(comparison.writeArguments, to.from)
  if (isNumber(limit)) {
    return resultOf(
      comparison,
      boundHolds[operator](compareNumbers(found, limit)),
      `${words[operator]} ${shownWhole(limit)}, the argument \`${to.from}\``,
    )
  }
  const sent = limit === undefined ? 'was not sent' : `is ${shownWhole(limit)}, which is not a number`
  return { holds: false, reason: `\`${comparison.path}\` is compared with the argument \`${to.from}\`, which ${sent}.` }
}

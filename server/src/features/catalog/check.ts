// Asks a precondition's or verify's question of the read's result. Pure: the read itself is somebody else's.
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
} from '../../foundation/json/index.ts'
import { readPath } from './dot-path.ts'
import type { Bound, Check, Mapping, Operator, ReadCheck, Test } from './read-check.ts'

/** `reason` is a sentence for people: what was found and what must be. */
export type CheckOutcome = { holds: boolean; reason: string }

/** The read's arguments. One that is copied from an argument which was not sent is not sent either. */
export function readArguments(readCheck: ReadCheck, writeArguments: JsonObject): JsonObject {
  const mapped = Object.entries(readCheck.arguments).map(
    ([name, mapping]) => [name, mappedValue(mapping, writeArguments)] as const,
  )
  return Object.fromEntries(mapped.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const mappedValue = (mapping: Mapping, writeArguments: JsonObject): Json | undefined =>
  'from' in mapping ? member(writeArguments, mapping.from) : mapping.value

export function evaluateCheck(check: Check, result: Json, writeArguments: JsonObject): CheckOutcome {
  const path = check.path.join('.')
  const found = readPath(result, check.path)
  if (found === undefined) return { holds: false, reason: `The result has nothing at \`${path}\`.` }
  try {
    return ask(check.test, { path, found, writeArguments, budget: { left: mostWork } })
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return { holds: false, reason: `\`${path}\` is too large to compare: check a smaller part of the result.` }
  }
}

/** What is asked about: the value at the path. */
type Asked = { path: string; found: Json; writeArguments: JsonObject; budget: WorkBudget }

/** Comparing is linear, but both sides may be large; this is some 50 ms of it. */
const mostWork = 5_000_000

function ask(test: Test, asked: Asked): CheckOutcome {
  const { found, budget } = asked
  switch (test.kind) {
    case 'equals':
      return judge(asked, jsonEqual(found, test.value, budget), shownWhole(test.value))
    case 'in':
      return judge(
        asked,
        test.values.some((allowed) => jsonEqual(found, allowed, budget)),
        `one of ${listedValues(test.values, 10)}`,
      )
    case 'from':
      return equalsArgument(asked, test.argument)
    case 'compare':
      return compare(asked, test.bounds)
  }
}

function judge({ path, found }: Asked, holds: boolean, wanted: string): CheckOutcome {
  return { holds, reason: `\`${path}\` is ${shownWhole(found)}; it must be ${wanted}.` }
}

function equalsArgument(asked: Asked, argument: string): CheckOutcome {
  const wanted = member(asked.writeArguments, argument)
  if (wanted === undefined)
    return { holds: false, reason: `\`${asked.path}\` must equal the argument \`${argument}\`, which was not sent.` }
  return judge(
    asked,
    jsonEqual(asked.found, wanted, asked.budget),
    `${shownWhole(wanted)}, the argument \`${argument}\``,
  )
}

const words: Record<Operator, string> = { gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' }
const fits: Record<Operator, (order: number) => boolean> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
}

/** Every bound must hold; the reason is the first that does not. A number in quotes is no number. */
function compare(asked: Asked, bounds: readonly Bound[]): CheckOutcome {
  const { path, found } = asked
  if (!isNumber(found)) return { holds: false, reason: `\`${path}\` is ${shownWhole(found)}, which is not a number.` }
  const outcomes = bounds.map((bound) => compareWith(asked, found, bound))
  const [first] = outcomes
  return outcomes.find(({ holds }) => !holds) ?? first ?? { holds: false, reason: `Nothing was asked of \`${path}\`.` }
}

function compareWith(asked: Asked, found: JsonNumber, { operator, to }: Bound): CheckOutcome {
  if (isNumber(to))
    return judge(asked, fits[operator](compareNumbers(found, to)), `${words[operator]} ${shownWhole(to)}`)
  const limit = member(asked.writeArguments, to.from)
  if (isNumber(limit)) {
    return judge(
      asked,
      fits[operator](compareNumbers(found, limit)),
      `${words[operator]} ${shownWhole(limit)}, the argument \`${to.from}\``,
    )
  }
  const sent = limit === undefined ? 'was not sent' : `is ${shownWhole(limit)}, which is not a number`
  return { holds: false, reason: `\`${asked.path}\` is compared with the argument \`${to.from}\`, which ${sent}.` }
}

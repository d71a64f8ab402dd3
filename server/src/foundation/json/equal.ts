import { type Budget, spend } from './budget.ts'
import { canonicalNumber, compareNumbers, isNumber } from './exact-number.ts'
import { isObject, type Json, type JsonObject } from './json-value.ts'

type Pair = [Json, Json]

/**
 * JSON equality: 2 equals 2.0, true is not "true", objects match by members in any order, arrays element by element,
 * and long numbers by their whole value. Walks with a list of its own, so depth cannot overflow the stack.
 */
export function jsonEqual(a: Json, b: Json, budget: Budget = { left: Number.POSITIVE_INFINITY }): boolean {
  const rest: Pair[] = [[a, b]]
  for (let pair = rest.pop(); pair; pair = rest.pop()) {
    spend(budget, 4)
    if (!sameHere(pair[0], pair[1], rest, budget)) return false
  }
  return true
}

/** Whether the two agree at this level; what lies below goes on the list. */
function sameHere(a: Json, b: Json, rest: Pair[], budget: Budget): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false
    spend(budget, a.length / 64)
    return a === b
  }
  if (a === null || b === null || typeof a === 'boolean' || typeof b === 'boolean') return a === b
  if (isNumber(a) || isNumber(b)) return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0
  if (Array.isArray(a) && Array.isArray(b)) return sameLength(a, b, rest)
  return isObject(a) && isObject(b) && sameMembers(a, b, rest)
}

function sameLength(a: Json[], b: Json[], rest: Pair[]): boolean {
  if (a.length !== b.length) return false
  for (const [index, value] of a.entries()) rest.push([value, b[index] ?? null])
  return true
}

function sameMembers(a: JsonObject, b: JsonObject, rest: Pair[]): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false
    rest.push([a[name] ?? null, b[name] ?? null])
  }
  return true
}

/** A text that two values share exactly when jsonEqual holds: for finding repeats without comparing all pairs. */
export function canonicalText(value: Json, budget: Budget = { left: Number.POSITIVE_INFINITY }): string {
  spend(budget, 16)
  if (typeof value === 'string') {
    spend(budget, value.length / 8)
    return JSON.stringify(value)
  }
  if (isNumber(value)) return canonicalNumber(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, budget)).join()}]`
  if (!isObject(value)) return String(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null, budget)}`).join()}}`
}

import { spend, type WorkBudget } from './budget.ts'
import { canonicalNumber, compareNumbers, isNumber } from './exact-number.ts'
import { type Json, type JsonObject, member } from './json-value.ts'

type Pair = [Inner, Inner]

/**
 * JSON equality: 2 equals 2.0, true is not "true", objects match by members in any order, arrays element by element,
 * and long numbers by their exact value. It keeps its own list of pairs, so that depth cannot overflow the stack.
 */
export function jsonEqual(a: Json, b: Json, budget: WorkBudget = { left: Number.POSITIVE_INFINITY }): boolean {
  const later: Pair[] = []
  if (!sameSoFar(a, b, later, budget)) return false
  for (let pair = later.pop(); pair; pair = later.pop()) {
    if (!sameInside(pair[0], pair[1], later, budget)) return false
  }
  return true
}

type Inner = Json[] | JsonObject

/** Compares two values that contain no others; two that do go on the list. */
function sameSoFar(a: Json, b: Json, later: Pair[], budget: WorkBudget): boolean {
  spend(budget, 8)
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false
    spend(budget, a.length / 64)
    return a === b
  }
  if (typeof a !== 'object' && typeof b !== 'object') return a === b
  if (a === null || b === null) return a === b
  if (isNumber(a) || isNumber(b)) {
    spend(budget, 64 + lengthOf(a) + lengthOf(b))
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) === 0
  }
  if (typeof a !== 'object' || typeof b !== 'object') return false
  later.push([a, b])
  return true
}

/** The length of an exact number. Comparing anything else costs nothing extra. */
const lengthOf = (value: Json): number => (typeof value === 'object' && isNumber(value) ? value.rawJSON.length : 0)

function sameInside(a: Inner, b: Inner, later: Pair[], budget: WorkBudget): boolean {
  spend(budget, 16)
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) {
      if (!sameSoFar(a[index] ?? null, b[index] ?? null, later, budget)) return false
    }
    return true
  }
  const names = Object.keys(a)
  spend(budget, names.length * 4)
  if (names.length !== Object.keys(b).length) return false
  return names.every(
    (name) => Object.hasOwn(b, name) && sameSoFar(member(a, name) ?? null, b[name] ?? null, later, budget),
  )
}

/**
 * Two values have the same text if and only if jsonEqual holds, so that we can find repeats without comparing all
 * pairs.
 */
export function canonicalText(value: Json, budget: WorkBudget = { left: Number.POSITIVE_INFINITY }): string {
  spend(budget, 48)
  if (typeof value === 'string') {
    spend(budget, value.length / 8)
    return JSON.stringify(value)
  }
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? canonicalText(item, budget) : `,${canonicalText(item, budget)}`
    return `[${text}]`
  }
  if (isNumber(value)) return canonicalNumber(value)
  // Of what is JSON, only an object is left.
  if (typeof value !== 'object' || value === null) return String(value)
  const names = Object.keys(value).sort()
  spend(budget, names.length * 16)
  for (const name of names) {
    const pair = `${JSON.stringify(name)}:${canonicalText(member(value, name) ?? null, budget)}`
    text += text === '' ? pair : `,${pair}`
  }
  return `{${text}}`
}

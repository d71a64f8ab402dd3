// Shared by the checks of people and of policies: how members are read, and how faults are worded.
import { isObject, type Json, type JsonObject, listed, member, shown } from '../../kernel/json/index.ts'

/** Sentences about what is wrong, in the order in which it was found. */
export type MemberFaults = string[]

const mostShown = 10

/** Everything that is wrong, in one message that stays readable. */
export function faultText(faults: MemberFaults): string {
  const rest = faults.length - mostShown
  return [...faults.slice(0, mostShown), ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ')
}

/** A short text on one line, with no blank at either end. */
export const isLabel = (value: unknown, longest: number): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= longest &&
  value.trim() === value &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)

export function checkFlag(object: JsonObject, name: string, path: string, faults: MemberFaults): void {
  const value = member(object, name)
  if (value === undefined || typeof value === 'boolean') return
  faults.push(`${path}${name} must be true or false, not ${shown(value)}.`)
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/**
 * Unknown members are ignored, except one that is plainly a known member misspelt: ignoring a misspelt `active: false`
 * would leave a person able to approve.
 */
export function checkSpelling(object: JsonObject, known: readonly string[], where: string, faults: MemberFaults): void {
  const byBare = new Map(known.map((name) => [bare(name), name]))
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue
    const meant = byBare.get(bare(name))
    if (meant !== undefined) faults.push(`${where} has ${shown(name)}: write it as ${meant}.`)
  }
}

/** In a rule an unknown member is refused: ignoring a condition would make the rule decide more than it says. */
export function refuseUnknown(object: JsonObject, known: readonly string[], where: string, faults: MemberFaults): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const names = listed(unknown.map(shown), 5)
  faults.push(`${where} has ${names}, which a rule cannot have. It may have ${known.join(', ')}.`)
}

/** How a message refers to a value that should have been something else. */
export const shownAny = (value: unknown): string =>
  value === undefined ? 'nothing' : isObject(value) ? 'an object' : shown(value as Json)

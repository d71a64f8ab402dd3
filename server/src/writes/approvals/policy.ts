// What a policy says, and which of its rules decides a write. Pure: nothing here asks the database.
import type { Risk } from '@tether/contract'
import { compareNumbers, isNumber, type JsonNumber, type JsonObject, member } from '../../kernel/json/index.ts'

/** An absent member matches anything; `approvers` is 1 unless set. */
export type PolicyRule = {
  readonly tools?: readonly string[]
  readonly domains?: readonly string[]
  readonly risk?: readonly Risk[]
  readonly minValue?: JsonNumber
  readonly roles: readonly string[]
  readonly approvers?: number
}

export type Policy = {
  readonly rules: readonly PolicyRule[]
  readonly requesterMayApprove: boolean
  readonly customerSelfConfirm: boolean
  readonly remindAtHalf: boolean
}

/** What a write is worth: a number; `unreadable` when the argument that should hold it does not; null when its tool names no such argument. */
export type WriteValue = JsonNumber | 'unreadable' | null

/** What a rule looks at. */
export type Write = {
  readonly tool: string
  readonly domain: string
  /** The domain in which it was staged, where its tool may have moved to another one since. */
  readonly stagedDomain?: string
  readonly risk: Risk
  readonly value: WriteValue
}

/** A text such as "1200" does not count as a number: the endpoint may read it differently than we do. */
export function readValue(valueFrom: string | null, args: JsonObject): WriteValue {
  if (valueFrom === null) return null
  const value = member(args, valueFrom)
  return isNumber(value) ? value : 'unreadable'
}

/** The first rule that matches. Undefined when none does: then any active registered person may approve alone. */
export const ruleFor = (policy: Policy, write: Write): PolicyRule | undefined =>
  policy.rules.find((rule) => matches(rule, write))

/**
 * The rules that a write must meet: the one for its domain as it is now, and the one for its domain as it was staged, where they
 * differ. A tool that moves, either way, takes nobody's say away.
 */
export function rulesFor(policy: Policy, write: Write): readonly PolicyRule[] {
  const domains = new Set([write.domain, write.stagedDomain ?? write.domain])
  return [...new Set([...domains].flatMap((domain) => ruleFor(policy, { ...write, domain }) ?? []))]
}

const matches = (rule: PolicyRule, write: Write): boolean =>
  among(rule.tools, write.tool) &&
  among(rule.domains, write.domain) &&
  among(rule.risk, write.risk) &&
  worthEnough(rule, write.value)

const among = (list: readonly string[] | undefined, one: string): boolean => list === undefined || list.includes(one)

/**
 * When in doubt the rule applies: a value that cannot be read may be any value, so it is taken to be large enough. A tool
 * that declares no value has none, unless the rule names the tool and so expects one.
 */
function worthEnough({ minValue, tools }: PolicyRule, value: WriteValue): boolean {
  if (minValue === undefined || value === 'unreadable') return true
  if (value === null) return tools !== undefined
  return compareNumbers(sizeOf(value), minValue) >= 0
}

/** The sign is a direction, not a size. */
export const sizeOf = (value: JsonNumber): JsonNumber =>
  typeof value === 'number' ? Math.abs(value) : JSON.rawJSON(value.rawJSON.replace(/^-/, ''))

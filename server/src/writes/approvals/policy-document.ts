// A policy as it is sent and as it is stored. It is checked whole, and refused once with everything that is wrong.
import { Risk } from '@tether/contract'
import {
  compareNumbers,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  member,
  parseJson,
  present,
  shown,
  stringifyJson,
} from '../../kernel/json/index.ts'
import { longestDomain, longestRole, mostApprovers, mostListed, mostRules } from './limits.ts'
import { checkFlag, checkSpelling, faultText, isLabel, type MemberFaults, refuseUnknown, shownAny } from './members.ts'
import type { Policy, PolicyRule } from './policy.ts'

type PolicyChecked = { readonly ok: true; readonly policy: Policy } | { readonly ok: false; readonly error: string }

const FLAGS = ['requesterMayApprove', 'customerSelfConfirm', 'remindAtHalf'] as const
const RULE_MEMBERS = ['tools', 'domains', 'risk', 'minValue', 'roles', 'approvers'] as const

export function checkPolicy(sent: unknown): PolicyChecked {
  if (!isObject(sent)) {
    return {
      ok: false,
      error: `A policy is an object with "rules", a list; this is ${shownAny(sent)}.`,
    }
  }
  const value = present(sent)
  const faults: MemberFaults = []
  checkSpelling(sent, ['rules', ...FLAGS], 'The policy', faults)
  for (const name of FLAGS) checkFlag(value, name, '', faults)
  const rules = checkRules(member(value, 'rules'), faults)
  if (faults.length > 0) return { ok: false, error: faultText(faults) }
  const flag = (name: (typeof FLAGS)[number], preset: boolean) => (member(value, name) ?? preset) === true
  return {
    ok: true,
    policy: {
      rules,
      requesterMayApprove: flag('requesterMayApprove', true),
      customerSelfConfirm: flag('customerSelfConfirm', false),
      remindAtHalf: flag('remindAtHalf', false),
    },
  }
}

/** Null means "no policy from here on". A stored policy that can no longer be read must not count as null. */
export function readStored(text: string): Policy | null {
  const value = parseJson(text)
  if (value === null) return null
  const checked = checkPolicy(value)
  if (!checked.ok)
    throw new Error(`The stored approval policy cannot be read, so nothing is approved: ${checked.error}`)
  return checked.policy
}

// A policy is made of JSON alone; its numbers are written back as they came.
export const storedText = (policy: Policy | null): string => stringifyJson(policy as Json)

function checkRules(value: Json | undefined, faults: MemberFaults): PolicyRule[] {
  if (!Array.isArray(value)) {
    faults.push(`rules must be a list of rules, not ${shownAny(value)}. An empty list lets any active person approve.`)
    return []
  }
  if (value.length > mostRules) {
    faults.push(
      `There are ${value.length} rules; ${mostRules} is the most. Put tools that need the same approval into one rule.`,
    )
    return []
  }
  return value.flatMap((rule, index) => checkRule(rule, `rules[${index}]`, faults))
}

function checkRule(sent: Json, where: string, faults: MemberFaults): PolicyRule[] {
  if (!isObject(sent)) {
    faults.push(`${where} must be an object, not ${shown(sent)}.`)
    return []
  }
  const value = present(sent)
  const before = faults.length
  refuseUnknown(sent, RULE_MEMBERS, where, faults)
  for (const list of LISTS) checkList(value, list, where, faults)
  checkMinValue(member(value, 'minValue'), where, faults)
  checkApprovers(member(value, 'approvers'), where, faults)
  return faults.length === before ? [toRule(value)] : []
}

type List = { name: string; what: string; fits: (one: Json) => boolean; required?: true }

const LISTS: readonly List[] = [
  // A name that no tool can have (a wildcard, capitals) would never match, and so leave unguarded what the rule was written for.
  {
    name: 'tools',
    what: 'tool names',
    fits: (one) => typeof one === 'string' && /^[a-z][a-z0-9_]{2,63}$/.test(one),
  },
  { name: 'domains', what: 'domain names', fits: (one) => isLabel(one, longestDomain) },
  {
    name: 'risk',
    what: `risk levels (${Risk.options.join(', ')})`,
    fits: (one) => Risk.options.some((risk) => risk === one),
  },
  { name: 'roles', what: 'role names', fits: (one) => isLabel(one, longestRole), required: true },
]

function checkList(rule: JsonObject, { name, what, fits, required }: List, where: string, faults: MemberFaults): void {
  const value = member(rule, name)
  if (value === undefined && required !== true) return
  const path = `${where}.${name}`
  if (!Array.isArray(value) || value.length === 0 || value.length > mostListed) {
    const end = required === true ? '' : ' Leave it out to match any.'
    faults.push(`${path} must be a list of 1 to ${mostListed} ${what}, not ${shownAny(value)}.${end}`)
    return
  }
  const odd = value.findIndex((one) => !fits(one))
  if (odd >= 0) faults.push(`${path}[${odd}] is ${shownAny(value[odd])}. The list takes ${what}.`)
}

function checkMinValue(value: Json | undefined, where: string, faults: MemberFaults): void {
  if (value === undefined || (isNumber(value) && compareNumbers(value, 0) >= 0)) return
  faults.push(`${where}.minValue must be a number of 0 or more, not ${shown(value)}.`)
}

function checkApprovers(value: Json | undefined, where: string, faults: MemberFaults): void {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostApprovers
  if (value !== undefined && !fits)
    faults.push(`${where}.approvers must be an integer from 1 to ${mostApprovers}, not ${shown(value)}.`)
}

// The checks above compared every member with its type and let no other member through.
const toRule = (checked: JsonObject): PolicyRule => checked as unknown as PolicyRule

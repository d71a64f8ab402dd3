// What does not refuse a policy but is usually a mistake: it names what nobody has, asks for more people than there are, or
// leaves a write to whoever is active. Pure, like the judgement itself.
import type { PolicyWarningCode } from '@tether/contract'
import { shown } from '../../kernel/json/index.ts'
import type { PersonValues } from './people-plan.ts'
import type { Policy, PolicyRule, Write } from './policy.ts'

export type PolicyWarning = { code: PolicyWarningCode; rule: number | null; name: string | null; message: string }

/** As much of a tool as a rule looks at. */
export type PolicyTool = Pick<Write, 'domain' | 'risk'> & { readonly name: string; readonly isWrite: boolean }

export type PolicyPerson = Pick<PersonValues, 'userId' | 'email' | 'role' | 'active'>

const MOST_WARNINGS = 200

export function policyWarnings(
  policy: Policy,
  tools: readonly PolicyTool[],
  people: readonly PolicyPerson[],
): PolicyWarning[] {
  return cutTo(MOST_WARNINGS, [...peopleWarnings(policy, people), ...namesAndWrites(policy, tools)])
}

/** Those that a new catalog may cause. */
export const catalogWarnings = (policy: Policy, tools: readonly PolicyTool[]): PolicyWarning[] =>
  cutTo(MOST_WARNINGS, namesAndWrites(policy, tools))

function namesAndWrites({ rules }: Policy, tools: readonly PolicyTool[]): PolicyWarning[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const writes = tools.filter(({ isWrite }) => isWrite)
  const domains = new Set(writes.map(({ domain }) => domain))
  return [
    ...rules.flatMap((rule, index) => unknownNames(rule, index, { byName, domains })),
    ...writes.flatMap((write) => uncovered(rules, write)),
  ]
}

type Known = { readonly byName: ReadonlyMap<string, PolicyTool>; readonly domains: ReadonlySet<string> }

function unknownNames(rule: PolicyRule, index: number, { byName, domains }: Known): PolicyWarning[] {
  const where = `rules[${index}]`
  const tools = (rule.tools ?? []).flatMap((name): PolicyWarning[] => {
    const tool = byName.get(name)
    if (tool?.isWrite === true) return []
    return tool === undefined
      ? [
          {
            code: 'unknown_tool',
            rule: index,
            name,
            message: `${where} names the tool "${name}", which the catalog does not have. Check its name, or register it.`,
          },
        ]
      : [
          {
            code: 'not_a_write',
            rule: index,
            name,
            message: `${where} names the tool "${name}", which is a read. Reads need no approval: remove it from the rule.`,
          },
        ]
  })
  const unknownDomains = (rule.domains ?? []).filter((name) => !domains.has(name))
  return [
    ...tools,
    ...unknownDomains.map(
      (name): PolicyWarning => ({
        code: 'unknown_domain',
        rule: index,
        name,
        message: `${where} names the domain "${name}", which no write of the catalog has. Check its spelling and its capitals.`,
      }),
    ),
  ]
}

/** A rule with `minValue` covers its writes, too: whoever wrote it has thought about the smaller ones. */
function uncovered(rules: readonly PolicyRule[], { name, domain, risk }: PolicyTool): PolicyWarning[] {
  const covers = (rule: PolicyRule): boolean =>
    (rule.tools?.includes(name) ?? true) &&
    (rule.domains?.includes(domain) ?? true) &&
    (rule.risk?.includes(risk) ?? true)
  if (rules.some(covers)) return []
  const message = `No rule covers the write "${name}", so any active registered person may approve it alone. Add a rule for it if that is not meant.`
  return [{ code: 'uncovered_write', rule: null, name, message }]
}

function peopleWarnings(policy: Policy, people: readonly PolicyPerson[]): PolicyWarning[] {
  // A confirm names somebody by the id of the tenant's own system, or comes from a session, which opens with a mailed link.
  const active = people.filter(({ active, userId, email }) => active && (userId !== null || email !== null))
  if (active.length === 0) {
    const message =
      'Nobody who could approve is registered and active, so no write can be approved. Register people with a userId (PUT /v1/users), or invite them (POST /v1/users/invitations).'
    return [{ code: 'no_people', rule: null, name: null, message }]
  }
  const roles = new Set(active.map(({ role }) => role))
  return policy.rules.flatMap((rule, index) => {
    const where = `rules[${index}]`
    const unknown = rule.roles
      .filter((role) => !roles.has(role))
      .map(
        (name): PolicyWarning => ({
          code: 'unknown_role',
          rule: index,
          name,
          message: `${where} names the role ${shown(name)}, which no active registered person has. Check its spelling, or register somebody with it.`,
        }),
      )
    return [...unknown, ...tooFew(policy, rule, index, active)]
  })
}

function tooFew(
  { requesterMayApprove }: Policy,
  { roles, approvers = 1 }: PolicyRule,
  index: number,
  active: readonly PolicyPerson[],
): PolicyWarning[] {
  const count = active.filter(({ role }) => roles.includes(role)).length
  const warn = (message: string): PolicyWarning[] => [{ code: 'too_few_people', rule: index, name: null, message }]
  const needs = `rules[${index}] needs ${approvers} ${approvers === 1 ? 'person' : 'different people'}`
  if (count < approvers)
    return warn(
      `${needs}, and ${count} could approve, so what it decides can never run. Register more people with its roles, or ask for fewer.`,
    )
  if (!requesterMayApprove && count === approvers)
    return warn(
      `${needs}, and exactly ${count} could approve. If one of them asks for the write, requesterMayApprove: false leaves too few.`,
    )
  return []
}

function cutTo(most: number, warnings: readonly PolicyWarning[]): PolicyWarning[] {
  if (warnings.length <= most) return [...warnings]
  const message = `${warnings.length - most} more warnings are not shown.`
  return [...warnings.slice(0, most), { code: 'more', rule: null, name: null, message }]
}

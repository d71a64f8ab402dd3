// The rules that look at one tool alone.
import { isObject, type Json, member, shown } from '../../kernel/json/index.ts'
import { isOneLine, LONGEST_LABEL, readLabels } from '../labels/index.ts'
import type { Entry } from './entry.ts'
import { longestDomain } from './limits.ts'
import { addProblem, type CatalogRule, type Problems } from './problems.ts'
import { parseTrim } from './result-trim.ts'
import { IDEMPOTENCIES, isIdempotency, isReserved, isRisk, toolNamePattern } from './tool-spec.ts'

const rules = {
  noName: { member: 'name', says: 'have no name', fix: 'Give every tool a name such as get_order.' },
  badName: {
    member: 'name',
    says: `have a name that cannot be used (names must match ${toolNamePattern.source})`,
    fix: 'Use 3 to 64 lower-case letters, digits and underscores, beginning with a letter.',
  },
  reservedName: {
    member: 'name',
    says: 'use a name reserved for a capability the engine provides itself',
    fix: 'Give it another name.',
  },
  noDescription: {
    member: 'description',
    says: 'have no description, so the model would call them at random',
    fix: 'Say in a sentence or two what the tool does and when to use it.',
  },
  noSurface: {
    member: 'chat_eligible',
    says: 'are registered but offered on no surface',
    fix: 'Set chat_eligible or agent_eligible to true, or leave one of them out.',
  },
  badRisk: {
    member: 'risk',
    says: 'declared a risk other than low, elevated or high',
    fix: 'Use one of these three, or leave it out for low.',
  },
  riskOnRead: {
    member: 'risk',
    says: 'declared a risk level but not declared a write',
    fix: 'Risk belongs to writes: remove it, or declare is_write true.',
  },
  badIdempotency: {
    member: 'idempotency',
    says: `declared an idempotency other than ${IDEMPOTENCIES.join(' or ')}`,
    fix: 'Use "none" if the API does not recognise a write by its idempotency key, or leave it out.',
  },
  idempotencyOnRead: {
    member: 'idempotency',
    says: 'declared an idempotency but not declared a write',
    fix: 'Only a write is sent under an idempotency key: remove it, or declare is_write true.',
  },
  upstreamCustomer: {
    member: 'requires_customer',
    says: 'require a verified customer but are proxied to an MCP server',
    fix: 'An MCP server is not told who the customer is: set requires_customer to false.',
  },
  badDomain: {
    member: 'domain',
    says: `declared a domain that is not a text of 1 to ${longestDomain} characters`,
    fix: 'Use a short label such as orders, or leave it out for general.',
  },
  badExamples: {
    member: 'examples',
    says: 'have examples that are not an object mapping their own arguments to a non-empty list of values',
    fix: 'Write examples as {"<argument>": ["<value>"]}.',
  },
  valueOnRead: {
    member: 'value_from',
    says: 'declared value_from but not declared a write',
    fix: 'Remove value_from, or declare is_write true.',
  },
  badValueFrom: {
    member: 'value_from',
    says: 'have a value_from that names no argument of their own',
    fix: 'Name the argument that holds the value of the write.',
  },
  badTitle: {
    member: 'title',
    says: `have a title that is not a text of 1 to ${LONGEST_LABEL} characters on one line`,
    fix: 'Write what people call it, such as "Refund an order", or leave it out.',
  },
  badLabels: {
    member: 'labels',
    says: 'have labels that cannot be read',
    fix: `Write labels as {"ka": {"title": "<text>", "parameters": {"<argument>": "<text>"}}, "en": {...}}, with texts of 1 to ${LONGEST_LABEL} characters on one line.`,
  },
  badResult: {
    member: 'result',
    says: 'have a result that is not {"pick": ["<dot path>", ...], "max_items": <1 to 10000>}',
    fix: 'Give at least one of the two, or leave result out.',
  },
} satisfies Record<string, CatalogRule>

/** Members that are true or false, with what messages call them where that is not the member's own name. */
const flags: [name: string, called?: string][] = [
  ['is_write'],
  ['requires_scope'],
  ['requires_customer', 'requiresCustomer'],
  ['chat_eligible'],
  ['agent_eligible'],
  ['deep_analysis_only'],
  ['allow_with_image'],
  ['upstream'],
]

export function checkMembers(entry: Entry, problems: Problems): void {
  checkName(entry, problems)
  checkDescription(entry, problems)
  checkLabels(entry, problems)
  checkFlags(entry, problems)
  checkRisk(entry, problems)
  checkIdempotency(entry, problems)
  checkDomain(entry, problems)
  checkExamples(entry, problems)
  checkValueFrom(entry, problems)
  const result = member(entry.raw, 'result')
  if (result !== undefined && !parseTrim(result)) addProblem(problems, rules.badResult, entry.label)
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

function checkName({ raw, label }: Entry, problems: Problems): void {
  const name = member(raw, 'name')
  if (isEmpty(name)) addProblem(problems, rules.noName, label)
  else if (typeof name !== 'string') addProblem(problems, rules.badName, label, `its name is ${shown(name ?? null)}`)
  else if (isReserved(name)) addProblem(problems, rules.reservedName, label)
  else if (!toolNamePattern.test(name)) addProblem(problems, rules.badName, label)
}

function checkDescription({ raw, label }: Entry, problems: Problems): void {
  const description = member(raw, 'description')
  if (isEmpty(description) || typeof description !== 'string') addProblem(problems, rules.noDescription, label)
}

function checkLabels({ raw, label, arguments: own }: Entry, problems: Problems): void {
  const title = member(raw, 'title')
  if (title !== undefined && !isOneLine(title)) addProblem(problems, rules.badTitle, label, shown(title))
  const labels = member(raw, 'labels')
  if (labels === undefined) return
  const { faults } = readLabels(labels, (argument) => own === undefined || own.names.has(argument))
  for (const fault of faults) addProblem(problems, rules.badLabels, label, fault)
}

function checkFlags({ raw, label }: Entry, problems: Problems): void {
  for (const [name, called = name] of flags) {
    const value = member(raw, name)
    if (value === undefined || typeof value === 'boolean') continue
    const rule = {
      member: name,
      says: `declared ${called} as something other than true or false`,
      fix: `Set ${name} to true or false, without quotes.`,
    }
    addProblem(problems, rule, label, shown(value))
  }
  if (raw.chat_eligible === false && raw.agent_eligible === false) addProblem(problems, rules.noSurface, label)
  if (raw.requires_customer === true && raw.upstream === true) addProblem(problems, rules.upstreamCustomer, label)
}

function checkRisk({ raw, label, mayBeWrite }: Entry, problems: Problems): void {
  const risk = member(raw, 'risk')
  if (risk === undefined) return
  if (!isRisk(risk)) addProblem(problems, rules.badRisk, label, shown(risk))
  else if (risk !== 'low' && !mayBeWrite) addProblem(problems, rules.riskOnRead, label)
}

function checkIdempotency({ raw, label, mayBeWrite }: Entry, problems: Problems): void {
  const idempotency = member(raw, 'idempotency')
  if (idempotency === undefined) return
  if (!isIdempotency(idempotency)) addProblem(problems, rules.badIdempotency, label, shown(idempotency))
  else if (!mayBeWrite) addProblem(problems, rules.idempotencyOnRead, label)
}

function checkDomain({ raw, label }: Entry, problems: Problems): void {
  const domain = member(raw, 'domain')
  if (domain === undefined) return
  if (typeof domain !== 'string' || isEmpty(domain) || domain.length > longestDomain || !domain.isWellFormed())
    addProblem(problems, rules.badDomain, label)
}

function checkExamples(entry: Entry, problems: Problems): void {
  const examples = member(entry.raw, 'examples')
  if (examples === undefined) return
  if (!isObject(examples)) {
    addProblem(problems, rules.badExamples, entry.label, `examples is ${shown(examples)}`)
    return
  }
  for (const [name, values] of Object.entries(examples)) {
    if (!Array.isArray(values) || values.length === 0) addProblem(problems, rules.badExamples, entry.label, name)
    else if (entry.arguments && !entry.arguments.names.has(name))
      addProblem(problems, rules.badExamples, entry.label, `${name} is not an argument`)
  }
}

function checkValueFrom(entry: Entry, problems: Problems): void {
  const from = member(entry.raw, 'value_from')
  if (from === undefined) return
  if (!entry.mayBeWrite) addProblem(problems, rules.valueOnRead, entry.label)
  const named = typeof from === 'string' && (!entry.arguments || entry.arguments.names.has(from))
  if (!named) addProblem(problems, rules.badValueFrom, entry.label, shown(from))
}

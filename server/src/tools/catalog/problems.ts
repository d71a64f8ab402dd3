// A catalog is refused once, with everything that is wrong with it. For a person that is one sentence for each rule that is
// broken, naming the tools that break it; however broken the catalog, the message stays readable: ten names a rule, then a
// count. For a program it is a list with the tool, the member and the message of each fault.
import { cut, member } from '../../kernel/json/index.ts'

export type CatalogRule = {
  /** The member of the tool that breaks it. Null when it is the tool as a whole. */
  readonly member: string | null
  /** What the tools did, in words that follow "3 tool(s)". */
  readonly says: string
  /** The same of one tool, where it does not follow from `says`. */
  readonly one?: string
  /** What to do about it: a sentence. */
  readonly fix: string
}

export type CatalogError = { tool: string | null; member: string | null; message: string }

type BrokenRule = { rule: CatalogRule; tools: Set<string>; named: Map<string, string[]> }

export type Problems = {
  /** By what the rule says, in the order in which they came up. */
  readonly rules: Map<string, BrokenRule>
  readonly errors: CatalogError[]
  /** Those beyond the longest list. */
  unlisted: number
}

const mostNamed = 10
/** Of one tool under one rule. */
export const mostDetails = 5
const longestDetail = 200
const mostErrors = 500

export const noProblems = (): Problems => ({ rules: new Map(), errors: [], unlisted: 0 })

export function addProblem(problems: Problems, rule: CatalogRule, tool: string, detail?: string): void {
  list(problems, rule, tool, detail)
  const found = problems.rules.get(rule.says) ?? { rule, tools: new Set<string>(), named: new Map<string, string[]>() }
  problems.rules.set(rule.says, found)
  found.tools.add(tool)
  if (found.named.size >= mostNamed && !found.named.has(tool)) return
  const details = found.named.get(tool) ?? []
  found.named.set(tool, details)
  if (detail !== undefined && details.length < mostDetails) details.push(cut(detail, longestDetail))
}

function list(problems: Problems, rule: CatalogRule, tool: string, detail: string | undefined): void {
  if (problems.errors.length >= mostErrors) {
    problems.unlisted++
    return
  }
  const found = detail === undefined ? '' : ` (${cut(detail, longestDetail)})`
  const message = `The tool ${rule.one ?? ofOne(rule.says)}${found}. ${rule.fix}`
  problems.errors.push({ tool, member: rule.member, message })
}

const SINGULAR: Readonly<Record<string, string>> = {
  have: 'has',
  are: 'is',
  use: 'uses',
  require: 'requires',
  declare: 'declares',
}

/** What is said of many tools, said of one. */
const ofOne = (says: string): string =>
  says
    .replace(/^\w+/, (verb) => member(SINGULAR, verb) ?? verb)
    .replace(' but are ', ' but is ')
    .replace(/\btheir own\b/, 'its own')
    .replace(/\bthem\b/, 'it')

export function errorsOf({ errors, unlisted }: Problems): CatalogError[] {
  if (unlisted === 0) return errors
  return [...errors, { tool: null, member: null, message: `${unlisted} more errors are not listed.` }]
}

/** The whole message, or undefined when nothing is wrong. */
export function problemText(problems: Problems): string | undefined {
  if (problems.rules.size === 0) return undefined
  const sentences = [...problems.rules.values()].map(
    ({ rule, tools, named }) => `${tools.size} tool(s) ${rule.says}: ${names(named, tools.size)}. ${rule.fix}`,
  )
  return sentences.join(' ')
}

function names(named: Map<string, string[]>, tools: number): string {
  const listed = [...named]
    .map(([tool, details]) => (details.length > 0 ? `${tool} (${details.join('; ')})` : tool))
    .join(', ')
  return tools > named.size ? `${listed} and ${tools - named.size} more` : listed
}

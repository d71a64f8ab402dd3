// A catalog is refused once, with everything that is wrong with it: one sentence for each rule that is broken, naming
// the tools that break it. However broken the catalog, the message stays readable: ten names a rule, then a count.
import { cut } from '../../foundation/json/index.ts'

export type CatalogRule = {
  /** What the tools did, in words that follow "3 tool(s)". */
  says: string
  /** What to do about it: a sentence. */
  fix: string
}

/** By what the rule says, in the order in which they came up. */
export type Problems = Map<string, { rule: CatalogRule; tools: Set<string>; named: Map<string, string[]> }>

const mostNamed = 10
/** Of one tool under one rule. */
export const mostDetails = 5
const longestDetail = 200

export const noProblems = (): Problems => new Map()

export function addProblem(problems: Problems, rule: CatalogRule, tool: string, detail?: string): void {
  const found = problems.get(rule.says) ?? { rule, tools: new Set<string>(), named: new Map<string, string[]>() }
  problems.set(rule.says, found)
  found.tools.add(tool)
  if (found.named.size >= mostNamed && !found.named.has(tool)) return
  const details = found.named.get(tool) ?? []
  found.named.set(tool, details)
  if (detail !== undefined && details.length < mostDetails) details.push(cut(detail, longestDetail))
}

/** The whole message, or undefined when nothing is wrong. */
export function problemText(problems: Problems): string | undefined {
  if (problems.size === 0) return undefined
  const sentences = [...problems.values()].map(
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

import type { Language, Proposal } from '@tether/contract'
import { type JsonObject, stringifyJson } from '../../kernel/json/index.ts'
import { onOneLine, withSignsTold } from '../../kernel/text/index.ts'
import { labelsOf, titleIn } from '../../tools/labels/index.ts'
import type { Staged } from '../../writes/actions/index.ts'
import { summaryOf, titleOf } from '../../writes/writes/index.ts'

// A Georgian visitor reads no English of ours, so not the tool's name made into words either.
const UNNAMED = 'შემოთავაზებული მოქმედება'

// Whoever looks up `constructor` in these labels must find a text, and not what every object has under that name. A name with
// characters that nobody sees has a label that shows them.
const isInherited = (name: string): boolean => Object.hasOwn(Object.prototype, name)
const needsLabel = (name: string): boolean => isInherited(name) || onOneLine(name) !== name
const itself = (name: string) => [name, onOneLine(name)] as const

/** A staged write as an answer shows it, in the reader's language. */
export function proposalFor(
  { tool, arguments: given, actionId, expiresAt, token }: Extract<Staged, { kind: 'staged' }>,
  language: Language,
  mayConfirm: boolean,
): Proposal {
  const title = language === 'ka' ? (titleIn(tool, 'ka') ?? UNNAMED) : titleOf(tool, language)
  const names = Object.keys(given)
  const labels = labelsOf(tool, names, language)
  const needing = names.filter(needsLabel)
  return {
    actionId,
    tool: tool.name,
    title,
    summary: summaryOf(tool, given, language, title),
    risk: tool.risk,
    arguments: given,
    ...(labels.size === 0 && needing.length === 0
      ? {}
      : { labels: Object.fromEntries([...needing.map(itself), ...labels]) }),
    ...shownValues(given),
    expiresAt: expiresAt.toISOString(),
    ...(mayConfirm ? { confirmationToken: token } : {}),
  }
}

/** Values that a reader would misread. A widget shows these texts in their place. */
function shownValues(given: JsonObject): { shown?: Record<string, string> } {
  const texts = Object.entries(given).map(([name, value]) => {
    const text = typeof value === 'string' ? value : stringifyJson(value)
    return { name, text, shown: withSignsTold(text) }
  })
  if (texts.every(({ text, shown }) => text === shown)) return {}
  const misread = texts.filter(({ name, text, shown }) => text !== shown || isInherited(name))
  return { shown: Object.fromEntries(misread.map(({ name, shown }) => [name, shown])) }
}

/** What a model is told of it. */
export const tellProposal = ({ summary, expiresAt }: Proposal): string =>
  `Proposed, not done: "${summary}". It waits for a person to confirm it, until ${expiresAt} at the latest. Tell the visitor so, and never say that it is done.`

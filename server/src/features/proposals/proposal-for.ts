import type { Language, Proposal } from '@tether/contract'
import type { Staged } from '../actions/index.ts'
import { labelsOf, titleIn } from '../labels/index.ts'
import { summaryOf, titleOf } from '../writes/index.ts'

// A Georgian visitor reads no English of ours, so not the tool's name made into words either.
const UNNAMED = 'შემოთავაზებული მოქმედება'

// Whoever looks up `constructor` in these labels must find a text, and not what every object has under that name.
const isInherited = (name: string): boolean => name in Object.prototype
const itself = (name: string) => [name, name] as const

/** A staged write as an answer shows it, in the reader's language. */
export function proposalFor(
  { tool, arguments: given, actionId, expiresAt, token }: Extract<Staged, { kind: 'staged' }>,
  language: Language,
  mayConfirm: boolean,
): Proposal {
  const title = language === 'ka' ? (titleIn(tool, 'ka') ?? UNNAMED) : titleOf(tool, language)
  const names = Object.keys(given)
  const labels = labelsOf(tool, names, language)
  return {
    actionId,
    tool: tool.name,
    title,
    summary: summaryOf(tool, given, language, title),
    risk: tool.risk,
    arguments: given,
    ...(labels.size === 0 ? {} : { labels: Object.fromEntries([...names.filter(isInherited).map(itself), ...labels]) }),
    expiresAt: expiresAt.toISOString(),
    ...(mayConfirm ? { confirmationToken: token } : {}),
  }
}

/** What a model is told of it. */
export const tellProposal = ({ summary, expiresAt }: Proposal): string =>
  `Proposed, not done: "${summary}". It waits until ${expiresAt} for a person to confirm it. Say so, and never say that it is done.`

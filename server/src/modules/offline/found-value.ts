// A value that the visitor's words contain, and the words in which we look for it.
import type { Json, WorkBudget } from '../../kernel/json/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'

export type FoundValue = { readonly value: Json; readonly span?: string }
/** What the patterns of all tools may cost for one message, and what they said to its words already. */
export type PatternWork = WorkBudget & { readonly verdicts: Map<string, Map<string, boolean>> }
export type ReadingContext = {
  readonly source: string
  readonly taken: ReadonlySet<string>
  readonly tool: OfferedTool
  readonly work: PatternWork
}

export const TIME = /\b(?:[01]?\d|2[0-3]):[0-5]\d\b/
export const ISO = /\b(\d{4})-(\d{2})-(\d{2})\b/

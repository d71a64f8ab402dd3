// A value that the visitor's words contain, and the words in which we look for it.
import type { Json, WorkBudget } from '../../foundation/json/index.ts'
import type { OfferedTool } from '../../foundation/model/index.ts'

export type FoundValue = { readonly value: Json; readonly span?: string }
export type ReadingContext = {
  readonly source: string
  readonly taken: ReadonlySet<string>
  readonly tool: OfferedTool
  /** What the patterns of all arguments may cost together. */
  readonly work: WorkBudget
}

export const TIME = /\b(?:[01]?\d|2[0-3]):[0-5]\d\b/
export const ISO = /\b(\d{4})-(\d{2})-(\d{2})\b/

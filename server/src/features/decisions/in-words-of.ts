import type { Language } from '@tether/contract'
import type { Context } from '../../ground/context/index.ts'
import { type Action, storedArguments } from '../actions/index.ts'
import type { Catalogs, Tool } from '../catalog/index.ts'
import { labelsOf, titleIn } from '../labels/index.ts'
import { summaryOf, titleOf } from '../writes/index.ts'

/**
 * Actions with title and summary in the reader's language, by what the catalog says now. What it no longer has keeps the words
 * that were written down when it was staged.
 */
export async function inWordsOf<Row extends Action>(
  ctx: Context,
  catalogs: Catalogs,
  language: Language,
  actions: readonly Row[],
): Promise<readonly Row[]> {
  const catalog = await catalogs.of(ctx)
  return actions.map((action) => inWords(action, catalog.find(action.tool), language))
}

function inWords<Row extends Action>(action: Row, tool: Tool | undefined, language: Language): Row {
  // The words that were written down are those of the English reader, unless the business has declared some since.
  if (tool === undefined || (language === 'en' && titleIn(tool, 'en') === undefined && tool.labels.en === undefined))
    return action
  const title = titleOf(tool, language)
  return { ...action, title, summary: summaryOf(tool, storedArguments(action), language, title) }
}

const NO_LABELS: ReadonlyMap<string, string> = new Map()

/** What the arguments of an action are called, where it is not by their own names. */
export const argumentLabels = (tool: Tool | null, names: readonly string[], language: Language) =>
  tool === null ? NO_LABELS : labelsOf(tool, names, language)

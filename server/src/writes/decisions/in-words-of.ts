import type { Language } from '@tether/contract'
import { cut, type JsonObject, stringifyJson } from '../../kernel/json/index.ts'
import { withSignsTold } from '../../kernel/text/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Catalogs, Tool } from '../../tools/catalog/index.ts'
import { labelsOf, titleIn } from '../../tools/labels/index.ts'
import { type Action, storedArguments } from '../actions/index.ts'
import { shownName, summaryOf, titleOf } from '../writes/index.ts'

// A page of twenty has to be light.
const LONGEST_LINE = 240

/** The arguments in one line of a list. */
export type InLine = {
  readonly line: string
  /** False where something had to be left out of the line, so that nobody can decide by it. */
  readonly whole: boolean
}

/**
 * Actions with title and summary in the reader's language, by what the catalog says now. What it no longer has keeps the words
 * that were written down when it was staged.
 */
export async function inWordsOf<Row extends Action>(
  ctx: Context,
  catalogs: Catalogs,
  language: Language,
  actions: readonly Row[],
): Promise<readonly (Row & InLine)[]> {
  const catalog = await catalogs.of(ctx)
  return actions.map((action) => inWords(action, catalog.find(action.tool), language))
}

function inWords<Row extends Action>(action: Row, tool: Tool | undefined, language: Language): Row & InLine {
  const given = storedArguments(action)
  const lined = { ...action, ...inLine(given, argumentLabels(tool ?? null, Object.keys(given), language)) }
  // The words that were written down are those of the English reader, unless the business has declared some since.
  if (tool === undefined || (language === 'en' && titleIn(tool, 'en') === undefined && tool.labels.en === undefined))
    return lined
  const title = titleOf(tool, language)
  return { ...lined, title, summary: summaryOf(tool, given, language, title) }
}

/** A text stands in quotation marks here, so that no value reads as another argument. */
function inLine(given: JsonObject, labels: ReadonlyMap<string, string>): InLine {
  let line = ''
  for (const [name, value] of Object.entries(given)) {
    line += `${line === '' ? '' : ', '}${labels.get(name) ?? shownName(name)}: ${withSignsTold(stringifyJson(value))}`
    if (line.length > LONGEST_LINE) return { line: cut(line, LONGEST_LINE), whole: false }
  }
  return { line, whole: true }
}

const NO_LABELS: ReadonlyMap<string, string> = new Map()

/** What the arguments of an action are called, where it is not by their own names. */
export const argumentLabels = (tool: Tool | null, names: readonly string[], language: Language) =>
  tool === null ? NO_LABELS : labelsOf(tool, names, language)

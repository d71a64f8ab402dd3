import type { Block, TrialCase, TrialRun } from '@tether/contract'
import { cut, isObject, type JsonObject, member, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import { costOf, type ModelCall, usdText } from '../../kernel/model/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type Catalog, reservedName } from '../../tools/catalog/index.ts'
import { type ChosenModel, type RehearsalRooms, rehearse } from '../chat/index.ts'
import { type Chosen, type Expectation, failuresOf } from './judge.ts'
import { listenTo } from './listen.ts'
import { pretendBusiness } from './pretend-business.ts'

export type Terms = { readonly isDeep: boolean; readonly enableWriteActions: boolean }

type Playing = {
  readonly one: TrialCase
  readonly catalog: Catalog
  readonly model: ChosenModel
  readonly terms: Terms
}

const MOST_SHOWN = 20
const LONGEST_ANSWER = 4_000
const LONGEST_ARGUMENTS = 2_000

/** Plays one case with one model, and judges it. */
export async function playCase(
  ctx: Context,
  rooms: RehearsalRooms,
  { one, catalog, model, terms }: Playing,
  signal: AbortSignal,
): Promise<TrialRun> {
  const started = performance.now()
  const heard = listenTo(model.model)
  const { prompt, language, results, expect } = one
  const business = pretendBusiness(results === undefined ? {} : asJson(results))
  const asked = { prompt, language, ...terms, catalog, business, model: { ...model, model: heard.model } }
  const { frame, answer } = await rehearse(ctx, rooms, asked, signal)
  const { toolCalls, proposals, handoff, sources, resultPath, usage } = answer.meta
  // A round that was cut off made none of its calls.
  const chosen = toolCalls.flatMap(({ status }, at) => chosenOf(heard.calls[at], status))
  const words = answer.blocks.map(wordsOf).join('\n')
  const handsOver = (tool: string) => tool === reservedName
  const error = frame.type === 'error' ? { code: frame.code, message: frame.message } : null
  const failures = [
    ...(error === null ? [] : [`The turn ended with ${error.code}: ${error.message}`]),
    ...failuresOf(asExpectation(expect), { chosen, handsOver, proposals, answer: words }),
  ]
  const passed = failures.length === 0
  return {
    model: model.name,
    passed,
    failures,
    chosen: chosen.slice(0, MOST_SHOWN).map((call) => ({ ...call, arguments: shortEnough(call.arguments) })),
    proposals: proposals
      .slice(0, MOST_SHOWN)
      .map((proposal) => ({ ...proposal, arguments: shortEnough(asJson(proposal.arguments)) })),
    handoff,
    answer: cut(words, LONGEST_ANSWER),
    sources,
    resultPath,
    error,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costUsd: Number(usdText(costOf(usage, model.price))),
    durationMs: Math.round(performance.now() - started),
    ...(passed ? {} : { transcript: heard.transcript() }),
  }
}

/** What came with a request, or was staged: the parser made it, and its shape was checked. */
const asJson = (value: unknown): JsonObject => value as JsonObject

const asExpectation = (expect: TrialCase['expect']): Expectation => expect as Expectation

function chosenOf(call: ModelCall | undefined, status: Chosen['status']): Chosen[] {
  return call === undefined ? [] : [{ tool: call.name.slice(0, 64), arguments: argumentsOf(call), status }]
}

function argumentsOf({ arguments: text }: ModelCall): JsonObject | null {
  if (text.trim() === '') return {}
  try {
    const value = parseJson(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const shortEnough = (given: JsonObject | null): JsonObject | null =>
  given === null || stringifyJson(given).length > LONGEST_ARGUMENTS ? null : given

/** What somebody would read of a block. */
function wordsOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.markdown
    case 'footnote':
      return block.text
    case 'kpi':
      return together(block.label, block.value, block.unit, block.delta)
    case 'table':
      return together(block.title, ...block.columns.map(({ label }) => label), ...cellsOf(block))
    case 'ranked_list':
      return together(block.title, ...block.items.flatMap(({ label, value, detail }) => [label, value, detail]))
    case 'stacked_bar':
      return together(
        block.title,
        ...block.categories,
        ...block.series.flatMap(({ name, values }) => [name, ...values]),
      )
    case 'quick_replies':
      return together(...block.replies.map(({ label }) => label))
  }
}

const cellsOf = ({ columns, rows }: Extract<Block, { type: 'table' }>) =>
  rows.flatMap((row) => columns.map(({ key }) => member(row, key)))

const together = (...words: readonly unknown[]): string =>
  words.filter((word) => typeof word === 'string' || typeof word === 'number').join(' ')

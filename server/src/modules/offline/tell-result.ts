// Shows what a tool answered: rows as a table, fields as a list, one figure as a figure. It only shows the words in it,
// whatever they say.
import type { Language, ToolLabels } from '@tether/contract'
import { isObject, type Json, type JsonObject, member, parseJson } from '../../kernel/json/index.ts'
import type { Message, ModelCall, OfferedTool } from '../../kernel/model/index.ts'
import { readEnvelopes } from '../../kernel/model/index.ts'
import { fieldIn } from '../../tools/labels/index.ts'
import { type Phrases, phrasesOf } from './phrases.ts'
import { fieldLabel, toolLabel } from './titles.ts'

type ToolMessage = Extract<Message, { role: 'tool' }>

const MOST_ROWS = 10
const MOST_COLUMNS = 6
const MOST_FIELDS = 14
const MOST_CELL = 160

type Around = {
  readonly language: Language
  readonly tools: readonly OfferedTool[]
  readonly calls: readonly ModelCall[]
}

/** In which language, and what the business calls the arguments of this tool: members of its result have the same names. */
type Reader = { readonly language: Language; readonly labels: ToolLabels }

const labelFor = (name: string, reader: Reader): string => fieldLabel(name, reader.language, '', reader)

export function tellResult({ name, callId, text }: ToolMessage, { language, tools, calls }: Around): string {
  const [envelope] = readEnvelopes(text)
  const body = (envelope?.text ?? text).trim()
  const status = envelope?.what.split(' ').at(-1) ?? 'ok'
  const say = phrasesOf(language)
  const tool = tools.find((one) => one.name === name)
  const title = titleOf(name, tool, language)
  const reader: Reader = { language, labels: tool?.labels ?? {} }
  const failed = title === '' ? say.failedUnnamed : say.failed(title)
  if (name === 'tether_handoff' && status === 'not_configured') return say.nobodyTold
  if (name === 'tether-withdraw')
    return status === 'ok' ? say.withdrawn : (member(say.tooLate, /\bIt is (\w+)/.exec(body)?.[1] ?? '') ?? say.notDone)
  if (name === 'tether_handoff') return status === 'ok' ? say.handedOver : failed
  if (status === 'staged' || isStaged(body)) {
    const given = calls.find(({ id }) => id === callId)?.arguments ?? '{}'
    return proposalShown(language === 'en' ? summaryIn(body) : summaryOf(title, valueIn(given), reader), say)
  }
  const [isNotFound, words = ''] = /^(?:Nothing was staged\. )?Not found\. ?(.*)$/s.exec(body) ?? []
  if (isNotFound !== undefined) return say.notFound(plainLine(inLanguage(words, language)))
  if (status === 'ok') return valueShown(valueIn(body), title, reader)
  if (status === 'customer_required') return say.signIn
  const reason = /^(.{3,300}?) Nothing was staged\./s.exec(body)?.[1]
  if (reason !== undefined)
    return language === 'en' || /\p{Script=Georgian}/u.test(reason) ? say.blocked(plainLine(reason)) : say.refused
  if (status === 'precondition_failed') return say.impossible
  if (status === 'precondition_error') return say.unchecked
  if (/Nothing was (called|staged)/.test(body)) return say.refused
  return failed
}

/** In English a tool that the business calls nothing else is called by its whole name. */
function titleOf(name: string, tool: OfferedTool | undefined, language: Language): string {
  if (language === 'en') return tool?.labels?.en?.title ?? tool?.title ?? fieldLabel(name, 'en')
  return tool === undefined ? '' : toolLabel(tool, language)
}

/** A business may write "There is no such order. · ასეთი შეკვეთა არ არის." */
const inLanguage = (words: string, language: Language): string =>
  words
    .split(' · ')
    .filter((part) => /\p{Script=Georgian}/u.test(part) === (language === 'ka'))
    .join(' ')

const STAGED = /^(staged|proposed|pending|awaiting_confirmation|awaiting_approval)$/

function isStaged(body: string): boolean {
  const value = valueIn(body)
  const status = isObject(value) ? member(value, 'status') : undefined
  return typeof status === 'string' && STAGED.test(status) && isObject(value) && member(value, 'actionId') !== undefined
}

function summaryIn(body: string): string {
  const value = valueIn(body)
  const summary = isObject(value) ? member(value, 'summary') : /"([\s\S]{1,500})"\. It waits/.exec(body)?.[1]
  return typeof summary === 'string' ? summary : ''
}

/** The service's own summary is English. For another language we build one from the title and the arguments. */
function summaryOf(title: string, given: Json, reader: Reader): string {
  const values = isObject(given) ? Object.entries(given).map(([name, value]) => argumentShown(name, value, reader)) : []
  if (title === '') return values.join(', ')
  return values.length === 0 ? title : `${title} (${values.join(', ')})`
}

/** Its value alone where only a name in another language says what it is. */
function argumentShown(name: string, value: Json, reader: Reader): string {
  const label = fieldIn(reader.labels, name, reader.language)
  return label === undefined ? cell(value, reader) : `${label}: ${cell(value, reader)}`
}

const proposalShown = (summary: string, say: Phrases): string =>
  `${summary === '' ? say.stagedUnnamed : say.staged(plainLine(summary))} ${say.waits}`

/** Notices may follow the JSON. Anything that is not JSON is text. */
function valueIn(body: string): Json {
  const lines = body.split('\n')
  for (const text of [
    body,
    lines[0] ?? '',
    body.slice(0, Math.max(body.lastIndexOf('}'), body.lastIndexOf(']')) + 1),
  ]) {
    try {
      return parseJson(text)
    } catch {
      // Try the next form, then the text itself.
    }
  }
  return body
}

function valueShown(value: Json, title: string, reader: Reader): string {
  const say = phrasesOf(reader.language)
  if (value === null || value === '') return say.done
  if (Array.isArray(value)) return listShown(value, undefined, reader)
  if (!isObject(value))
    return isFigure(value) ? figure(title, value, reader) : `${say.result}\n\n${quotedBlock(String(value))}`
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one) && one.length > 0 && one.every(isObject))
  const only = Object.entries(value).find(([, one]) => Array.isArray(one))
  if (lists.length === 0 && only !== undefined && Array.isArray(only[1]) && only[1].length === 0) return say.noRows
  const fields = Object.entries(value).filter(([key]) => !lists.some(([list]) => list === key))
  if (lists.length > 0 && isEnvelopeOnly(fields))
    return lists.map(([key, rows]) => listShown(asRows(rows), key, reader)).join('\n')
  const tables = lists.map(([key, rows]) => table(asRows(rows), labelFor(key, reader), reader))
  return [`${say.result}\n\n${fieldList(fields, reader)}`, ...tables].join('\n\n')
}

const asRows = (rows: Json): Json[] => (Array.isArray(rows) ? rows : [])

/** True if there is nothing beside the list but counts and pages. */
const isEnvelopeOnly = (fields: readonly (readonly [string, Json])[]): boolean =>
  fields.every(
    ([key, value]) =>
      /^(count|total|total_count|page|pages|limit|offset|next.*|has_more|currency|status)$/i.test(key) &&
      !isObject(value),
  )

function listShown(rows: readonly Json[], key: string | undefined, reader: Reader): string {
  const say = phrasesOf(reader.language)
  if (rows.length === 0) return say.noRows
  if (!rows.every(isObject))
    return `${say.result}\n\n${rows
      .slice(0, MOST_ROWS)
      .map((row) => `- ${cell(row, reader)}`)
      .join('\n')}`
  const title = key === undefined ? undefined : labelFor(key, reader)
  return `${say.found(rows.length)}\n\n${table(rows, title, reader)}`
}

function table(rows: readonly Json[], title: string | undefined, reader: Reader): string {
  const objects = rows.filter(isObject)
  const keys = [...new Set(objects.flatMap((row) => Object.keys(row)))]
    .filter((key) => key !== '')
    .slice(0, MOST_COLUMNS)
  const columns = keys.map((key) => ({
    key: key.slice(0, 100),
    label: labelFor(key, reader).slice(0, 200),
    ...(objects.every((row) => isFigure(member(row, key) ?? 0)) ? { align: 'right' } : {}),
  }))
  const shownRows = objects.slice(0, MOST_ROWS).map((row) => pickColumns(row, keys, reader))
  const rest = objects.length - shownRows.length
  const fence = fenced('table', { ...(title === undefined ? {} : { title }), columns, rows: shownRows })
  return rest > 0 ? `${fence}\n\n${phrasesOf(reader.language).more(rest)}` : fence
}

const pickColumns = (row: JsonObject, keys: readonly string[], reader: Reader): JsonObject =>
  Object.fromEntries(
    keys.map((key) => {
      const value = member(row, key) ?? null
      return [key.slice(0, 100), typeof value === 'number' ? value : value === null ? null : cell(value, reader)]
    }),
  )

const fieldList = (fields: readonly (readonly [string, Json])[], reader: Reader): string =>
  fields
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, MOST_FIELDS)
    .map(([key, value]) => `- **${plainLine(labelFor(key, reader))}**: ${cell(value, reader)}`)
    .join('\n')

/** True for numbers, including long ones that are kept as text. */
const isFigure = (value: Json): boolean => typeof value === 'number' || JSON.isRawJSON(value)

const figure = (label: string, value: Json, reader: Reader): string =>
  fenced('kpi', { label: label === '' ? phrasesOf(reader.language).figure : label, value: String(valueText(value)) })

export const fenced = (type: string, content: object): string =>
  `\`\`\`block:${type}\n${JSON.stringify(content)}\n\`\`\``

const valueText = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function cell(value: Json, reader: Reader): string {
  const say = phrasesOf(reader.language)
  if (typeof value === 'boolean') return value ? say.yes : say.no
  if (typeof value === 'string') return plainLine(instantShown(value))
  if (value === null || isFigure(value)) return value === null ? '–' : valueText(value)
  if (Array.isArray(value))
    return plainLine(
      value
        .slice(0, 8)
        .map((one) => cell(one, reader))
        .join(', '),
    )
  const parts = isObject(value) ? Object.entries(value).slice(0, 6) : []
  return plainLine(parts.map(([key, one]) => `${labelFor(key, reader)}: ${cell(one, reader)}`).join('; '))
}

/** Shows an instant to the minute. */
const instantShown = (text: string): string => {
  const [, day, time] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/.exec(text) ?? []
  return day === undefined ? text : `${day} ${time}`
}

/** Makes one line of plain words, without a fence, a heading or a link that somebody else wrote. */
export function plainLine(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[`<>[\]*_|]/g, (mark) => (mark === '_' ? '_' : ' '))
    .replace(/ +/g, ' ')
    .trim()
  return line.length > MOST_CELL ? `${line.slice(0, MOST_CELL - 1)}…` : line
}

export const quotedBlock = (text: string): string =>
  text
    .trim()
    .slice(0, 1_200)
    .split('\n')
    .map((line) => `> ${line.replace(/[`<>[\]]/g, ' ').trimEnd()}`)
    .join('\n')

// Shows what a tool answered: rows as a table, fields as a list, one figure as a figure. It only shows the words in it,
// whatever they say.
import type { Language } from '@tether/contract'
import { isObject, type Json, type JsonObject, member, parseJson } from '../../foundation/json/index.ts'
import type { Message, ModelCall, OfferedTool } from '../../foundation/model/index.ts'
import { readEnvelopes } from '../../foundation/model/index.ts'
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

export function tellResult({ name, callId, text }: ToolMessage, { language, tools, calls }: Around): string {
  const [envelope] = readEnvelopes(text)
  const body = (envelope?.text ?? text).trim()
  const status = envelope?.what.split(' ').at(-1) ?? 'ok'
  const say = phrasesOf(language)
  const tool = tools.find((one) => one.name === name)
  const title = language === 'en' ? fieldLabel(name, 'en') : tool === undefined ? '' : toolLabel(tool, language)
  const failed = title === '' ? say.failedUnnamed : say.failed(title)
  if (name === 'tether-withdraw')
    return status === 'ok' ? say.withdrawn : say.tooLate(/\bIt is (\w+)/.exec(body)?.[1] ?? '')
  if (name === 'tether_handoff') return handoffShown(status, say)
  if (status === 'staged' || isStaged(body)) {
    const given = calls.find(({ id }) => id === callId)?.arguments ?? '{}'
    return proposalShown(language === 'en' ? summaryIn(body) : summaryOf(title, valueIn(given), language), say)
  }
  const [isNotFound, words = ''] = /^(?:Nothing was staged\. )?Not found\. ?(.*)$/s.exec(body) ?? []
  if (isNotFound !== undefined) return say.notFound(plainLine(inLanguage(words, language)))
  if (status === 'ok') return valueShown(valueIn(body), title, language)
  if (status === 'customer_required') return say.signIn
  const reason = /^(.{3,300}?) Nothing was staged\./s.exec(body)?.[1]
  if (reason !== undefined)
    return language === 'en' || /\p{Script=Georgian}/u.test(reason) ? say.blocked(plainLine(reason)) : say.refused
  if (status === 'precondition_failed') return say.impossible
  if (status === 'precondition_error') return say.unchecked
  if (/Nothing was (called|staged)/.test(body)) return say.refused
  return failed
}

function handoffShown(status: string, say: Phrases): string {
  if (status === 'ok') return say.handedOver
  return status === 'unreachable' ? say.notSureTold : say.nobodyTold
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
function summaryOf(title: string, given: Json, language: Language): string {
  const values = isObject(given) ? Object.values(given).map((value) => cell(value, language)) : []
  if (title === '') return values.join(', ')
  return values.length === 0 ? title : `${title} (${values.join(', ')})`
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

function valueShown(value: Json, title: string, language: Language): string {
  const say = phrasesOf(language)
  if (value === null || value === '') return say.done
  if (Array.isArray(value)) return listShown(value, undefined, language)
  if (!isObject(value))
    return isFigure(value) ? figure(title, value, language) : `${say.result}\n\n${quotedBlock(String(value))}`
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one) && one.length > 0 && one.every(isObject))
  const only = Object.entries(value).find(([, one]) => Array.isArray(one))
  if (lists.length === 0 && only !== undefined && Array.isArray(only[1]) && only[1].length === 0) return say.noRows
  const fields = Object.entries(value).filter(([key]) => !lists.some(([list]) => list === key))
  if (lists.length > 0 && isEnvelopeOnly(fields))
    return lists.map(([key, rows]) => listShown(asRows(rows), key, language)).join('\n')
  const tables = lists.map(([key, rows]) => table(asRows(rows), fieldLabel(key, language), language))
  return [`${say.result}\n\n${fieldList(fields, language)}`, ...tables].join('\n\n')
}

const asRows = (rows: Json): Json[] => (Array.isArray(rows) ? rows : [])

/** True if there is nothing beside the list but counts and pages. */
const isEnvelopeOnly = (fields: readonly (readonly [string, Json])[]): boolean =>
  fields.every(
    ([key, value]) =>
      /^(count|total|total_count|page|pages|limit|offset|next.*|has_more|currency|status)$/i.test(key) &&
      !isObject(value),
  )

function listShown(rows: readonly Json[], key: string | undefined, language: Language): string {
  const say = phrasesOf(language)
  if (rows.length === 0) return say.noRows
  if (!rows.every(isObject))
    return `${say.result}\n\n${rows
      .slice(0, MOST_ROWS)
      .map((row) => `- ${cell(row, language)}`)
      .join('\n')}`
  const title = key === undefined ? undefined : fieldLabel(key, language)
  return `${say.found(rows.length)}\n\n${table(rows, title, language)}`
}

function table(rows: readonly Json[], title: string | undefined, language: Language): string {
  const objects = rows.filter(isObject)
  const keys = [...new Set(objects.flatMap((row) => Object.keys(row)))]
    .filter((key) => key !== '')
    .slice(0, MOST_COLUMNS)
  const columns = keys.map((key) => ({
    key: key.slice(0, 100),
    label: fieldLabel(key, language).slice(0, 200),
    ...(objects.every((row) => isFigure(member(row, key) ?? 0)) ? { align: 'right' } : {}),
  }))
  const shownRows = objects.slice(0, MOST_ROWS).map((row) => pickColumns(row, keys, language))
  const rest = objects.length - shownRows.length
  const fence = fenced('table', { ...(title === undefined ? {} : { title }), columns, rows: shownRows })
  return rest > 0 ? `${fence}\n\n${phrasesOf(language).more(rest)}` : fence
}

const pickColumns = (row: JsonObject, keys: readonly string[], language: Language): JsonObject =>
  Object.fromEntries(
    keys.map((key) => {
      const value = member(row, key) ?? null
      return [key.slice(0, 100), typeof value === 'number' ? value : value === null ? null : cell(value, language)]
    }),
  )

const fieldList = (fields: readonly (readonly [string, Json])[], language: Language): string =>
  fields
    .filter(([, value]) => value !== null && value !== '')
    .slice(0, MOST_FIELDS)
    .map(([key, value]) => `- **${plainLine(fieldLabel(key, language))}**: ${cell(value, language)}`)
    .join('\n')

/** True for numbers, including long ones that are kept as text. */
const isFigure = (value: Json): boolean => typeof value === 'number' || JSON.isRawJSON(value)

const figure = (label: string, value: Json, language: Language): string =>
  fenced('kpi', { label: label === '' ? phrasesOf(language).figure : label, value: String(valueText(value)) })

export const fenced = (type: string, content: object): string =>
  `\`\`\`block:${type}\n${JSON.stringify(content)}\n\`\`\``

const valueText = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function cell(value: Json, language: Language): string {
  const say = phrasesOf(language)
  if (typeof value === 'boolean') return value ? say.yes : say.no
  if (typeof value === 'string') return plainLine(instantShown(value))
  if (value === null || isFigure(value)) return value === null ? '–' : valueText(value)
  if (Array.isArray(value))
    return plainLine(
      value
        .slice(0, 8)
        .map((one) => cell(one, language))
        .join(', '),
    )
  const parts = isObject(value) ? Object.entries(value).slice(0, 6) : []
  return plainLine(parts.map(([key, one]) => `${fieldLabel(key, language)}: ${cell(one, language)}`).join('; '))
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

import { createHash } from 'node:crypto'
import type { Language } from '@tether/contract'
import { canonicalText, cut, type Json, type JsonObject, member, stringifyJson } from '../../foundation/json/index.ts'
import type { Tool } from '../catalog/index.ts'
import { labelsOf, titleIn } from '../labels/index.ts'

export type Payload = {
  readonly tool: string
  readonly arguments: JsonObject
  readonly scopeId: number | null
  readonly subject: string | null
}

/** SHA-256 over what would run, in one canonical form. An approval is of these bytes and of nothing else. */
export function payloadHash({ tool, arguments: given, scopeId, subject }: Payload): string {
  const payload: Json = { arguments: given, scope_id: scopeId, subject, tool }
  return createHash('sha256').update(canonicalText(payload)).digest('hex')
}

/** What people call a tool: as it was declared, else `refund_order` as a person reads it. */
export const titleOf = (tool: Tool, language: Language = 'en'): string => titleIn(tool, language) ?? wordsOf(tool.name)

const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LONGEST_NAME = 64
const LONGEST_VALUE = 120
const LONGEST_SUMMARY = 1000

/** What would happen, in one line: what the approver sees first, before the arguments themselves. */
export function summaryOf(
  tool: Tool,
  given: JsonObject,
  language: Language = 'en',
  title = titleOf(tool, language),
): string {
  const labels = labelsOf(tool, Object.keys(given), language)
  const parts = Object.entries(given).map(([name, value]) => `${labels.get(name) ?? shownName(name)}: ${short(value)}`)
  const text = parts.length === 0 ? title : `${title} (${parts.join(', ')})`
  return cut(text, LONGEST_SUMMARY)
}

/** What is written down of a write: its words, its worth, and the hash of exactly what would run. */
export function writtenDown(tool: Tool, given: JsonObject, { scopeId, subject }: Pick<Payload, 'scopeId' | 'subject'>) {
  return {
    domain: tool.domain,
    title: titleOf(tool),
    summary: summaryOf(tool, given),
    argumentsText: stringifyJson(given),
    payloadHash: payloadHash({ tool: tool.name, arguments: given, scopeId, subject }),
    value: storedValue(worthOf(tool, given)),
  }
}

// White space, what no column can hold, and what would display the rest of the line in another order.
const NOT_SHOWN = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu

// They reverse the text after them, so that a person who confirms would read another amount, name or address.
const REVERSES_TEXT = /[\u202a-\u202e\u2066-\u2069]/

/** True if a model must not propose these arguments: a person who decides could not trust their own eyes. */
export const reversesText = (given: JsonObject): boolean => REVERSES_TEXT.test(stringifyJson(given))

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_.$ -]+$/u

/** A tool may take arguments of any name, so a name must not read like several arguments. */
function shownName(name: string): string {
  const text = name.replace(NOT_SHOWN, ' ')
  return cut(PLAIN_NAME.test(text) ? text : JSON.stringify(text), LONGEST_NAME)
}

function short(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return cut(text.replace(NOT_SHOWN, ' '), LONGEST_VALUE)
}

/** What a write is worth, where its tool names the argument that holds the value. */
export type Worth =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'number'; readonly text: string; readonly amount: number }

export function worthOf(tool: Tool, given: JsonObject): Worth {
  if (tool.valueFrom === null) return { kind: 'none' }
  const value = member(given, tool.valueFrom)
  const text = value === undefined ? '' : JSON.stringify(value)
  const amount = Number(text)
  if (!/^-?\d/.test(text) || !Number.isFinite(amount)) return { kind: 'unreadable' }
  return { kind: 'number', text, amount }
}

const SMALLEST = 1e-300

/** As it was written, unless it is so close to zero that no column holds its digits. */
export const storedValue = (worth: Worth): string | null =>
  worth.kind !== 'number' ? null : Math.abs(worth.amount) < SMALLEST ? '0' : worth.text

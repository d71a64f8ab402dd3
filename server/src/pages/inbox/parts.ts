// Small parts that several pages show.
import type { Risk } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json/index.ts'
import { seen } from '../kit/index.ts'
import { readable } from './change-fields.ts'
import type { Words } from './words-en.ts'

const MINUTE = 60_000

export const riskBadge = (risk: Risk, { risk: names }: Words): Html =>
  html`<span class="risk ${risk}">${names[risk]}</span>`

export const minutesUntil = (at: Date, now: number): number => Math.max(0, Math.floor((at.getTime() - now) / MINUTE))

const LONG = 400

/** Nothing is cut: what is long folds, and says how long it is. */
function value(text: string, { card }: Words): Html {
  if (text.length <= LONG) return html`<span class="value">${seen(text)}</span>`
  const count = [...text].length
  return html`<details class="long"><summary>${seen(text.slice(0, 80))}… (${card.characters(count)})</summary><span class="value">${seen(text)}</span></details>`
}

// What is within a value, for somebody who reads no JSON.

/** What has more in it, or nests deeper, stays one text: a page of small parts is heavy, and nobody reads it. */
const MOST_PARTS = 40
const DEEPEST = 3

/** A value of an argument or of a record, each part of it beside its own name. */
export const shown = (schema: JsonObject, json: Json, words: Words): Html =>
  hasParts(json) && partsOf(json, DEEPEST) <= MOST_PARTS
    ? within(json, words)
    : value(readable(schema, json, words), words)

/** A list of plain values reads as lines. */
const hasParts = (json: Json): json is JsonObject | Json[] =>
  isObject(json) ? Object.keys(json).length > 0 : Array.isArray(json) && json.some(isCompound)

const isCompound = (json: Json): boolean => isObject(json) || Array.isArray(json)

function partsOf(json: Json, deep: number): number {
  const parts = Array.isArray(json) ? json : isObject(json) ? Object.values(json) : []
  if (parts.length > MOST_PARTS || (deep === 0 && parts.length > 0)) return MOST_PARTS + 1
  return parts.reduce<number>((sum, part) => (sum > MOST_PARTS ? sum : sum + partsOf(part ?? null, deep - 1)), 1)
}

function within(json: Json, words: Words): Html {
  if (Array.isArray(json) && json.length > 0)
    return html`<ol class="within">${json.map((one) => html`<li>${within(one, words)}</li>`)}</ol>`
  if (isObject(json) && Object.keys(json).length > 0)
    return html`<dl class="within">${Object.entries(json).map(([name, one]) => html`<dt>${seen(name)}</dt><dd>${within(one ?? null, words)}</dd>`)}</dl>`
  return value(readable({}, json, words), words)
}

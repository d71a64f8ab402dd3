// The arguments of a write as fields, for somebody who knows the business and no JSON.
import {
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  member,
  parseJson,
  stringifyJson,
} from '../../kernel/json/index.ts'
import type { Words } from './words-en.ts'

/** How one argument is typed. */
export type FieldKind =
  | { readonly as: 'text' | 'number' | 'integer' | 'yesno' | 'structured' }
  /** One item on each line. */
  | { readonly as: 'lines'; readonly of: 'text' | 'number' }
  | { readonly as: 'choice'; readonly among: readonly string[] }

export const textOf = (value: Json): string => (typeof value === 'string' ? value : stringifyJson(value))

const typesOf = (schema: JsonObject): readonly Json[] => {
  const type = member(schema, 'type') ?? null
  return Array.isArray(type) ? type : [type]
}

/** What the tool says of an argument where it lists them; empty where it says it elsewhere. */
export function schemaOf(parameters: JsonObject, name: string): JsonObject {
  const properties = member(parameters, 'properties')
  const schema = isObject(properties) ? member(properties, name) : undefined
  return isObject(schema) ? schema : {}
}

/** The value that stands there decides: what was a text stays one, whatever is typed. */
export function kindOfField(schema: JsonObject, before: Json): FieldKind {
  if (typeof before === 'boolean') return { as: 'yesno' }
  if (typeof before === 'string') return choiceOf(schema) ?? { as: 'text' }
  if (isNumber(before)) return { as: typesOf(schema).includes('integer') ? 'integer' : 'number' }
  if (Array.isArray(before)) return kindOfList(schema, before)
  return { as: 'structured' }
}

function choiceOf(schema: JsonObject): FieldKind | undefined {
  const among = member(schema, 'enum')
  if (!Array.isArray(among) || among.length < 2) return undefined
  const texts = among.filter((one) => typeof one === 'string')
  return texts.length === among.length ? { as: 'choice', among: texts } : undefined
}

/** A line is read back as the item that it shows. */
const isLine = (item: Json): boolean => typeof item === 'string' && item.trim() === item && /^[^\r\n]+$/.test(item)

function kindOfList(schema: JsonObject, before: readonly Json[]): FieldKind {
  if (before.length > 0 && before.every(isLine)) return { as: 'lines', of: 'text' }
  if (before.length > 0 && before.every(isNumber)) return { as: 'lines', of: 'number' }
  const items = member(schema, 'items')
  const types = before.length === 0 && isObject(items) ? typesOf(items) : []
  if (types.includes('string')) return { as: 'lines', of: 'text' }
  return types.includes('number') || types.includes('integer') ? { as: 'lines', of: 'number' } : { as: 'structured' }
}

/** The text that a field begins with. */
export function typedOf(kind: FieldKind, value: Json): string {
  if (kind.as === 'lines' && Array.isArray(value)) return value.map(textOf).join('\n')
  return textOf(value)
}

/** The same for somebody who only reads it. */
export function readable(schema: JsonObject, value: Json, { change }: Pick<Words, 'change'>): string {
  if (typeof value === 'boolean') return value ? change.yes : change.no
  return typedOf(kindOfField(schema, value), value)
}

export type Fault = (words: Words['change']) => string
type Typed = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly fault: Fault }

const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?$/
const INTEGER = /^-?\d{1,400}$/
const fault = (says: Fault): Typed => ({ ok: false, fault: says })

/** A comma may mean a fraction or thousands, so a number with one is not guessed at. */
function numberIn(text: string, form: RegExp): Json | undefined {
  const digits = text.trim()
  return form.test(digits) ? parseJson(digits.replace(/^(-?)0+(?=\d)/, '$1')) : undefined
}

/** What was typed, as the argument that it means. A browser writes line breaks in its own way. */
export function readTyped(kind: FieldKind, sent: string): Typed {
  const text = sent.replaceAll('\r\n', '\n')
  switch (kind.as) {
    case 'text':
      return { ok: true, value: text }
    case 'number':
    case 'integer': {
      const { as } = kind
      const value = numberIn(text, as === 'integer' ? INTEGER : NUMBER)
      return value === undefined ? fault((words) => words[as]) : { ok: true, value }
    }
    case 'yesno':
      return text === 'true' || text === 'false' ? { ok: true, value: text === 'true' } : fault((words) => words.choice)
    case 'choice':
      return kind.among.includes(text) ? { ok: true, value: text } : fault((words) => words.choice)
    case 'lines':
      return readLines(kind.of, text)
    case 'structured':
      try {
        return { ok: true, value: parseJson(text) }
      } catch {
        return fault((words) => words.structured)
      }
  }
}

function readLines(of: 'text' | 'number', text: string): Typed {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (of === 'text') return { ok: true, value: lines.map((line) => line.trim()) }
  const numbers = lines.map((line) => numberIn(line, NUMBER))
  const read = numbers.filter((one) => one !== undefined)
  return read.length === lines.length ? { ok: true, value: read } : fault((words) => words.numbers)
}

/** Why a value does not fit its argument, by what the tool says of it; the rule is said only where it can be in few words. */
export function ruleOf(schema: JsonObject): Fault {
  const said = (name: string) => {
    const limit = member(schema, name)
    return isNumber(limit) ? textOf(limit) : undefined
  }
  return (words) => {
    const rules = (Object.keys(words.rules) as (keyof Words['change']['rules'])[]).flatMap((name) => {
      const limit = said(name)
      return limit === undefined ? [] : [words.rules[name](limit)]
    })
    return [words.notAllowed, ...rules].join(' ')
  }
}

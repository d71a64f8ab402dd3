// The arguments of a tool as its schema declares them, and the kind of each.
import { isObject, type JsonObject, member } from '../../kernel/json/index.ts'
import { memoized } from '../../kernel/memo/index.ts'
import type { OfferedTool } from '../../kernel/model/index.ts'
import { meet, termsIn } from './words.ts'

export type Property = {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly choices: readonly string[]
  readonly required: boolean
  readonly schema: JsonObject
}

export const propertiesOf = (parameters: unknown): readonly Property[] =>
  isObject(parameters) ? readProperties(parameters) : []

const readProperties = memoized((parameters: JsonObject): readonly Property[] => {
  const properties = member(parameters, 'properties')
  const required = member(parameters, 'required')
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return []
    const type = [member(schema, 'type')].flat().find((one) => typeof one === 'string' && one !== 'null')
    const choices = member(schema, 'enum')
    const description = member(schema, 'description')
    return {
      name,
      type: typeof type === 'string' ? type : 'string',
      description: typeof description === 'string' ? description : '',
      choices: Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : [],
      required: Array.isArray(required) && required.includes(name),
      schema,
    }
  })
})

/** `free`: the visitor's own words, such as a name or a place. `other`: a type that we cannot read from words. */
export type Kind =
  | 'choice'
  | 'number'
  | 'pattern'
  | 'email'
  | 'date'
  | 'time'
  | 'phone'
  | 'search'
  | 'code'
  | 'reason'
  | 'free'
  | 'other'

const SEARCHES = /^(q|query|search|text|term|keywords?|phrase|question)$/
const CODES = /(^|_)(id|ids|number|no|code|sku|ref|reference|tracking)$/
const CODED = /\b(number|code|id|identifier)\b|ნომერ|კოდ/iu
const REASONS = /reason|note|comment|message/

export function kindOf({ name, type, description, choices, schema }: Property): Kind {
  if (choices.length > 0) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return 'other'
  const format = member(schema, 'format')
  if (typeof member(schema, 'pattern') === 'string') return 'pattern'
  if (format === 'email' || /e?mail$/.test(name)) return 'email'
  if (format === 'date' || /(^|_)(date|day)$/.test(name)) return 'date'
  if (format === 'time' || /(^|_)time$/.test(name)) return 'time'
  if (/phone|mobile/.test(name)) return 'phone'
  if (SEARCHES.test(name)) return 'search'
  if (CODES.test(name) || CODED.test(description)) return 'code'
  return REASONS.test(name) ? 'reason' : 'free'
}

export const isSearched = ({ name }: Pick<Property, 'name'>): boolean => SEARCHES.test(name)

/** True for a tool that takes search words. */
export const isSearch = (tool: OfferedTool): boolean => propertiesOf(tool.parameters).some(isSearched)

// "City such as Tbilisi or Batumi": what follows is not what the argument is, but what it may be.
const EXAMPLES =
  /[\s,;:(]*(?:\b(?:such as|e\.\s?g\.|for example|for instance|like|examples?:)|(?<!\p{L})(?:მაგალითად|მაგ\.|როგორიცაა))[\s,:]*([^.;()·]+)/giu
const IN_QUOTES = /["“”„«'‘]([^"“”„«»'‘’]{1,40})["“”»'’]/gu
const BETWEEN = /\s*,\s*(?:(?:or|and|ან|და)\s+)?|\s+(?:or|and|ან|და)\s+/iu
const LONGEST_EXAMPLE = 40

/** The values that its description, or its schema, gives as examples. */
export function examplesOf({ description, schema }: Property): string[] {
  const declared = [member(schema, 'examples') ?? []].flat().filter((one) => typeof one === 'string')
  const told = [...description.matchAll(EXAMPLES)].flatMap(([, list = '']) => {
    const inQuotes = [...list.matchAll(IN_QUOTES)].map(([, one = '']) => one)
    return inQuotes.length > 0 ? inQuotes : list.split(BETWEEN)
  })
  return [...declared, ...told].map((one) => one.trim()).filter((one) => one !== '' && one.length <= LONGEST_EXAMPLE)
}

/** The words for the argument itself. */
export const ownTerms = ({ name, description }: Property): ReadonlySet<string> =>
  new Set([...termsIn(name.replaceAll('_', ' ')), ...termsIn(description.replace(EXAMPLES, ' '))])

const PLACES = /city|town|context|country|region|district|location|destination|origin|ქალაქ|უბან|უბნ|რაიონ|ადგილ/iu
const PEOPLE = /\b(?:person|name|author|owner|with|whom?)\b|სახელ/iu
const STREETS = /address|street|მისამართ/iu

const about = ({ name, description }: Property): string =>
  `${name.replaceAll('_', ' ')} ${description.replace(EXAMPLES, ' ')}`

export const isPlace = (property: Property): boolean => PLACES.test(about(property))
export const isPerson = (property: Property): boolean => PEOPLE.test(about(property))
export const isStreet = (property: Property): boolean => STREETS.test(about(property))
/** What has a name of its own, which is written with a capital or stands behind a preposition. */
export const isEntity = (property: Property): boolean => isPlace(property) || isPerson(property) || isStreet(property)

/** True if the argument names the thing of the tool, as `loan` does for `renew_loan`. */
export const isThingOf = (property: Property, tool: OfferedTool): boolean =>
  meet(termsIn(property.name.replaceAll('_', ' ')), termsIn(tool.name.replaceAll('_', ' ')))

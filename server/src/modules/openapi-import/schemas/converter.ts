import { cut, isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import { DocumentRefused, isTrue, listOf, objectOf, type Reading, referenceOf, textOf } from '../document/reading.ts'
import { mostSchemaNodes } from '../limits.ts'
import { nullable, plainKeywords, typeOf } from './keywords.ts'
import type { Shape } from './shape.ts'

/** A schema in the form of JSON Schema 2020-12. */
export type Converted = {
  readonly schema: Json
  /** Something was cut off because it was too deep. */
  readonly isCut: boolean
  /** The definitions that it refers to. */
  readonly uses: ReadonlySet<string>
}

/** Converts schemas of one document in one shape. What is converted once is shared by every tool that uses it. */
export type Converter = {
  /** Of a description. */
  readonly longest: number
  convert(schema: Json | undefined): Converted
  /** One of the definitions that a converted schema refers to. */
  definition(name: string): Converted | undefined
}

/** Counts the values that are converted: in all shapes together, and for the present tool in the present shape. */
export type Effort = { left: number; leftOfTool: number }
export const newEffort = (): Effort => ({ left: mostSchemaNodes, leftOfTool: 0 })

/** Thrown where a tool takes too much work in this shape. The next one is smaller. */
export class ShapeTooLarge extends Error {}

type Conversion = {
  readonly reading: Reading
  readonly shape: Shape
  readonly effort: Effort
  /** Definitions by the text of the reference to them, and the other way about. */
  readonly names: Map<string, string>
  readonly references: Map<string, string>
  /** What stands in the place of a reference, by level and reference. */
  readonly inlined: Map<string, Converted>
  nesting: number
}
type Making = { isCut: boolean; readonly uses: Set<string> }
type Put = (name: string, value: Json | undefined) => void

const CUT: Converted = { schema: {}, isCut: true, uses: new Set() }
/** Of schemas inside of each other, by `allOf` too, which adds no level. */
const deepestNesting = 150

export function openConverter(reading: Reading, shape: Shape, effort: Effort): Converter {
  const conversion: Conversion = {
    reading,
    shape,
    effort,
    names: new Map(),
    references: new Map(),
    inlined: new Map(),
    nesting: 0,
  }
  const definitions = new Map<string, Converted>()
  return {
    longest: shape.description.longest,
    convert(schema) {
      conversion.nesting = 0
      return convertAt(conversion, schema, 0)
    },
    definition(name) {
      const reference = conversion.references.get(name)
      const known = definitions.get(name)
      if (known !== undefined || reference === undefined) return known
      const made = convertAt(conversion, reading.target(reference), 1)
      definitions.set(name, made)
      return made
    },
  }
}

/** Level 0 is an argument. */
function convertAt(conversion: Conversion, schema: Json | undefined, level: number): Converted {
  const making: Making = { isCut: false, uses: new Set() }
  return { schema: inner(conversion, schema, level, making), ...making }
}

function inner(conversion: Conversion, schema: Json | undefined, level: number, making: Making): Json {
  const { effort, shape } = conversion
  spend(effort, 1)
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) return {}
  const reference = referenceOf(schema)
  if (reference !== undefined) return referred(conversion, schema, reference, level, making)
  if (level > shape.depth || conversion.nesting >= deepestNesting) {
    making.isCut = true
    return typeAlone(schema)
  }
  conversion.nesting++
  const made = nullable(schema, ownKeywords(conversion, schema, level, making))
  conversion.nesting--
  return made
}

function spend(effort: Effort, nodes: number): void {
  effort.left -= nodes
  effort.leftOfTool -= nodes
  if (effort.left < 0) throw tooMuchWork
  if (effort.leftOfTool < 0) throw new ShapeTooLarge()
}

const tooMuchWork = new DocumentRefused(
  `The schemas of the declared operations take more than ${mostSchemaNodes} steps to convert. Declare fewer operations, or skip those with the largest bodies.`,
)

/** What a schema says beside `$ref` is not read, but for a description and for null. */
function referred(
  conversion: Conversion,
  schema: JsonObject,
  reference: string,
  level: number,
  making: Making,
): JsonObject {
  const found =
    conversion.shape.references === 'defs'
      ? defined(conversion, reference, making)
      : inPlace(conversion, reference, level, making)
  const description = describe(conversion.shape, schema, level)
  const says = description === undefined ? {} : { description }
  return nullable(schema, isObject(found) ? { ...found, ...says } : says)
}

/** The definition itself is converted when a tool needs it: it may refer to itself, and a chain of them may be long. */
function defined(
  { reading, names, references }: Conversion,
  reference: string,
  making: Making,
): JsonObject | undefined {
  if (!isObject(reading.target(reference))) return undefined
  const name = names.get(reference) ?? freeName(reference, references)
  names.set(reference, name)
  references.set(name, reference)
  making.uses.add(name)
  return { $ref: `#/$defs/${name}` }
}

/** By depth, so that one that contains itself ends there. */
function inPlace(conversion: Conversion, reference: string, level: number, making: Making): Json {
  const { inlined, reading, nesting } = conversion
  const key = `${level} ${reference}`
  const known = inlined.get(key)
  if (known === undefined) {
    // While it is open, whatever leads back to it on the same level is a circle.
    inlined.set(key, CUT)
    const target = reading.follow({ $ref: reference })
    try {
      inlined.set(key, nesting >= deepestNesting ? CUT : convertAt(conversion, target, level))
    } catch (error) {
      // What was given up is not what stands here.
      inlined.delete(key)
      throw error
    }
  }
  const made = inlined.get(key) ?? CUT
  making.isCut ||= made.isCut
  return made.schema
}

function describe({ description }: Shape, schema: JsonObject, level: number): string | undefined {
  if (level >= description.levels) return undefined
  const text = textOf(schema, 'description')
  return text === '' ? undefined : cut(text, description.longest)
}

function ownKeywords(conversion: Conversion, schema: JsonObject, level: number, making: Making): JsonObject {
  const made: [string, Json][] = []
  const put: Put = (name, value) => {
    if (value !== undefined) made.push([name, value])
  }
  const each = (list: readonly Json[], at: number): Json[] | undefined =>
    list.length === 0 ? undefined : list.map((one) => inner(conversion, one, at, making))
  put('type', typeOf(schema))
  put('description', describe(conversion.shape, schema, level))
  for (const [name, value] of plainKeywords(schema)) put(name, value)
  putMembers(conversion, schema, level, making, put)
  const items = member(schema, 'items')
  // A list of schemas is how draft 4 wrote what 2020-12 calls prefixItems.
  if (isObject(items) || typeof items === 'boolean') put('items', inner(conversion, items, level + 1, making))
  put('prefixItems', each(Array.isArray(items) ? items : listOf(schema, 'prefixItems'), level + 1))
  put('allOf', each(schemasIn(schema, 'allOf'), level))
  // Exactly one of several that were cut, or lost what only answers hold, may be none: any of them will do.
  const anyOf = schemasIn(schema, 'anyOf')
  put('anyOf', each(anyOf.length > 0 ? anyOf : schemasIn(schema, 'oneOf'), level))
  return Object.fromEntries(made)
}

const schemasIn = (schema: JsonObject, name: string): Json[] =>
  listOf(schema, name).filter((one) => isObject(one) || typeof one === 'boolean')

function putMembers(conversion: Conversion, schema: JsonObject, level: number, making: Making, put: Put): void {
  const { shape, reading, effort } = conversion
  // Before they are looked at: they may be a hundred thousand.
  spend(effort, Object.keys(objectOf(schema, 'properties')).length)
  const isDeepest = level + 1 > shape.depth
  const { members, required } = sendableMembers(reading, schema)
  if (members.length > 0 && isDeepest) {
    making.isCut = true
    const names = `Members: ${members.map(([name]) => name).join(', ')}.`
    const texts = [describe(shape, schema, level), names].filter((text) => text !== undefined)
    put('description', cut(texts.join(' '), longestMembers))
  } else if (members.length > 0) {
    const made = members.map(([name, sent]) => [name, inner(conversion, sent, level + 1, making)])
    put('properties', Object.fromEntries(made))
  }
  // What is cut away cannot be asked for, and what the tool no longer names may be sent all the same.
  if (isDeepest) return
  if (required.size > 0) put('required', [...required])
  const more = member(schema, 'additionalProperties')
  if (typeof more === 'boolean') put('additionalProperties', more)
  else if (isObject(more)) put('additionalProperties', inner(conversion, more, level + 1, making))
}

/** The names of members that are cut away, as a description gives them. */
const longestMembers = 600

/** The members of an object, without those that only answers hold. */
function sendableMembers(
  reading: Reading,
  schema: JsonObject,
): { members: [string, Json][]; required: ReadonlySet<string> } {
  const required = new Set(listOf(schema, 'required').filter((name) => typeof name === 'string'))
  const members = Object.entries(objectOf(schema, 'properties')).filter(([name, sent]) => {
    const seen = isObject(sent) ? reading.follow(sent) : undefined
    const isAnswer = seen !== undefined && isTrue(seen, 'readOnly')
    if (isAnswer) required.delete(name)
    // Draft 3 wrote it into the member.
    else if (seen !== undefined && isTrue(seen, 'required')) required.add(name)
    return !isAnswer
  })
  return { members, required }
}

/** The last step of a reference, in characters that need no escape in another one. */
function freeName(reference: string, taken: ReadonlyMap<string, string>): string {
  const last = reference.slice(-200).split('/').at(-1) ?? ''
  const base = last.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60) || 'part'
  for (let count = 1; ; count++) {
    const next = count === 1 ? base : `${base}_${count}`
    if (!taken.has(next)) return next
  }
}

function typeAlone(schema: JsonObject): JsonObject {
  const type = typeOf(schema)
  return nullable(schema, type === undefined ? {} : { type })
}

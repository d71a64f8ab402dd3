import { type Json, type JsonObject, measureJson, member, turnOf, type Work } from '../../kernel/json/index.ts'
import { mostCatalogCharacters, prepareParameters } from '../../tools/catalog/index.ts'
import type { Declared } from './declarations.ts'
import type { Operation } from './document/operations.ts'
import { DocumentRefused, type Reading, textOf } from './document/reading.ts'
import type { InputType } from './input-type.ts'
import { largestSchema, longestDescription } from './limits.ts'
import { memoryOf } from './registered.ts'
import { bare, openParameterMaker, type ParameterMaker, type Parameters } from './schemas/parameters.ts'

export type Made = {
  readonly tool: JsonObject
  readonly declared: Declared
  readonly parameters: Parameters
  /** Of the whole tool, as compact JSON. */
  readonly characters: number
}

/** A catalog that does not fit with schemas of the usual size is tried with smaller ones. */
const SIZES = [largestSchema, largestSchema / 4, largestSchema / 16] as const
/** Below what a catalog may hold, which is counted a little differently. */
const mostCharacters = mostCatalogCharacters - 256 * 1024
const mostValues = 390_000

/** Makes a tool of each declared operation. */
export function* makeTools(reading: Reading, declared: readonly Declared[], typeOf: InputType): Work<Made[]> {
  const maker = openParameterMaker(reading)
  for (const most of SIZES) {
    const made = yield* makeAll(maker, declared, typeOf, most)
    if (made !== undefined) return made
  }
  throw new DocumentRefused(
    `The catalog would hold more than ${mostCharacters} characters or ${mostValues} values, even with the schemas cut down. Declare fewer operations: skip what no assistant needs.`,
  )
}

function* makeAll(
  maker: ParameterMaker,
  declared: readonly Declared[],
  typeOf: InputType,
  most: number,
): Work<Made[] | undefined> {
  const all: Made[] = []
  let characters = 0
  let values = 0
  const isTurnOver = turnOf(20)
  for (const one of declared) {
    const made = yield* makeTool(maker, one, typeOf, most)
    characters += made.characters
    values += made.values
    if (characters > mostCharacters || values > mostValues) return undefined
    all.push(made)
    if (isTurnOver(1)) yield
  }
  return all
}

function* makeTool(
  maker: ParameterMaker,
  declared: Declared,
  typeOf: InputType,
  most: number,
): Work<Made & { readonly values: number }> {
  const { operation, inputs, said, isWrite } = declared
  const made = yield* maker(inputs, most)
  // What a stranger's schema may hold that the catalog refuses is not worth an import.
  const prepared = yield* prepareParameters(made.schema)
  const parameters = prepared.ok ? made : bare(inputs)
  const text = (name: string): string => {
    const value = member(said, name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const examples = examplesOf(declared)
  const tool: JsonObject = {
    name: text('name') || operation.name,
    description: text('description') || descriptionOf(operation),
    is_write: isWrite,
    ...copied(said, 'title', 'labels', 'risk', 'domain', 'requires_customer'),
    parameters: parameters.schema,
    ...copied(said, 'precondition', 'verify', 'idempotency'),
    ...(examples === undefined ? {} : { examples }),
    http: bindingOf(declared, typeOf),
  }
  const measured = measureJson(tool, { maxDepth: 100, maxSize: mostCatalogCharacters })
  return {
    tool,
    declared,
    parameters,
    characters: measured.ok ? measured.size : mostCatalogCharacters,
    values: measured.ok ? measured.values : 0,
  }
}

const copied = (said: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = member(said, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A tool must have words. Where the document has none, the request itself says a little. */
const descriptionOf = ({ description, method, path }: Operation): string =>
  description.slice(0, longestDescription).trim() || `${method} ${path.slice(0, 300)}`

function bindingOf({ operation, inputs, said }: Declared, typeOf: InputType): JsonObject {
  const { method, route, body } = operation
  const hasBody = inputs.some(({ place }) => place.in === 'body')
  return {
    method,
    path: route.path,
    query: route.query.map(({ name, value }) => ({ name, value })),
    headers: [],
    body: hasBody ? body.kind : null,
    ...(hasBody && body.mediaType !== undefined ? { mediaType: body.mediaType } : {}),
    arguments: Object.fromEntries(inputs.map(({ argument, place }) => [argument, { ...place }])),
    outcomes: member(said, 'outcomes') ?? {},
    operation: memoryOf(operation, typeOf),
  }
}

function examplesOf({ inputs }: Declared): JsonObject | undefined {
  const examples = inputs.flatMap(({ argument, examples: values }): [string, Json][] =>
    values.length === 0 ? [] : [[argument, [...values]]],
  )
  return examples.length === 0 ? undefined : Object.fromEntries(examples)
}

/** How many tokens a model reads of a tool with every turn: a quarter of its characters. */
export const tokensOf = ({ tool, parameters }: Made): number =>
  Math.ceil((textLength(tool, 'name') + textLength(tool, 'description') + parameters.size) / 4)

const textLength = (tool: JsonObject, name: string): number => textOf(tool, name).length

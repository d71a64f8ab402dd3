import {
  cut,
  isObject,
  type Json,
  type JsonObject,
  measureJson,
  turnOf,
  type Work,
} from '../../../kernel/json/index.ts'
import type { Input } from '../document/inputs.ts'
import type { Reading } from '../document/reading.ts'
import { mostToolNodes } from '../limits.ts'
import { type Converter, type Effort, newEffort, openConverter, ShapeTooLarge } from './converter.ts'
import { LADDER } from './shape.ts'

export type Parameters = {
  readonly schema: JsonObject
  readonly size: number
  readonly values: number
  readonly isTrimmed: boolean
}
/** What the schema of an argument is made from, and what the declaration says of it. */
export type Argument = Pick<Input, 'argument' | 'schema' | 'required' | 'description'>

/** Makes the `parameters` of tools: each in the first shape of the ladder that fits in so many characters. */
export type ParameterMaker = (inputs: readonly Argument[], most: number) => Work<Parameters>

const mostDefinitions = 2_000
/** Values of schemas that are converted before other requests get a turn. */
const nodesPerTurn = 5_000
const mostValues = 10_000
/** Whole, or with every reference: nothing is missing then. */
const untrimmed = 2

export function openParameterMaker(reading: Reading): ParameterMaker {
  const effort: Effort = newEffort()
  const converters = LADDER.map((shape) => openConverter(reading, shape, effort))
  const isTurnOver = turnOf(nodesPerTurn)
  return function* (inputs, most) {
    let smallest: Parameters | undefined
    for (const [rung, converter] of converters.entries()) {
      const { left } = effort
      const made = attempted(effort, () => parametersOf(converter, inputs, rung === 0))
      // A shape that is given up has taken as much as one that fits.
      if (isTurnOver(left - effort.left)) yield
      if (made === undefined) continue
      const measured = measureJson(made, {
        maxDepth: 90,
        maxSize: rung === LADDER.length - 1 ? lastResort : most,
        maxValues: mostValues,
      })
      if (!measured.ok) continue
      const { size, values } = measured
      smallest = { schema: made, size, values, isTrimmed: rung >= untrimmed }
      break
    }
    return smallest ?? bare(inputs)
  }
}

/** Undefined where the work for one tool becomes too much. */
function attempted<T>(effort: Effort, work: () => T): T | undefined {
  effort.leftOfTool = mostToolNodes
  try {
    return work()
  } catch (error) {
    if (error instanceof ShapeTooLarge) return undefined
    throw error
  }
}

/** The bottom of the ladder is taken even where it is larger than a tool should be. */
const lastResort = 200_000

function parametersOf(converter: Converter, inputs: readonly Argument[], mustBeWhole: boolean): JsonObject | undefined {
  const properties: [string, Json][] = []
  const uses = new Set<string>()
  for (const { argument, schema, description } of inputs) {
    const made = converter.convert(schema)
    if (made.isCut && mustBeWhole) return undefined
    for (const name of made.uses) uses.add(name)
    properties.push([argument, described(made.schema, cut(description, converter.longest))])
  }
  const definitions: [string, Json][] = []
  // It grows while it is walked, until nothing new is referred to.
  for (const name of uses) {
    if (definitions.length >= mostDefinitions) return undefined
    const made = converter.definition(name)
    definitions.push([name, made?.schema ?? {}])
    for (const further of made?.uses ?? []) uses.add(further)
  }
  return assembled(inputs, properties, definitions)
}

/** What the input says of itself counts before what its schema says. */
function described(schema: Json, description: string): Json {
  if (description === '') return schema
  return isObject(schema) ? { ...schema, description } : { description }
}

function assembled(
  inputs: readonly Argument[],
  properties: [string, Json][],
  definitions: [string, Json][],
): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: inputs.flatMap(({ argument, required }) => (required ? [argument] : [])),
    additionalProperties: false,
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  }
}

/** Names alone, for what has no schema that can be sent. */
export function bare(inputs: readonly Argument[]): Parameters {
  const schema = assembled(
    inputs,
    inputs.map(({ argument }) => [argument, {}]),
    [],
  )
  const measured = measureJson(schema, { maxDepth: 5, maxSize: Number.POSITIVE_INFINITY })
  return { schema, size: measured.ok ? measured.size : 0, values: measured.ok ? measured.values : 0, isTrimmed: true }
}

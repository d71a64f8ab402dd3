// Values that a schema allows, or nearly: made from the schema itself, so that a new route needs no new generator.
import type { JsonSchema, Reference } from '../rig/reference.ts'
import type { Harvest } from './harvest.ts'
import { type JsonTree, rawJson, textJson, treeOf } from './json-tree.ts'
import { oddNumber, oddText } from './oddities.ts'
import type { Random } from './random.ts'

export type Maker = {
  readonly reference: Pick<Reference, 'resolve'>
  readonly harvest: Pick<Harvest, 'pick'>
  readonly random: Random
}

const deepest = 6

/** A value of the schema. `name` is what its owner calls it: a value that the service gave under that name is tried too. */
export function valueFor(maker: Maker, given: JsonSchema, name: string, depth = 0): JsonTree {
  const { random, reference } = maker
  const schema = reference.resolve(given)
  const examples = listOf(schema.examples)
  if (examples.length > 0 && random.chance(0.3)) return treeOf(random.pick(examples))
  if ('const' in schema) return treeOf(schema.const)
  const choices = listOf(schema.enum)
  if (choices.length > 0) return treeOf(random.pick(choices))
  const variants = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (variants.length > 0) return valueFor(maker, asSchema(random.pick(variants)), name, depth + 1)
  const all = listOf(schema.allOf)
  if (all.length > 0)
    return valueFor(maker, Object.assign({}, ...all.map(asSchema).map(reference.resolve)), name, depth + 1)
  return valueOfType(maker, schema, name, depth)
}

function valueOfType(maker: Maker, schema: JsonSchema, name: string, depth: number): JsonTree {
  const { random } = maker
  const types = listOf(schema.type)
  const type = types.length > 0 ? random.pick(types) : schema.type
  const harvested = random.chance(0.3) ? maker.harvest.pick(name, random) : undefined
  if (harvested !== undefined && (typeof harvested === 'string') === (type === 'string')) return treeOf(harvested)
  if (type === 'string') return textJson(textOf(schema, random))
  if (type === 'integer' || type === 'number') return rawJson(numberOf(schema, random, type === 'integer'))
  if (type === 'boolean') return rawJson(random.pick(['true', 'false']))
  if (type === 'null') return rawJson('null')
  if (type === 'array') return arrayOf(maker, schema, name, depth)
  if (type === 'object') return objectOf(maker, schema, depth)
  return anything(random)
}

function objectOf(maker: Maker, schema: JsonSchema, depth: number): JsonTree {
  const { random } = maker
  const required = new Set(listOf(schema.required))
  const chance = depth > deepest ? 0 : 0.6
  const members = Object.entries(asSchema(schema.properties ?? {}))
    .filter(([name]) => required.has(name) || random.chance(chance))
    .map(([name, member]): [string, JsonTree] => [name, valueFor(maker, asSchema(member), name, depth + 1)])
  const open = schema.additionalProperties
  if (typeof open === 'object' && depth <= deepest) {
    for (let left = random.int(3); left > 0; left--) {
      members.push([oddText(random), valueFor(maker, asSchema(open), '', depth + 1)])
    }
  }
  return { kind: 'object', members }
}

function arrayOf(maker: Maker, schema: JsonSchema, name: string, depth: number): JsonTree {
  const length = depth > deepest ? 0 : Number(schema.minItems ?? 0) + maker.random.int(4)
  const items = asSchema(schema.items ?? {})
  return { kind: 'list', items: Array.from({ length }, () => valueFor(maker, items, name, depth + 1)) }
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:30:00.000Z',
  date: '2026-11-21',
  uuid: '0190b2e0-7c3a-7000-8000-000000000000',
  email: 'somebody@shop.example',
  uri: 'https://shop.example/path',
}

function textOf(schema: JsonSchema, random: Random): string {
  const formatted = FORMATS[String(schema.format)]
  if (formatted !== undefined && random.chance(0.7)) return formatted
  const longest = Number(schema.maxLength ?? 200)
  const shortest = Number(schema.minLength ?? 0)
  const kind = random.weighted({ plain: 5, odd: 3, longest: 1, shortest: 1 })
  if (kind === 'odd') return oddText(random)
  if (kind === 'longest') return 'm'.repeat(longest)
  if (kind === 'shortest') return 's'.repeat(shortest)
  return random.pick(['Corner Shop', 'somebody@shop.example', 'agent', 'secret', 'ci', 'answers', 'en', 'ka', 'a b c'])
}

function numberOf(schema: JsonSchema, random: Random, whole: boolean): string {
  const [least, most] = [Number(schema.minimum ?? schema.exclusiveMinimum ?? 0), Number(schema.maximum ?? 100)]
  const edges = [least, least + 1, most, most - 1].map(String)
  const kind = random.weighted({ small: 4, edge: 3, odd: 2 })
  if (kind === 'odd') return oddNumber(random)
  if (kind === 'edge') return random.pick(edges)
  return whole ? String(1 + random.int(20)) : (random.next() * 100).toFixed(random.int(7))
}

const anything = (random: Random): JsonTree =>
  random.pick([
    rawJson('null'),
    rawJson('[]'),
    rawJson('{}'),
    rawJson('1'),
    textJson('x'),
    treeOf({ a: [1, { b: null }] }),
  ])

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

// A schema within a schema is an object, or `true`, which has no keywords either.
const asSchema = (schema: unknown): JsonSchema => schema as JsonSchema

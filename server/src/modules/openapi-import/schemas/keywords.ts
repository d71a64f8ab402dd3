import {
  checkPattern,
  compareNumbers,
  isNumber,
  type Json,
  type JsonObject,
  kindOf,
  member,
} from '../../../kernel/json/index.ts'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

export function typeOf(schema: JsonObject): Json | undefined {
  const type = member(schema, 'type')
  if (type === 'file') return 'string'
  if (typeof type === 'string') return TYPES.has(type) ? type : undefined
  if (!Array.isArray(type)) return undefined
  const known = [...new Set(type.filter((one) => typeof one === 'string' && TYPES.has(one)))]
  return known.length === 0 ? undefined : known
}

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const
const longestDefault = 200

/** Keywords that hold no schema. One whose value is of the wrong kind is dropped: the API knows what it meant. */
export function* plainKeywords(schema: JsonObject): Generator<[string, Json]> {
  const { enum: choices, const: fixed, format, pattern, multipleOf, uniqueItems, default: otherwise } = schema
  if (Array.isArray(choices) && choices.length > 0) yield ['enum', unique(choices)]
  if (fixed !== undefined && Object.hasOwn(schema, 'const')) yield ['const', fixed]
  if (typeof format === 'string' && format.length <= 60) yield ['format', format]
  if (typeof pattern === 'string' && checkPattern(pattern).ok) yield ['pattern', pattern]
  if (isNumber(multipleOf) && compareNumbers(multipleOf, 0) > 0) yield ['multipleOf', multipleOf]
  if (uniqueItems === true) yield ['uniqueItems', true]
  for (const name of COUNTS) {
    const count = member(schema, name)
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0) yield [name, count]
  }
  yield* bounds(schema, 'minimum', 'exclusiveMinimum')
  yield* bounds(schema, 'maximum', 'exclusiveMaximum')
  const kind = kindOf(otherwise)
  const isShort = typeof otherwise !== 'string' || otherwise.length <= longestDefault
  if (
    kind !== undefined &&
    kind !== 'object' &&
    kind !== 'array' &&
    kind !== 'null' &&
    isShort &&
    otherwise !== undefined
  )
    yield ['default', otherwise]
}

/** 3.0 says beside the bound whether it is exclusive; 3.1 has a bound of its own for that. */
function* bounds(schema: JsonObject, name: string, exclusiveName: string): Generator<[string, Json]> {
  const [bound, exclusive] = [member(schema, name), member(schema, exclusiveName)]
  if (isNumber(bound)) yield [exclusive === true ? exclusiveName : name, bound]
  if (isNumber(exclusive)) yield [exclusiveName, exclusive]
}

const unique = (values: readonly Json[]): Json[] => {
  const seen = new Set<string>()
  return values.filter((value) => {
    const text = JSON.stringify(value)
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

/** `nullable` of 3.0, and what stands for it in 2.0. */
export function nullable(schema: JsonObject, made: JsonObject): JsonObject {
  if (member(schema, 'nullable') !== true && member(schema, 'x-nullable') !== true) return made
  const { type, enum: choices } = made
  const choice = made.anyOf ?? made.oneOf ?? made.allOf
  if (made.$ref !== undefined || (type === undefined && choice !== undefined)) {
    const { description, ...rest } = made
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] }
  }
  if (type === undefined && choices === undefined) return made
  const types = type === undefined ? undefined : [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])]
  return {
    ...made,
    ...(types === undefined ? {} : { type: types }),
    ...(Array.isArray(choices) && !choices.includes(null) ? { enum: [...choices, null] } : {}),
  }
}

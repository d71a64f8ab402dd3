// The types of the SDK's client, from the reference that the service itself serves. A route that is added there is in the client with
// `npm run generate`. What a schema says and this cannot say in TypeScript stops the run, so that no type is silently too wide.
import { ERRORS, FRAME_CODES } from '@tether/contract'
import type { OpenApiDocument, Operation } from '../server/src/api/reference/index.ts'

type Schema = {
  readonly [keyword: string]: unknown
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly description?: string
}

const READ = [
  '$ref',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
]
/** They narrow the values of a type, and TypeScript has no word for them. */
const NO_TYPE = [
  ...['description', 'examples', 'format', 'pattern', 'default', 'propertyNames', 'title', 'contentEncoding'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]
const KNOWN = new Set([...READ, ...NO_TYPE])
/** What a client of ours sends itself, or cannot send. */
const OWN_HEADERS = new Set(['Accept', 'Accept-Language', 'Origin', 'Last-Event-ID'])

export function sdkOperations({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const keyed = operations.filter(({ operation }) =>
    operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
  )
  return [
    '// Made by `npm run generate` from the routes of the service. Change those, not this file.',
    '',
    '/** The shapes of the reference, by their names there. */',
    `export type Schemas = ${members(components.schemas as Record<string, Schema>, Object.keys(components.schemas), 0)}`,
    '',
    '/** Every operation of the reference: what it is sent, and what it answers when all is well. */',
    'export type Operations = {',
    ...operations.map(({ name, operation }) =>
      operationType(name, operation, components.schemas as Record<string, Schema>),
    ),
    '}',
    '',
    `export type ErrorCode = ${union(Object.keys(ERRORS))}`,
    '',
    '/** The codes of the error that may end a stream. */',
    `export type FrameCode = ${union(FRAME_CODES)}`,
    '',
    '/** They take an `Idempotency-Key`, so that they may be sent again when their answer was lost. */',
    `export const KEYED: readonly string[] = [${keyed.map(({ name }) => JSON.stringify(name)).join(', ')}]`,
    '',
  ].join('\n')
}

function operationType(name: string, operation: Operation, named: Readonly<Record<string, Schema>>): string {
  const { summary, parameters, requestBody, responses } = operation
  const inside = (where: string) => parameters.filter((one) => one.in === where && !OWN_HEADERS.has(one.name))
  const body = requestBody?.content['application/json']
  const asked = [
    group('params', inside('path')),
    group('query', inside('query')),
    group('headers', inside('header')),
    ...(body === undefined
      ? []
      : [`body${requestBody?.required === true ? '' : '?'}: ${bodyType(body.schema as Schema, named)}`]),
  ].filter((one) => one !== '')
  const done = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answers = done.flatMap(([, { content = {} }]) =>
    Object.entries(content).map(([type, { schema }]) => (isJson(type) ? typeOf(schema as Schema, 2) : 'string')),
  )
  const frame = done.flatMap(([, { content = {} }]) => Object.values(content)).find((one) => 'x-event' in one)
  return [
    comment(summary, 1),
    `  ${JSON.stringify(name)}: {`,
    `    request: { ${asked.join('; ')} }`,
    `    answer: ${[...new Set(answers)].join(' | ') || 'undefined'}`,
    ...(frame === undefined ? [] : [`    event: ${typeOf((frame as { 'x-event': Schema })['x-event'], 2)}`]),
    '  }',
  ].join('\n')
}

/** A list that is sent may be a constant. */
function bodyType(schema: Schema, named: Readonly<Record<string, Schema>>): string {
  const { type, items } = schema.$ref === undefined ? schema : (named[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  return type === 'array' ? `readonly (${typeOf(items ?? {}, 2)})[]` : typeOf(schema, 2)
}

const isJson = (type: string): boolean => type === 'application/json'

function group(name: string, parameters: Operation['parameters']): string {
  if (parameters.length === 0) return ''
  const needed = parameters.some(({ required }) => required)
  const each = parameters.map(({ name: one, required, schema }) => {
    const type = typeOf(schema as Schema, 2)
    return `${JSON.stringify(one)}${required ? '' : '?'}: ${name === 'headers' ? 'string' : type}${required ? '' : ' | undefined'}`
  })
  return `${name}${needed ? '' : '?'}: { ${each.join('; ')} }`
}

function typeOf(schema: Schema, depth: number): string {
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword))
  if (unknown.length > 0)
    throw new Error(`The SDK has no type for the keyword ${unknown.join(', ')}: teach scripts/sdk-operations.ts.`)
  if (schema.$ref !== undefined) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum)
  const several = schema.anyOf ?? schema.oneOf
  if (several !== undefined) return [...new Set(several.map((one) => typeOf(one, depth)))].join(' | ')
  if (typeof schema.type === 'object') return schema.type.map((type) => typeOf({ ...schema, type }, depth)).join(' | ')
  return typeNamed(schema.type, schema, depth)
}

function typeNamed(type: string | undefined, schema: Schema, depth: number): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${typeOf(schema.items ?? {}, depth)})[]`
    case 'object':
      return objectType(schema, depth)
    case undefined:
      return schema.properties === undefined ? 'unknown' : objectType(schema, depth)
    default:
      throw new Error(`The SDK has no type for "${type}": teach scripts/sdk-operations.ts.`)
  }
}

function objectType({ properties, required = [], additionalProperties: more }: Schema, depth: number): string {
  const others = more === false ? undefined : typeof more === 'object' ? typeOf(more, depth) : 'unknown'
  if (properties === undefined || Object.keys(properties).length === 0)
    return others === undefined ? 'Record<string, never>' : `Record<string, ${others}>`
  const own = members(properties, required, depth)
  // A shape of an answer may grow, and one that is open says so; the members of others are not known by name.
  return typeof more === 'object' ? `${own} & Record<string, unknown>` : own
}

function members(properties: Readonly<Record<string, Schema>>, required: readonly string[], depth: number): string {
  const inner = '  '.repeat(depth + 1)
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    const type = `${typeOf(schema, depth + 1)}${isRequired ? '' : ' | undefined'}`
    return `${comment(schema.description, depth + 1)}\n${inner}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${type}`.replace(
      /^\n/,
      '',
    )
  })
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

const union = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ')

const comment = (text: string | undefined, depth: number): string =>
  text === undefined ? '' : `${'  '.repeat(depth)}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */`

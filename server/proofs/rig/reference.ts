// What the service says of itself: the operations of its own OpenAPI document, ready to be driven.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/api/reference/index.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly schema: JsonSchema
  readonly example: string | undefined
}

export type Operation = {
  readonly method: string
  /** With `{name}` for a parameter. */
  readonly path: string
  readonly reach: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly schema: JsonSchema; readonly example: unknown } | undefined
  /** The error codes that each status is declared with. */
  readonly codes: ReadonlyMap<number, readonly string[]>
}

export type Reference = {
  readonly operations: readonly Operation[]
  /** Follows `$ref`. */
  resolve(schema: JsonSchema): JsonSchema
  /** The operation that a request with this address meets, if there is one. */
  at(method: string, address: string): Operation | undefined
  /** Whether it says of what shape an answer with this status is. */
  declares(operation: Operation, status: number): boolean
  /** What is wrong with an answer's body by its declaration, or nothing; nothing also where none is declared. */
  answerFault(operation: Operation, status: number, body: unknown): string | undefined
}

export async function readReference(port: number): Promise<Reference> {
  const answer = await fetch(`http://127.0.0.1:${port}/openapi`)
  return referenceOf((await answer.json()) as OpenApiDocument)
}

export function referenceOf(document: OpenApiDocument): Reference {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, described]) => operationOf(path, method, described)),
  )
  return {
    operations,
    resolve: (schema) => resolve(document, schema),
    at: finder(operations),
    declares: (operation, status) => declaredAt(document, operation, status) !== undefined,
    answerFault: answerCheck(document),
  }
}

function finder(operations: readonly Operation[]): Reference['at'] {
  // Where two paths fit, the one that says more wins.
  const patterns = [...operations]
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/?#]+')}(?:[?#]|$)`),
    }))
  return (method, address) => {
    // A proxy may be sent the whole address, and then so are we.
    const path = address.replace(/^https?:\/\/[^/]+/, '')
    return patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation
  }
}

type Described = OpenApiDocument['paths'][string][string]

function operationOf(path: string, method: string, described: Described): Operation {
  const json = described.requestBody?.content['application/json']
  return {
    method: method.toUpperCase(),
    path,
    reach: described['x-reach'],
    parameters: described.parameters.map(({ name, in: where, schema, example }) => ({
      name,
      in: where,
      schema: asSchema(schema),
      example: example === undefined ? undefined : String(example),
    })),
    body:
      json === undefined
        ? undefined
        : {
            required: described.requestBody?.required === true,
            schema: asSchema(json.schema),
            example: json.example,
          },
    codes: new Map(
      Object.entries(described.responses).map(([status, { description }]) => [
        Number(status),
        [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code ?? ''),
      ]),
    ),
  }
}

// Every place in the document that is read as one holds a schema, which is an object: the converter writes no `true`.
const asSchema = (schema: unknown): JsonSchema => schema as JsonSchema

function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : resolve(document, asSchema(document.components.schemas[name]))
}

type Located = { readonly method: string; readonly path: string }

const stepsTo = ({ method, path }: Located, status: number): string[] => [
  'paths',
  path,
  method.toLowerCase(),
  'responses',
  String(status),
  'content',
  'application/json',
  'schema',
] // the place of an answer's schema

const declaredAt = (document: OpenApiDocument, operation: Located, status: number): unknown =>
  stepsTo(operation, status).reduce<unknown>((at, step) => (at as JsonSchema | undefined)?.[step], document)

function answerCheck(document: OpenApiDocument): Reference['answerFault'] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'reference' })
  return (operation, status, body) => {
    if (declaredAt(document, operation, status) === undefined) return undefined
    const pointer = stepsTo(operation, status).map(pointerStep).join('/')
    const validate = ajv.getSchema(`reference#/${pointer}`)
    if (validate === undefined) throw new Error(`The reference has no schema at ${pointer}.`)
    return validate(body) === true ? undefined : ajv.errorsText(validate.errors)
  }
}

const pointerStep = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

import type { ErrorCode } from '@tether/contract'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { member, setMember } from '../json/index.ts'
import { once } from '../memo/index.ts'
import type { RequestParts } from './endpoint.ts'
import { dropNulls, leavesAllOpen } from './open-members.ts'
import { type Refusal, refuse } from './refusal.ts'

type Shapes = {
  readonly params?: z.ZodType | undefined
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  /** The error code for each part of the path that has the wrong shape. */
  readonly pathCodes?: Readonly<Record<string, ErrorCode>> | undefined
  /** The error code for each member of the body that has the wrong shape. */
  readonly bodyCodes?: BodyCodes | undefined
}

/** Some codes say why. */
export type BodyCodes = Readonly<Record<string, ErrorCode | { readonly code: ErrorCode; readonly reason: string }>>

const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false, allErrors: false })
// The package is CommonJS, so its function is under `default`.
addFormats.default(ajv)

/** The shape of a request, as the reference publishes it. */
export const requestSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })

/** True if a request may leave the body out, because nothing in it is required. */
export const isOptional = (body: z.ZodType): boolean => leavesAllOpen(requestSchema(body))

/**
 * Checks a request's parts. A route's first request compiles its schemas, so that a start does not pay for them all.
 */
export function shapeCheck(shapes: Shapes): (parts: RequestParts) => void {
  const params = checker(shapes.params)
  const query = checker(shapes.query)
  const body = checker(shapes.body)
  return (parts) => {
    if (params !== undefined) refuseIf(params().ofText(parts.params), 'path', shapes.pathCodes)
    if (query !== undefined) refuseIf(query().ofText(parts.query), 'query')
    if (body === undefined) return
    // A missing body says as much as an empty one.
    if (parts.body === undefined) parts.body = {}
    refuseIf(body().asSent(parts.body), 'body', shapes.bodyCodes)
  }
}

type Checker = {
  /** JSON has types of its own. Nulls without a meaning are taken out first. */
  asSent(value: unknown): ErrorObject | undefined
  /**
   * An address holds only text, so values that should be numbers or booleans and look like them are converted in place.
   */
  ofText(values: Record<string, unknown>): ErrorObject | undefined
}

function checker(schema: z.ZodType | undefined): (() => Checker) | undefined {
  return schema === undefined ? undefined : once(() => compileChecker(schema))
}

function compileChecker(schema: z.ZodType): Checker {
  const json = requestSchema(schema)
  const validate: ValidateFunction = ajv.compile(json)
  const fault = (value: unknown) => (validate(value) ? undefined : validate.errors?.[0])
  const typed = Object.entries((json.properties ?? {}) as Record<string, { type?: unknown }>)
  return {
    asSent(value) {
      dropNulls(json, value)
      return fault(value)
    },
    ofText(values) {
      for (const [name, { type }] of typed) setMember(values, name, fromText(type, member(values, name)))
      for (const [name, value] of Object.entries(values)) if (value === undefined) delete values[name]
      return fault(values)
    },
  }
}

function fromText(type: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text
  if (
    (type === 'integer' && /^-?\d{1,15}$/.test(text)) ||
    (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
  )
    return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function refuseIf(
  error: ErrorObject | undefined,
  where: 'path' | 'query' | 'body',
  codes: Shapes['bodyCodes'] = {},
): void {
  if (error !== undefined) throw shapeRefusal(error, where, codes)
}

function shapeRefusal(error: ErrorObject, where: string, codes: NonNullable<Shapes['bodyCodes']>): Refusal {
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : ''
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer)
  const path = [...steps, missing].filter((step) => step !== '').join('.')
  const own = member(codes, steps[0] ?? missing) ?? 'invalid_request'
  const { code, ...why } = typeof own === 'string' ? { code: own } : own
  const subject =
    path === '' ? `The ${where}` : `\`${path.slice(0, 120)}\`${where === 'body' ? '' : ` (in the ${where})`}`
  return refuse(code, `${subject} ${missing === '' ? complaint(error) : 'is missing'}.`, why)
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

const { pattern: UUID } = z.toJSONSchema(z.uuid())

function complaint(error: ErrorObject): string {
  if (error.keyword === 'pattern' && error.params.pattern === UUID)
    return 'must be a UUID, such as 0199a2f4-7c3e-7d50-9b1a-3f2e8c6d4b10'
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.map(String).join(', ')}`
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`
  if (error.keyword === 'additionalProperties')
    return `has ${JSON.stringify(String(error.params.additionalProperty).slice(0, 80))}, which it cannot have`
  return error.message ?? 'has the wrong shape'
}

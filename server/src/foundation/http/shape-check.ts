import type { ErrorCode } from '@tether/contract'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import type { RequestParts } from './endpoint.ts'
import { dropNulls, leavesAllOpen } from './open-members.ts'
import { type Refusal, refuse } from './refusal.ts'

export type Shapes = {
  readonly params?: z.ZodType | undefined
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  /** Which code answers when a member of the body has the wrong shape. */
  readonly bodyCodes?: Readonly<Record<string, ErrorCode>> | undefined
}

const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false, allErrors: false })
// The package is CommonJS; its function stands under `default`.
addFormats.default(ajv)

/** What a request must look like, as the reference publishes it. */
export const requestSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })

/** Whether a request can leave the body out: nothing in it is required then. */
export const isOptional = (body: z.ZodType): boolean => leavesAllOpen(requestSchema(body))

/** Checks a request's parts. Compiled at the first request of a route, so that a start does not pay for all of them. */
export function shapeCheck(shapes: Shapes): (parts: RequestParts) => void {
  const params = checker(shapes.params)
  const query = checker(shapes.query)
  const body = checker(shapes.body)
  return (parts) => {
    if (params !== undefined) refuseIf(params().ofText(parts.params), 'path')
    if (query !== undefined) refuseIf(query().ofText(parts.query), 'query')
    if (body === undefined) return
    // A body that is not there says as much as an empty one.
    if (parts.body === undefined) parts.body = {}
    refuseIf(body().asSent(parts.body), 'body', shapes.bodyCodes)
  }
}

type Checker = {
  /** A body says itself what it is. A null that means nothing is taken out of it first. */
  asSent(value: unknown): ErrorObject | undefined
  /** An address holds only text: what is to be a number and reads as one becomes one, in place. */
  ofText(values: Record<string, unknown>): ErrorObject | undefined
}

function checker(schema: z.ZodType | undefined): (() => Checker) | undefined {
  if (schema === undefined) return undefined
  let made: Checker | undefined
  return () => {
    made ??= compile(schema)
    return made
  }
}

function compile(schema: z.ZodType): Checker {
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
      for (const [name, { type }] of typed) values[name] = read(type, values[name])
      for (const [name, value] of Object.entries(values)) if (value === undefined) delete values[name]
      return fault(values)
    },
  }
}

function read(type: unknown, text: unknown): unknown {
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
  if (error !== undefined) throw refusalOf(error, where, codes)
}

function refusalOf(error: ErrorObject, where: string, codes: NonNullable<Shapes['bodyCodes']>): Refusal {
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : ''
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer)
  const path = [...steps, missing].filter((step) => step !== '').join('.')
  const code = codes[(steps[0] ?? missing) as keyof typeof codes] ?? 'invalid_request'
  const subject =
    path === '' ? `The ${where}` : `\`${path.slice(0, 120)}\`${where === 'body' ? '' : ` (in the ${where})`}`
  return refuse(code, `${subject} ${missing === '' ? complaint(error) : 'is missing'}.`)
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function complaint(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.map(String).join(', ')}`
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`
  return error.message ?? 'has the wrong shape'
}

import type { ErrorCode } from '@tether/contract'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import type { RequestParts } from './endpoint.ts'
import { type Refusal, refuse } from './refusal.ts'

export type Shapes = {
  readonly params?: z.ZodType | undefined
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType | undefined
  readonly bodyOptional?: boolean | undefined
  /** Which code answers when a member of the body has the wrong shape. */
  readonly bodyCodes?: Readonly<Record<string, ErrorCode>> | undefined
}

const options = { strict: false, validateSchema: false, addUsedSchema: false, allErrors: false }
// A body says what it is; text from an address is what it can be read as.
const asSent = withFormats(new Ajv2020(options))
const fromText = withFormats(new Ajv2020({ ...options, coerceTypes: true }))

function withFormats(ajv: Ajv2020): Ajv2020 {
  // The package is CommonJS; its function stands under `default`.
  addFormats.default(ajv)
  return ajv
}

/** What a request must look like, as the reference publishes it. */
export const requestSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })

/** Checks a request's parts. Compiled at the first request of a route, so that a start does not pay for all of them. */
export function shapeCheck(shapes: Shapes): (parts: RequestParts) => void {
  const params = checker(fromText, shapes.params)
  const query = checker(fromText, shapes.query)
  const body = checker(asSent, shapes.body)
  return (parts) => {
    refuseIf(params?.()(parts.params), 'path')
    refuseIf(query?.()(parts.query), 'query')
    if (body === undefined || (parts.body === undefined && shapes.bodyOptional === true)) return
    if (parts.body === undefined) throw refuse('invalid_request', 'This route needs a JSON body.')
    refuseIf(body()(parts.body), 'body', shapes.bodyCodes)
  }
}

type Check = (value: unknown) => ErrorObject | undefined

function checker(ajv: Ajv2020, schema: z.ZodType | undefined): (() => Check) | undefined {
  if (schema === undefined) return undefined
  let compiled: ValidateFunction | undefined
  return () => {
    const validate = (compiled ??= ajv.compile(requestSchema(schema)))
    return (value) => (validate(value) ? undefined : validate.errors?.[0])
  }
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

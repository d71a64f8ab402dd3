import { z } from 'zod'
import { ImportShown } from './imports.ts'
import { PolicyWarnings } from './policy-warnings.ts'
import { type Language, Timestamp } from './schemas.ts'

export const Risk = z.enum(['low', 'elevated', 'high'])
export type Risk = z.output<typeof Risk>

const counts = { toolCount: z.int(), writeToolCount: z.int() }

export const Catalog = z
  .object({
    version: z.int().meta({ description: '0 before the first registration.' }),
    tools: z.array(z.unknown()).meta({ description: 'The tools as they were registered.' }),
    ...counts,
    registeredAt: Timestamp.nullable(),
    import: ImportShown.nullable().meta({ description: 'The last import of an OpenAPI document, or null.' }),
  })
  .meta({ id: 'Catalog' })

/** What people call a tool and its arguments, by language. */
export type ToolLabels = {
  readonly [Reader in Language]?: {
    readonly title?: string
    readonly parameters?: Readonly<Record<string, string>>
  }
}

export const ToolSpecs = z
  .array(z.unknown())
  .meta({ id: 'ToolSpecs', description: 'A list of tool specifications; docs/tools.md says what each may hold.' })

export const Registered = z
  .object({ registered: z.literal(true), version: z.int(), ...counts, warnings: PolicyWarnings })
  .meta({ id: 'CatalogRegistered' })
const CatalogError = z
  .object({
    tool: z
      .string()
      .nullable()
      .meta({ description: 'Its name, or its place in the list. Null for the catalog as a whole.' }),
    member: z.string().nullable(),
    message: z.string(),
  })
  .meta({ id: 'CatalogError' })
const refusal = {
  error: z.string().meta({ description: 'Everything that is wrong, in one message.' }),
  errors: z.array(CatalogError).meta({ description: 'The same, fault by fault: at most 500, then a count.' }),
}
export const NotRegistered = z.object({ registered: z.literal(false), ...refusal }).meta({ id: 'CatalogRefused' })

/** What does not refuse a catalog but is usually a mistake. `more` counts the warnings that are not shown. */
export const CATALOG_WARNINGS = [
  'identifier_parameter',
  'short_description',
  'large_schema',
  'undeclared_write',
  'misspelled_member',
  'more',
] as const
export type CatalogWarning = (typeof CATALOG_WARNINGS)[number]

export const Valid = z
  .object({
    valid: z.literal(true),
    ...counts,
    tools: z.array(
      z.object({
        name: z.string(),
        domain: z.string(),
        isWrite: z.boolean(),
        risk: Risk,
        requiresScope: z.boolean(),
        surfaces: z.object({ chat: z.boolean(), agent: z.boolean() }),
      }),
    ),
    warnings: z.array(
      z.object({
        tool: z.string(),
        parameter: z.string().nullable(),
        code: z.enum(CATALOG_WARNINGS),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'CatalogValid' })
export const NotValid = z.object({ valid: z.literal(false), ...refusal }).meta({ id: 'CatalogInvalid' })

/** How a call of a tool ended: shown to the model, kept in telemetry. */
export const TOOL_STATUSES = [
  'ok',
  'staged',
  'unknown_tool',
  'not_configured',
  'invalid_endpoint',
  'endpoint_error',
  'timeout',
  'unreachable',
  'response_too_large',
  'server_error',
  'in_flight',
  'refused',
  'indeterminate',
  'failed',
  'customer_required',
  'user_token_required',
  'precondition_failed',
  'precondition_error',
] as const
export type ToolStatus = (typeof TOOL_STATUSES)[number]

export const CallRequest = z
  .object({ arguments: z.looseObject({}).optional().meta({ description: 'The tool’s arguments, by name.' }) })
  .meta({ id: 'ToolCallRequest' })

export const CallAnswer = z
  .object({
    status: z.enum(TOOL_STATUSES),
    toolName: z.string(),
    result: z.unknown().meta({ description: 'What the endpoint answered; null when it gave no usable answer.' }),
    notice: z.string().optional().meta({ description: 'What was left out of a trimmed result.' }),
    message: z.string().optional().meta({ description: 'What went wrong, in words for a model.' }),
    lastStatus: z.enum(TOOL_STATUSES).optional().meta({ description: 'How the last attempt of a failed read ended.' }),
    durationMs: z.int(),
  })
  .meta({ id: 'ToolCallAnswer' })

export const CallRefusal = z
  .object({ status: z.enum(['customer_required', 'user_token_required']), toolName: z.string(), message: z.string() })
  .meta({ id: 'ToolCallRefusal' })

export const EndpointRequest = z
  .object({ url: z.string().nullable().meta({ description: 'Absolute HTTPS; null or an empty text clears it.' }) })
  .meta({ id: 'EndpointRequest' })
export const Endpoint = z
  .object({ configured: z.boolean(), url: z.string().nullable(), signingSecretIssued: z.boolean() })
  .meta({ id: 'Endpoint' })

const headersOf = z.record(z.string(), z.string())

export const EndpointTest = z
  .object({
    ok: z.boolean().meta({ description: 'The endpoint answered 2xx with JSON or an empty body.' }),
    status: z.enum(TOOL_STATUSES).meta({ description: 'How a call of a tool would have ended with this answer.' }),
    message: z.string().meta({ description: 'What happened, and what to do next.' }),
    signature: z.enum(['accepted', 'refused', 'unknown']).meta({
      description: '`accepted` after 2xx, `refused` after 401 or 403; any other answer does not tell.',
    }),
    signatureHints: z.array(z.string()).meta({ description: 'Why the signature may have failed, likeliest first.' }),
    request: z
      .object({
        method: z.literal('POST'),
        url: z.string(),
        requestId: z.string(),
        headers: headersOf,
        body: z.string(),
      })
      .nullable()
      .meta({ description: 'What was sent: the signature headers, and the exact body that they cover.' }),
    answer: z
      .object({ status: z.int(), headers: headersOf, body: z.string() })
      .nullable()
      .meta({ description: 'What came back, in full.' }),
    durationMs: z.int(),
  })
  .meta({ id: 'EndpointTest' })

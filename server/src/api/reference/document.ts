import { ERRORS, ErrorAnswer, type ErrorCode, REQUEST_HEADERS, type RequestHeaderName } from '@tether/contract'
import { z } from 'zod'
import { isOptional } from '../../kernel/http/index.ts'
import { member, setMember } from '../../kernel/json/index.ts'
import { headersReadBy, kindsReaching, type Reach, type Route } from '../../tenancy/access/index.ts'

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown; example?: unknown }> }
  responses: Record<string, { description: string; headers?: unknown; content?: Record<string, AnswerContent> }>
  security: Record<string, string[]>[]
  /** Who may call it, for readers and for the table of keys. */
  'x-reach': readonly string[]
  'x-lane': string
}
/** `x-event` is the shape of the `data:` of each event, for which OpenAPI 3.1 has no word. */
type AnswerContent = { schema: unknown; 'x-event'?: unknown }
type Parameter = {
  name: string
  in: string
  required: boolean
  description?: string
  schema: unknown
  example?: unknown
}

export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

/** Builds the whole reference from the declarations that serve the requests, so that it cannot differ from the service. */
export function openApiDocument(all: readonly Route[], info: { version: string; url: string }): OpenApiDocument {
  const routes = all.filter(({ unlisted }) => unlisted !== true)
  const schemas = new JsonSchemas()
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}')
    setMember(paths, path, { ...member(paths, path), [route.method.toLowerCase()]: operationOf(route, schemas) })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tether',
      version: info.version,
      description:
        'Tether stands between a language model and your production system: reads run at once, writes wait for a person. In a body, an optional member that is null counts as absent, and a body in which nothing is required may be left out.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.url }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named(),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operationOf(route: Route, schemas: JsonSchemas): Operation {
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.group],
    parameters: [
      ...parametersOf(route.params, 'path', schemas, route.example?.params),
      ...parametersOf(route.query, 'query', schemas, route.example?.query),
      ...headersReadBy(route).map(headerParameter),
    ],
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
    security: route.reach.who === 'anyone' ? [] : [{ key: [] }, { bearer: [] }],
    'x-reach': reachWords(route.reach),
    'x-lane': route.lane,
  }
}

const operationId = ({ method, path }: Route): string =>
  [method.toLowerCase(), ...path.split('/').filter((step) => step !== '' && step !== 'v1')]
    .map((step) => step.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^_/, 'by_'))
    .join('_')

function reachWords(reach: Reach): string[] {
  if (reach.who !== 'tenant') return [reach.who]
  return [...kindsReaching(reach), ...(reach.withSession ?? []).map((kind) => `${kind} with a user session`)]
}

function parametersOf(
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  schemas: JsonSchemas,
  examples: Record<string, string> = {},
): Parameter[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemas.inline(schema) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(member(examples, name) === undefined ? {} : { example: member(examples, name) }),
  }))
}

function headerParameter(name: RequestHeaderName): Parameter {
  const { description, example }: { description: string; example?: string } = REQUEST_HEADERS[name]
  return {
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    ...(example === undefined ? {} : { example }),
  }
}

function requestBodyOf(route: Route, schemas: JsonSchemas): Pick<Operation, 'requestBody'> {
  if (route.body === undefined) return {}
  const example = route.example?.body
  const content = { schema: schemas.request(route.body), ...(example === undefined ? {} : { example }) }
  return { requestBody: { required: !isOptional(route.body), content: { 'application/json': content } } }
}

const WITH_KEY: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'database_unavailable',
]

const isForProviders = ({ kinds, withSession = [] }: Extract<Route['reach'], { who: 'tenant' }>): boolean =>
  [...kinds, ...withSession].some((kind) => kind === 'provider' || kind === 'provider_inbox')

/** Every code with which this route can refuse. */
export function errorsOf(route: Route): ErrorCode[] {
  // Any request can hold a NUL character or a lone surrogate, which is `invalid_request`.
  const codes = new Set<ErrorCode>([...(route.errors ?? []), 'internal_error', 'invalid_request'])
  if (route.body !== undefined) codes.add('unsupported_media_type').add('body_too_large')
  if (route.lane !== 'none' || route.knows !== undefined) codes.add('rate_limited')
  // A request may arrive while its tenant is being deleted.
  if (route.reach.who === 'tenant') codes.add('tenant_not_found')
  if (route.reach.who === 'tenant' && route.reach.withSession !== undefined) codes.add('invalid_user_session')
  if (route.reach.who === 'tenant' && isForProviders(route.reach)) codes.add('not_a_provider')
  if (route.reach.who !== 'anyone') for (const code of WITH_KEY) codes.add(code)
  if (route.reach.who === 'tenant' && route.reach.kinds.includes('publishable')) codes.add('origin_not_allowed')
  return [...codes]
}

function responsesOf(route: Route, schemas: JsonSchemas): Operation['responses'] {
  const responses: Operation['responses'] = {}
  for (const [status, { schema, text, event, description }] of Object.entries(route.answers)) {
    const frames = event === undefined ? {} : { 'x-event': schemas.answer(event) }
    const content = schema
      ? { 'application/json': { schema: schemas.answer(schema) } }
      : text
        ? { [text]: { schema: text === 'application/json' ? { type: 'object' } : { type: 'string' }, ...frames } }
        : undefined
    setMember(responses, status, { description: description ?? 'Done.', ...(content ? { content } : {}) })
  }
  for (const [status, codes] of byStatus(errorsOf(route))) {
    const own = member(responses, status)?.content?.['application/json']?.schema
    const general = schemas.answer(route.errorForm?.schema ?? ErrorAnswer)
    setMember(responses, status, {
      description: withCodes(route.answers[Number(status)]?.description, codes),
      content: { 'application/json': { schema: own === undefined ? general : { anyOf: [own, general] } } },
    })
  }
  return responses
}

/** A description that is a sentence ends before the codes; one that is a list of codes goes on with the others. */
function withCodes(described: string | undefined, codes: readonly ErrorCode[]): string {
  const named = [...new Set(codes)].map((code) => `\`${code}\``)
  if (described === undefined) return named.join(', ')
  const rest = named.filter((code) => !described.includes(code)).join(', ')
  if (rest === '') return described
  return described.endsWith('.') ? `${described} Or ${rest}.` : `${described}, ${rest}`
}

function byStatus(codes: readonly ErrorCode[]): [string, ErrorCode[]][] {
  const found = Map.groupBy(
    [...codes].sort((one, other) => ERRORS[one] - ERRORS[other]),
    (code) => ERRORS[code],
  )
  return [...found].map(([status, list]) => [String(status), list])
}

type SchemaObject = Record<string, unknown>

/** Turns the contract's shapes into JSON Schema. A named shape is written once and then referred to. */
class JsonSchemas {
  readonly #named = new Map<string, SchemaObject>()

  request(schema: z.ZodType): SchemaObject {
    return this.#convert(schema, 'input')
  }

  answer(schema: z.ZodType): SchemaObject {
    return this.#convert(schema, 'output')
  }

  /** Converts a shape without naming it, for parameters. */
  inline(schema: z.ZodType): SchemaObject {
    return tidy(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as SchemaObject)
  }

  named(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => one.localeCompare(other)))
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): SchemaObject {
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as SchemaObject & {
      $defs?: Record<string, SchemaObject>
    }
    for (const [name, definition] of Object.entries($defs)) this.#named.set(name, tidy(definition))
    return tidy(rest)
  }
}

/** Points references to the components, and removes what the converter adds and no reader needs. */
function tidy(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$schema' || key === 'id') return typeof value === 'string' ? undefined : value
    if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', '#/components/schemas/')
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER)
      return undefined
    return value
  }) as SchemaObject
}

// 200 operations of five real documents, with the arguments of a seeded generator: the request that we would send beside the
// one that swagger-client builds. Its answers are kept, because it brings 106 packages. Where the two differ, it is for one of
// the causes below; a difference without a cause fails.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { Json, JsonObject } from '../../../kernel/json/index.ts'
import { type ArgumentPlace, type HttpBinding, validateCatalog } from '../../catalog/index.ts'
import { type ApiRequest, requestOf } from './request-of.ts'

type Bound = Pick<HttpBinding, 'method' | 'path' | 'body' | 'arguments'> & { readonly mediaType?: string }
type Reference = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}
type Sample = {
  readonly document: string
  readonly path: string
  readonly http: Bound
  readonly given: JsonObject
  readonly reference: Reference
}
const { requests } = JSON.parse(
  readFileSync(new URL('./fixtures/swagger-client-requests.json', import.meta.url), 'utf8'),
) as { requests: readonly Sample[] }

function ours({ http, given }: Sample): ApiRequest {
  const properties = Object.fromEntries(Object.keys(given).map((name) => [name, {}]))
  const description = 'One operation of a real document, for the comparison of requests.'
  const checked = validateCatalog([
    { name: 'operation', description, is_write: true, parameters: { type: 'object', properties }, http },
  ])
  const [tool] = checked.ok ? checked.tools : assert.fail(checked.error)
  if (!tool?.http) return assert.fail('no binding')
  const made = requestOf({ http: tool.http, parameters: tool.parameters }, given)
  return made.ok ? made.request : assert.fail(made.fault)
}

type Compared = Readonly<Record<'method' | 'path' | 'query' | 'headers' | 'body', unknown>>

const pairsOf = (text: string): string[] =>
  [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).sort()
/** A segment is compared as what it says: which harmless characters are encoded in it is a matter of taste. */
const segmentsOf = (path: string): string[] => path.split('/').map((segment) => decodeURIComponent(segment))
// Its own, and what says how a body is written; the latter is compared by the body.
const NOT_COMPARED = new Set(['accept', 'content-type'])

function comparedOurs(request: ApiRequest): Compared {
  const { method, path, query, headers, body } = request
  const isForm = /urlencoded/.test(body?.contentType ?? '')
  return {
    method,
    path: segmentsOf(path),
    query: pairsOf(query.join('&')),
    headers: headers
      .filter(([name]) => !NOT_COMPARED.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value}`)
      .sort(),
    body: body === null ? null : isForm ? pairsOf(body.content) : jsonIn(body.content),
  }
}

function comparedTheirs({ method, url, headers, body }: Reference): Compared {
  const { pathname, search } = new URL(url)
  const isForm = Object.values(headers).some((value) => /urlencoded/.test(value))
  return {
    method,
    path: segmentsOf(pathname),
    query: pairsOf(search),
    headers: Object.entries(headers)
      .filter(([name]) => !NOT_COMPARED.has(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value}`)
      .sort(),
    body: body === undefined ? null : typeof body !== 'string' ? body : isForm ? pairsOf(body) : jsonIn(body),
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null
/** Whether it is a list, or holds one or another object: what OpenAPI leaves open under deepObject. */
const isDeep = (value: Json): boolean =>
  Array.isArray(value) || (isNested(value) && Object.values(value as JsonObject).some(isNested))
const someArgument = ({ http, given }: Sample, holds: (place: ArgumentPlace, value: Json) => boolean): boolean =>
  Object.entries(http.arguments).some(([name, place]) => holds(place, given[name] ?? null))

/** Why the two may differ, and where. Each has to hold somewhere, so that none outlives its reason. */
const CAUSES: readonly {
  readonly what: string
  readonly where: keyof Compared
  readonly applies: (sample: Sample) => boolean
}[] = [
  {
    what: 'a list under deepObject has indices, and what is nested deeper has brackets: swagger-client repeats the name, or writes JSON (query)',
    where: 'query',
    applies: (sample) =>
      someArgument(sample, ({ in: at, style }, value) => at === 'query' && style === 'deepObject' && isDeep(value)),
  },
  {
    what: 'the same in a form',
    where: 'body',
    applies: (sample) =>
      someArgument(sample, ({ in: at, style }, value) => at === 'body' && style === 'deepObject' && isDeep(value)),
  },
  {
    what: 'a body that takes members and was given none is an empty one: it fits where a body is required and where it is not',
    where: 'body',
    applies: ({ http, reference, given }) =>
      http.body !== null &&
      reference.body === undefined &&
      !Object.keys(given).some((name) => http.arguments[name]?.in === 'body'),
  },
  {
    what: 'a body of parts has a boundary of its own; what is in it is compared in request-of.test.ts',
    where: 'body',
    applies: ({ http }) => /^multipart\//.test(http.mediaType ?? ''),
  },
]

const differences = (sample: Sample): (keyof Compared)[] => {
  const [we, they] = [comparedOurs(ours(sample)), comparedTheirs(sample.reference)]
  return (Object.keys(we) as (keyof Compared)[]).filter((part) => {
    try {
      assert.deepEqual(we[part], they[part])
      return false
    } catch {
      return true
    }
  })
}

test('200 requests equal those of swagger-client, but for what stands in the table of causes', () => {
  assert.equal(requests.length, 200)
  assert.equal(new Set(requests.map(({ document }) => document)).size, 5)
  const met = new Map<string, number>()
  for (const sample of requests) {
    for (const part of differences(sample)) {
      const cause = CAUSES.find(({ where, applies }) => where === part && applies(sample))
      const both = () =>
        JSON.stringify([part, comparedOurs(ours(sample))[part], comparedTheirs(sample.reference)[part]])
      if (cause === undefined) assert.fail(`${sample.document} ${sample.http.method} ${sample.path}: ${both()}`)
      met.set(cause.what, (met.get(cause.what) ?? 0) + 1)
    }
  }
  assert.deepEqual([...met.keys()].sort(), CAUSES.map(({ what }) => what).sort())
})

// How a tool of an imported API is called directly. The import writes it; a tenant may change it, so it is checked
// like everything else. Members that are not listed here stay in the tool's own object and are not read.
import { isObject, type Json, type JsonObject, member, present } from '../../kernel/json/index.ts'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
export const places = ['path', 'query', 'header', 'cookie', 'body'] as const
export type Place = (typeof places)[number]

/** How a list or an object is written, by the names of OpenAPI 3.1.1. Each place knows some of them. */
export const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
  // Members of a form are written as those of a query are.
  body: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
} as const satisfies Record<Place, readonly string[]>
export type Style = (typeof STYLES)[Place][number]

export type ArgumentPlace = {
  in: Place
  /** The name in the request. */
  name: string
  /** Absent: `simple` in a path or a header, `form` elsewhere. In a form body it means that the member has an `encoding`. */
  style?: Style
  /** Absent: true for the styles `form` and `deepObject`, false for the others. */
  explode?: boolean
  /** Reserved characters go out as they are, but for those that would end the value: `[ ] # & +`. */
  allowReserved?: boolean
  /** The value is written in this media type (as JSON text), and not in a style. */
  contentType?: string
  /** The value is the whole body, and not a member of it. */
  whole?: boolean
}

/** What every request of the tool carries, whatever its arguments are. In the catalog a text may stand in its place: the name of an argument that goes there under its own name. */
export type Fixed = { name: string; value: string }

export type HttpBinding = {
  method: Method
  /** Begins with one slash; `{name}` is filled from the argument bound to the path under that name. Has no `?`. */
  path: string
  query: Fixed[]
  headers: Fixed[]
  body: 'json' | 'form' | null
  /** The body's exact media type, where it is not application/json or application/x-www-form-urlencoded. */
  mediaType?: string
  /** Argument name to where it goes, and under which name. */
  arguments: Record<string, ArgumentPlace>
  /** A status ('409') to what it means for a confirmed write. */
  outcomes: Record<string, DeclaredOutcome>
}
type DeclaredOutcome = 'refused' | 'indeterminate'

export const isMethod = (value: unknown): value is Method => methods.some((method) => method === value)
export const isDeclaredOutcome = (value: unknown): value is DeclaredOutcome =>
  value === 'refused' || value === 'indeterminate'

/** The place that an entry of `arguments` names, if it names one and says about it only what can be said there. */
export function toArgumentPlace(given: Json): [ArgumentPlace] | [] {
  if (!isObject(given)) return []
  const place = places.find((known) => known === given.in)
  if (place === undefined || typeof given.name !== 'string' || given.name === '') return []
  const says = present(given)
  const style = STYLES[place].find((known) => known === says.style)
  if (says.style !== undefined && style === undefined) return []
  const { contentType, explode, allowReserved, whole } = says
  if (!(contentType === undefined || isMediaType(contentType))) return []
  if (!(isFlag(explode) && isFlag(allowReserved) && isFlag(whole))) return []
  if (whole === true && place !== 'body') return []
  return [
    {
      in: place,
      name: given.name,
      ...(style === undefined ? {} : { style }),
      ...(explode === undefined ? {} : { explode }),
      ...(allowReserved === undefined ? {} : { allowReserved }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(whole === undefined ? {} : { whole }),
    },
  ]
}

const isFlag = (value: Json | undefined): value is boolean | undefined =>
  value === undefined || typeof value === 'boolean'

/** Printable ASCII with one slash: it goes into a header as it is. */
export const isMediaType = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 200 && /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:; ?[\x20-\x7e]+)?$/.test(value)

export const toFixed = (given: Json): [Fixed] | [] =>
  isObject(given) && typeof given.name === 'string' && given.name !== '' && typeof given.value === 'string'
    ? [{ name: given.name, value: given.value }]
    : []

/** Only for a binding that checkHttp let through. */
export function toHttpBinding(http: JsonObject): HttpBinding {
  const [query, headers] = [listOf(http, 'query'), listOf(http, 'headers')]
  const outcomes = isObject(http.outcomes) ? Object.entries(http.outcomes) : []
  return {
    method: isMethod(http.method) ? http.method : 'GET',
    path: typeof http.path === 'string' ? http.path : '/',
    query: query.flatMap(toFixed),
    headers: headers.flatMap(toFixed),
    body: http.body === 'json' || http.body === 'form' ? http.body : null,
    ...(isMediaType(http.mediaType) ? { mediaType: http.mediaType } : {}),
    arguments: Object.fromEntries(boundArguments(http).flatMap(([name, given]) => named(name, given))),
    outcomes: Object.fromEntries(
      outcomes.flatMap(([status, outcome]) => (isDeclaredOutcome(outcome) ? [[status, outcome]] : [])),
    ),
  }
}

const named = (name: string, given: Json): [string, ArgumentPlace][] =>
  toArgumentPlace(given).map((place) => [name, place])

/** The arguments that a binding places: those of `arguments`, and those that `query` and `headers` only name. */
export function boundArguments(http: JsonObject): [string, Json][] {
  const bound = member(http, 'arguments')
  const short = (list: string, place: Place): [string, Json][] =>
    listOf(http, list).flatMap((name) => (typeof name === 'string' ? [[name, { in: place, name }]] : []))
  return [...short('query', 'query'), ...short('headers', 'header'), ...(isObject(bound) ? Object.entries(bound) : [])]
}

export function listOf(http: JsonObject, name: string): Json[] {
  const value = member(http, name)
  return Array.isArray(value) ? value : []
}

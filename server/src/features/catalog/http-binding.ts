// How a tool of an imported API is called directly. The import writes it; a tenant may change it, so it is checked
// like everything else. Members that are not listed here stay in the tool's own object and are not read.
import { isObject, type Json, type JsonObject } from '../../foundation/json/index.ts'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
export const places = ['path', 'query', 'header', 'cookie', 'body'] as const
export type ArgumentPlace = { in: (typeof places)[number]; name: string }

export type HttpBinding = {
  method: Method
  /** Begins with one slash; `{name}` is filled from the argument bound to the path under that name. */
  path: string
  query: Json[]
  headers: Json[]
  body: 'json' | 'form' | null
  /** Argument name to where it goes, and under which name. */
  arguments: Record<string, ArgumentPlace>
  /** A status ('409') to what it means for a confirmed write. */
  outcomes: Record<string, DeclaredOutcome>
}
export type DeclaredOutcome = 'refused' | 'indeterminate'

export const isMethod = (value: unknown): value is Method => methods.some((method) => method === value)
export const isDeclaredOutcome = (value: unknown): value is DeclaredOutcome =>
  value === 'refused' || value === 'indeterminate'

/** The place that an entry of `arguments` names, if it names one. */
export function toArgumentPlace(given: Json): [ArgumentPlace] | [] {
  const place = isObject(given) ? places.find((known) => known === given.in) : undefined
  if (!place || !isObject(given) || typeof given.name !== 'string' || given.name === '') return []
  return [{ in: place, name: given.name }]
}

/** Only for a binding that checkHttp let through. */
export function toHttpBinding(http: JsonObject): HttpBinding {
  const bound = isObject(http.arguments) ? Object.entries(http.arguments) : []
  const outcomes = isObject(http.outcomes) ? Object.entries(http.outcomes) : []
  return {
    method: isMethod(http.method) ? http.method : 'GET',
    path: typeof http.path === 'string' ? http.path : '/',
    query: Array.isArray(http.query) ? http.query : [],
    headers: Array.isArray(http.headers) ? http.headers : [],
    body: http.body === 'json' || http.body === 'form' ? http.body : null,
    arguments: Object.fromEntries(
      bound.flatMap(([name, given]) => toArgumentPlace(given).map((place) => [name, place])),
    ),
    outcomes: Object.fromEntries(
      outcomes.flatMap(([status, outcome]) => (isDeclaredOutcome(outcome) ? [[status, outcome]] : [])),
    ),
  }
}

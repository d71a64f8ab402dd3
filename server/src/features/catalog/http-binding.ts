// How a tool of an imported API is called directly. The import writes it; a tenant may change it, so it is checked
// like everything else. Members that are not listed here are kept in the tool's own object and not read.
import { isObject, type Json, type JsonObject, member } from '../../foundation/json/index.ts'
import { type Entry } from './entry.ts'
import { addProblem, type Problems, type Rule } from './problems.ts'

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
const places = ['path', 'query', 'header', 'cookie', 'body'] as const
type ArgumentPlace = (typeof places)[number]

export type HttpBinding = {
  method: Method
  /** Begins with one slash; `{name}` is filled from the argument bound to the path under that name. */
  path: string
  query: Json[]
  headers: Json[]
  body: 'json' | 'form' | null
  /** Argument name to where it goes, and under which name. */
  arguments: Record<string, { in: ArgumentPlace; name: string }>
  /** Status ('409') to what it means for a confirmed write. */
  outcomes: Record<string, Outcome>
}
export type Outcome = 'refused' | 'indeterminate'

const isMethod = (value: unknown): value is Method => methods.some((method) => method === value)
const isPlace = (value: unknown): value is ArgumentPlace => places.some((place) => place === value)
const isOutcome = (value: unknown): value is Outcome => value === 'refused' || value === 'indeterminate'

const malformed: Rule = {
  says: 'have an http binding that cannot be called',
  fix: 'Register what POST /v1/tools/import answered, or correct the member that is named.',
}
const outcomeRules = {
  malformed: {
    says: 'have http outcomes that are not statuses from 400 to 599 mapped to refused or indeterminate',
    fix: 'Write outcomes as {"409": "refused"}.',
  },
  onRead: { says: 'declared http outcomes but not declared a write', fix: 'Remove outcomes, or declare is_write true.' },
  serverError: {
    says: 'declare a 5xx status refused',
    fix: 'After a 5xx nobody knows whether the write happened: declare it indeterminate, or leave it out.',
  },
} satisfies Record<string, Rule>

export function checkHttp(entry: Entry, problems: Problems): void {
  const http = member(entry.raw, 'http')
  if (http === undefined) return
  if (!isObject(http)) return addProblem(problems, malformed, entry.label, 'http is not an object')
  for (const fault of bindingFaults(http, entry)) addProblem(problems, malformed, entry.label, fault)
  checkOutcomes(member(http, 'outcomes'), entry, problems)
}

function bindingFaults(http: JsonObject, entry: Entry): string[] {
  const faults: string[] = []
  if (!isMethod(http.method)) faults.push(`method is not one of ${methods.join(', ')}`)
  if (!isPath(http.path)) faults.push('path does not begin with one slash, or has spaces or backslashes in it')
  for (const name of ['query', 'headers']) {
    if (!Array.isArray(member(http, name) ?? [])) faults.push(`${name} is not a list`)
  }
  const body = member(http, 'body') ?? null
  if (body !== null && body !== 'json' && body !== 'form') faults.push('body is not "json", "form" or null')
  return [...faults, ...argumentFaults(http, entry)]
}

/** `//host/…` would change the host that the credential is sent to. */
function isPath(path: unknown): path is string {
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//')) return false
  return [...path].every((character) => character > ' ' && character !== '\\' && character !== '\u007f')
}

function argumentFaults(http: JsonObject, entry: Entry): string[] {
  const bound = member(http, 'arguments') ?? {}
  if (!isObject(bound)) return ['arguments is not an object']
  const faults: string[] = []
  for (const [name, place] of Object.entries(bound)) {
    if (!toPlace(place)) faults.push(`arguments.${name} is not {"in": "${places.join('" or "')}", "name": "<name in the request>"}`)
    else if (entry.arguments && !entry.arguments.names.has(name)) faults.push(`arguments.${name} is no argument of the tool`)
  }
  const filled = new Set(Object.values(bound).flatMap((place) => (toPlace(place)?.in === 'path' ? [toPlace(place)?.name] : [])))
  for (const [, wanted = ''] of String(http.path).matchAll(/\{([^{}/]*)\}/g)) {
    if (!filled.has(wanted)) faults.push(`path has {${wanted}}, which no argument fills`)
  }
  return faults
}

function toPlace(place: Json): { in: ArgumentPlace; name: string } | undefined {
  if (!isObject(place) || !isPlace(place.in) || typeof place.name !== 'string' || place.name === '') return undefined
  return { in: place.in, name: place.name }
}

function checkOutcomes(outcomes: Json | undefined, entry: Entry, problems: Problems): void {
  if (outcomes === undefined) return
  const declared = isObject(outcomes) ? Object.entries(outcomes) : undefined
  if (!declared?.every(([status, outcome]) => /^[45]\d\d$/.test(status) && isOutcome(outcome))) {
    addProblem(problems, outcomeRules.malformed, entry.label)
  }
  if (!entry.mayBeWrite && declared?.length !== 0) addProblem(problems, outcomeRules.onRead, entry.label)
  for (const [status, outcome] of declared ?? []) {
    if (status.startsWith('5') && outcome === 'refused') addProblem(problems, outcomeRules.serverError, entry.label, status)
  }
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
    arguments: Object.fromEntries(bound.flatMap(([name, place]) => (toPlace(place) ? [[name, toPlace(place) ?? never()]] : []))),
    outcomes: Object.fromEntries(outcomes.flatMap(([status, outcome]) => (isOutcome(outcome) ? [[status, outcome]] : []))),
  }
}

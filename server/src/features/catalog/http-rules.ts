import { isObject, type Json, type JsonObject, member } from '../../foundation/json/index.ts'
import type { Entry } from './entry.ts'
import { isDeclaredOutcome, isMethod, methods, places, toArgumentPlace } from './http-binding.ts'
import { longestHttpPath } from './limits.ts'
import { addProblem, type CatalogRule, mostDetails, type Problems } from './problems.ts'

const malformed: CatalogRule = {
  says: 'have an http binding that cannot be called',
  fix: 'Register what POST /v1/tools/import answered, or correct the member that is named.',
}
const outcomeRules = {
  malformed: {
    says: 'have http outcomes that are not statuses from 400 to 599 mapped to refused or indeterminate',
    fix: 'Write outcomes as {"409": "refused"}.',
  },
  onRead: {
    says: 'declared http outcomes but not declared a write',
    fix: 'Remove outcomes, or declare is_write true.',
  },
  serverError: {
    says: 'declare a 5xx status refused',
    fix: 'After a 5xx nobody knows whether the write happened: declare it indeterminate, or leave it out.',
  },
} satisfies Record<string, CatalogRule>

export function checkHttp(entry: Entry, problems: Problems): void {
  const http = member(entry.raw, 'http')
  if (http === undefined) return
  if (!isObject(http)) {
    addProblem(problems, malformed, entry.label, 'http is not an object')
    return
  }
  for (const fault of bindingFaults(http, entry).take(mostDetails)) addProblem(problems, malformed, entry.label, fault)
  checkOutcomes(member(http, 'outcomes') ?? undefined, entry, problems)
}

function* bindingFaults(http: JsonObject, entry: Entry): Generator<string> {
  if (!isMethod(http.method)) yield `method is not one of ${methods.join(', ')}`
  const { path } = http
  if (typeof path === 'string' && path.length > longestHttpPath) {
    yield `path is longer than ${longestHttpPath} characters`
    return
  }
  if (!isPath(path)) yield 'path does not begin with one slash, or has spaces or backslashes in it'
  for (const name of ['query', 'headers']) {
    if (!Array.isArray(member(http, name) ?? [])) yield `${name} is not a list`
  }
  const body = member(http, 'body') ?? null
  if (body !== null && body !== 'json' && body !== 'form') yield 'body is not "json", "form" or null'
  yield* argumentFaults(http, entry)
}

/** `//host/…` would change the host that the credential is sent to. */
function isPath(path: unknown): path is string {
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//')) return false
  return [...path].every((character) => character > ' ' && character !== '\\' && character !== '\u007f')
}

function* argumentFaults(http: JsonObject, entry: Entry): Generator<string> {
  const bound = member(http, 'arguments') ?? {}
  if (!isObject(bound)) {
    yield 'arguments is not an object'
    return
  }
  const filled = new Set<string>()
  for (const [name, given] of Object.entries(bound)) {
    const [place] = toArgumentPlace(given)
    if (!place) yield `arguments.${name} is not {"in": "${places.join('" or "')}", "name": "<name in the request>"}`
    else if (entry.arguments && !entry.arguments.names.has(name))
      yield `arguments.${name} is not an argument of the tool`
    if (place?.in === 'path') filled.add(place.name)
  }
  for (const [, wanted = ''] of (typeof http.path === 'string' ? http.path : '').matchAll(/\{([^{}/]*)\}/g)) {
    if (!filled.has(wanted)) yield `path has {${wanted}}, which no argument fills`
  }
}

function checkOutcomes(outcomes: Json | undefined, entry: Entry, problems: Problems): void {
  if (outcomes === undefined) return
  const declared = isObject(outcomes) ? Object.entries(outcomes) : undefined
  if (!declared?.every(([status, outcome]) => /^[45]\d\d$/.test(status) && isDeclaredOutcome(outcome))) {
    addProblem(problems, outcomeRules.malformed, entry.label)
  }
  if (!entry.mayBeWrite && declared?.length !== 0) addProblem(problems, outcomeRules.onRead, entry.label)
  for (const [status, outcome] of declared ?? []) {
    if (status.startsWith('5') && outcome === 'refused')
      addProblem(problems, outcomeRules.serverError, entry.label, status)
  }
}

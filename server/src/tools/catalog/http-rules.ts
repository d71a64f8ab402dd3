import type { ApiCredential } from '@tether/contract'
import { isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Entry } from './entry.ts'
import {
  type ArgumentPlace,
  boundArguments,
  isDeclaredOutcome,
  isMediaType,
  isMethod,
  listOf,
  methods,
  places,
  STYLES,
  toArgumentPlace,
  toFixed,
} from './http-binding.ts'
import { longestHttpPath } from './limits.ts'
import { addProblem, type CatalogRule, mostDetails, type Problems } from './problems.ts'

const malformed: CatalogRule = {
  member: 'http',
  says: 'have an http binding that cannot be called',
  fix: 'Register what POST /v1/tools/import answered, or correct the member that is named.',
}
const outcomeRules = {
  malformed: {
    member: 'http',
    says: 'have http outcomes that are not statuses from 400 to 599 mapped to refused or indeterminate',
    fix: 'Write outcomes as {"409": "refused"}.',
  },
  onRead: {
    member: 'http',
    says: 'declared http outcomes but not declared a write',
    fix: 'Remove outcomes, or declare is_write true.',
  },
  serverError: {
    member: 'http',
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
  else yield* pathFaults(path)
  for (const name of ['query', 'headers']) {
    if (!Array.isArray(member(http, name) ?? [])) yield `${name} is not a list`
    else yield* fixedFaults(http, name)
  }
  yield* bodyFaults(http)
  yield* argumentFaults(http, entry)
}

/** `//host/…` would change the host that the credential is sent to. */
function isPath(path: unknown): path is string {
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//')) return false
  return [...path].every((character) => character > ' ' && character !== '\\' && character !== '\u007f')
}

function* pathFaults(path: string): Generator<string> {
  if (path.includes('?')) yield 'path has a "?": put what follows it into query, as {"name", "value"} or as an argument'
  if (climbs(path)) yield 'path has a segment "." or "..", which would lead out of the address that was imported'
}

/** Encoded or not: whatever reads an address folds both, and a server of Java takes what follows a semicolon away first. */
export const climbs = (path: string): boolean =>
  path.split(/[/\\]|%2f|%5c/i).some((segment) => /^(?:\.|%2e){1,2}(?:;|%3b|$)/i.test(segment))

function* fixedFaults(http: JsonObject, list: string): Generator<string> {
  for (const [index, given] of listOf(http, list).entries()) {
    const [fixed] = toFixed(given)
    if (fixed === undefined) {
      if (typeof given !== 'string' || given === '')
        yield `${list}[${index}] is neither {"name": "<name>", "value": "<text>"} nor the name of an argument`
    } else if (list === 'headers') {
      yield* headerFaults(fixed.name, `headers[${index}]`)
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(fixed.value)) yield `headers[${index}] has a value that no header can have`
    }
  }
}

// The service writes these itself. A value from a model must not take their place.
const OWN_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'content-type',
  'idempotency-key',
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Servers that hand headers on as variables (CGI, WSGI, PHP) know no case, and one mark alone: `X_Trace` is `X-Trace` to them. */
export const asOneHeader = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '-')

/** Whether a request to an imported API has a header of this name, as any server reads it, that the service alone writes. */
const isOwnHeader = (name: string): boolean =>
  OWN_HEADERS.has(asOneHeader(name)) || /^(?:x-service-|webhook-(?:id|timestamp|signature)$)/.test(asOneHeader(name))

/** Whether the service writes this header in a request to an imported API. OpenAPI leaves `Accept` to the client. */
export const isServiceHeader = (name: string): boolean => asOneHeader(name) === 'accept' || isOwnHeader(name)

/** Why the credential of an imported API cannot be sent as it says. `Authorization` is for credentials. */
export function credentialFault(credential: ApiCredential): string | undefined {
  if (typeof credential === 'string' || credential.scheme !== 'header') return undefined
  const { name } = credential
  if (asOneHeader(name) === 'authorization' || !isServiceHeader(name)) return undefined
  return `credential.name is the header ${name}, which the service writes itself. Send the credential in Authorization, or in a header of the API.`
}

function* headerFaults(name: string, where: string): Generator<string> {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(name)) yield `${where} has a name that no header can have`
  else if (isOwnHeader(name)) yield `${where} names the header ${name}, which the service writes itself: leave it out`
}

function* bodyFaults(http: JsonObject): Generator<string> {
  const body = member(http, 'body') ?? null
  if (body !== null && body !== 'json' && body !== 'form') yield 'body is not "json", "form" or null'
  const mediaType = member(http, 'mediaType') ?? undefined
  if (mediaType !== undefined && !isMediaType(mediaType)) yield 'mediaType is not a media type'
  if (mediaType !== undefined && body === null) yield 'mediaType says how a body is written, and body is null'
  if (body !== null && (http.method === 'GET' || http.method === 'HEAD')) yield `a ${http.method} carries no body`
}

function* argumentFaults(http: JsonObject, entry: Entry): Generator<string> {
  if (!isObject(member(http, 'arguments') ?? {})) {
    yield 'arguments is not an object'
    return
  }
  const filled = new Set<string>()
  const taken = new Map<string, string>()
  for (const [name, given] of boundArguments(http)) {
    const [place] = toArgumentPlace(given)
    const spot = spotOf(place)
    const other = taken.get(spot) ?? name
    if (place !== undefined && other !== name) yield `arguments.${name} goes where arguments.${other} goes`
    taken.set(spot, name)
    if (!place) yield `arguments.${name} is not ${placeForm(given)}`
    else if (entry.arguments && !entry.arguments.names.has(name))
      yield `arguments.${name} is not an argument of the tool`
    if (place?.in === 'path') filled.add(place.name)
    if (place?.in === 'header') yield* headerFaults(place.name, `arguments.${name}`)
    if (place?.in === 'body' && (member(http, 'body') ?? null) === null)
      yield `arguments.${name} goes into the body, and body is null`
  }
  for (const [, wanted = ''] of (typeof http.path === 'string' ? http.path : '').matchAll(/\{([^{}/]*)\}/g)) {
    if (!filled.has(wanted)) yield `path has {${wanted}}, which no argument fills`
  }
}

const spotOf = (place: ArgumentPlace | undefined): string =>
  place === undefined ? '' : `${place.in} ${place.in === 'header' ? place.name.toLowerCase() : place.name}`

/** What an entry of `arguments` should look like: in full where its place is not even known. */
function placeForm(given: Json): string {
  const place = isObject(given) ? places.find((known) => known === given.in) : undefined
  if (place === undefined) return `{"in": "${places.join('" or "')}", "name": "<name in the request>"}`
  const whole = place === 'body' ? ', "whole"' : ''
  return `{"in": "${place}", "name": "<name in the request>"}, with nothing else but "style" (${STYLES[place].join(', ')}), "explode", "allowReserved"${whole} (true or false) and "contentType"`
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

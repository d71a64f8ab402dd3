import { randomUUID } from 'node:crypto'
import { isObject, type Json, type JsonObject, stringifyJson } from '../../../kernel/json/index.ts'
import { type ArgumentPlace, asOneHeader, climbs, type HttpBinding, type Tool } from '../../catalog/index.ts'
import { type AddedName, addedNames, faultOfAdded, type Placed, placeOf, saysHow } from './member-names.ts'
import { readsAsOurs } from './reads-as-ours.ts'
import { encoded, inHeader, inPairs, inPath, isJsonType, textOf, typedText } from './styles.ts'

/** A request to an imported API, before anybody's credential is added. */
export type ApiRequest = {
  readonly method: HttpBinding['method']
  /** Encoded, and to be joined to the base address as text. */
  readonly path: string
  /** Encoded pairs. */
  readonly query: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly cookies: readonly string[]
  readonly body: { readonly contentType: string; readonly content: string } | null
}

/** `added` are the parameters that members of arguments add. `fault` says which argument cannot be sent, and why. */
type RequestResult =
  | { readonly ok: true; readonly request: ApiRequest; readonly added: readonly AddedName[] }
  | { readonly ok: false; readonly fault: string }

/** Of a path with its query, encoded. Most servers take no longer line. */
const LONGEST_TARGET = 8_192

const FORGED =
  'With these arguments the body would read as a tool call or an event of the service. It is signed like one, so whoever sees it could have your tool endpoint perform it. docs/direct-calls.md says which members must not stand in a body together.'

/** The request that a tool's arguments make. What has no place in it is refused: an approver saw it, so it must not be lost. */
export function requestOf(
  { http, parameters }: Pick<Tool, 'parameters'> & { http: HttpBinding },
  given: JsonObject,
): RequestResult {
  const placed: Placed[] = []
  for (const [argument, value] of Object.entries(given)) {
    const place = placeOf(http, parameters, argument)
    if (place === undefined) {
      // An argument that is null is absent, but in a body, where it may be what clears a member.
      if (value === null) continue
      return refused(argument, 'has no place in the request. Leave it out, or give it one in http.arguments.')
    }
    const inJson = place.in === 'body' && http.body === 'json' && isJsonType(http.mediaType ?? 'application/json')
    if (value === null && !inJson) continue
    if (!inJson && !isWellFormed(value))
      return refused(argument, 'holds half a character, which cannot be sent. Correct it.')
    placed.push({ argument, place, value })
  }
  const added = addedNames(http, placed)
  const taken = faultOfAdded(http, parameters, added)
  if (taken !== null) return refused(taken.argument, taken.why)
  const within = (where: ArgumentPlace['in']): Placed[] => placed.filter(({ place }) => place.in === where)
  const path = pathOf(http, within('path'))
  if (typeof path !== 'string') return path
  const headers = [...http.headers.map(({ name, value }) => [name, value] as const)]
  for (const { argument, place, value } of within('header')) {
    const fixed = http.headers.find(({ name }) => asOneHeader(name) === asOneHeader(place.name))
    if (fixed !== undefined)
      return refused(argument, `goes into the header "${fixed.name}", which is fixed. Leave it out.`)
    const text = inHeader(value, place)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      return refused(argument, 'goes into a header, which holds no line break and no character outside Latin-1.')
    }
    headers.push([place.name, text])
  }
  const pairsOf = (all: readonly Placed[]): string[] => all.flatMap(({ place, value }) => inPairs(value, place))
  const fixed = http.query.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`)
  const query = [...fixed, ...pairsOf(within('query'))]
  const length = query.reduce((sum, pair) => sum + pair.length + 1, path.length)
  if (length > LONGEST_TARGET) {
    const fault = `The arguments make an address of ${length} characters, and ${LONGEST_TARGET} is the most. Shorten those that go into the path or the query.`
    return { ok: false, fault }
  }
  const body = bodyOf(http, within('body'))
  if (body !== null && readsAsOurs(body)) return { ok: false, fault: FORGED }
  return {
    ok: true,
    added,
    request: {
      method: http.method,
      path,
      query,
      headers,
      cookies: pairsOf(within('cookie')),
      body,
    },
  }
}

const refused = (argument: string, why: string): Extract<RequestResult, { ok: false }> => ({
  ok: false,
  fault: `The argument "${argument}" ${why}`,
})

/** Half a character is written as an escape that follows an even number of backslashes. JSON can carry one, and nothing else. */
const isWellFormed = (value: Json): boolean => !/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(stringifyJson(value))

/** Fills the template. A value that would leave its segment, or make the address mean another one, is refused. */
function pathOf(
  { path: template, arguments: bound }: HttpBinding,
  placed: readonly Placed[],
): string | Extract<RequestResult, { ok: false }> {
  // Some documents tell operations of one address apart by what follows a "#", which is never sent.
  let path = template.replace(/#.*$/s, '')
  for (const { argument, place, value } of placed) {
    const filled = inPath(value, place)
    if (filled === '' || textOf(value) === '') return refused(argument, 'stands in the path, so it must not be empty.')
    if (leaves(filled)) {
      return refused(argument, 'stands in the path, so it must not be "." or "..", nor hold one between slashes.')
    }
    path = path.replaceAll(`{${place.name}}`, () => filled)
  }
  const open = /\{([^{}/]*)\}/.exec(path)
  if (open !== null) {
    const unfilled = Object.entries(bound).find(([, place]) => place.in === 'path' && place.name === open[1])
    return refused(unfilled?.[0] ?? open[1] ?? '', 'stands in the path, so the call needs it. Send it.')
  }
  return leaves(path) ? refused('path', 'leads out of the imported address with these values.') : path
}

const MOST_DECODINGS = 8

/** Whether some reader along the way could take a part of it for "." or "..", however often it decodes. */
function leaves(path: string): boolean {
  let text = path
  for (let times = 0; times < MOST_DECODINGS; times++) {
    if (climbs(text)) return true
    const next = decoded(text)
    if (next === text) return false
    text = next
  }
  return true
}

function decoded(text: string): string {
  return text.replace(/%(?:25|2e|2f|3b|5c)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

function bodyOf(http: HttpBinding, placed: readonly Placed[]): ApiRequest['body'] {
  if (http.body === null) return null
  const whole = placed.find(({ place }) => place.whole === true)
  // Where nothing is given, an empty object fits a body that must be there and one that may be left out.
  if (placed.length === 0 && (http.method === 'DELETE' || wantsWhole(http))) return null
  if (http.body === 'json') {
    const contentType = http.mediaType ?? 'application/json'
    const members = placed.map(({ place, value }): [string, Json] => [place.name, value])
    const value = whole === undefined ? Object.fromEntries(members) : whole.value
    return { contentType, content: typedText(value, contentType) }
  }
  if (/^multipart\//i.test(http.mediaType ?? '')) {
    const parts = placed.map(({ place, value }): Part => ({ name: place.name, value, contentType: place.contentType }))
    const { contentType, body } = multipartOf(parts)
    return { contentType, content: body }
  }
  const contentType = http.mediaType ?? 'application/x-www-form-urlencoded'
  return { contentType, content: placed.flatMap(({ place, value }) => formPairs(place, value)).join('&') }
}

const wantsWhole = (http: HttpBinding): boolean => Object.values(http.arguments).some(({ whole }) => whole === true)

/** A member that says nothing about how it is written: a list repeats its name, and an object is JSON. */
function formPairs(place: ArgumentPlace, value: Json): string[] {
  if (saysHow(place)) return inPairs(value, place)
  return inPairs(isObject(value) ? stringifyJson(value) : value, place)
}

type Part = { readonly name: string; readonly value: Json; readonly contentType?: string | undefined }

/** A body of parts: one for each item of a list, an object as JSON. */
function multipartOf(parts: readonly Part[]): { readonly contentType: string; readonly body: string } {
  const written = parts.flatMap(({ value, ...part }) =>
    (Array.isArray(value) ? value : [value]).map((item) => partOf({ ...part, value: item })),
  )
  const boundary = boundaryFor(written)
  const body = written.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${body}--${boundary}--\r\n` }
}

/** Nobody can guess it, so it stands in no value. */
function boundaryFor(parts: readonly string[]): string {
  const boundary = `part-${randomUUID()}`
  return parts.some((part) => part.includes(boundary)) ? boundaryFor(parts) : boundary
}

function partOf({ name, value, contentType }: Part): string {
  const json = isObject(value) || Array.isArray(value)
  const type = contentType ?? (json ? 'application/json' : null)
  const head = `Content-Disposition: form-data; name="${quoted(name)}"`
  const text = contentType !== undefined ? typedText(value, contentType) : json ? stringifyJson(value) : textOf(value)
  return `${head}${type === null ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n${text}`
}

/** As browsers write a name, so that it cannot end its own line. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (mark) => encodeURIComponent(mark))

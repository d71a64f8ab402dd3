import type { ToolStatus } from '@tether/contract'
import { isObject, type Json, member, parseJsonBytes } from '../../kernel/json/index.ts'
import type { Tool } from '../catalog/index.ts'
import { apiSaid, jsonOf } from './direct/api-answer.ts'
import { reasonOf } from './direct/reason.ts'
import type { Answered, Attempted, CalledWith, NoAnswerCause, Proxied } from './transport.ts'

/** How one attempt of a read ended. `body` is the answer as its bytes came, and `value` what they say. */
type Attempt =
  | ({ readonly ok: true; readonly httpStatus: number; readonly body: Buffer; readonly value: Json } & MayBeNotFound &
      MayHaveMore &
      MayBeProxied)
  | ({
      readonly ok: false
      readonly status: Exclude<ToolStatus, 'ok'>
      readonly httpStatus: number | null
      readonly message: string
      /** Whether the read may be tried again after this. */
      readonly again: boolean
      /** What the endpoint asked for with Retry-After. */
      readonly waitMs: number | null
    } & MayBeNotFound &
      MayBeProxied)

/** Present where the answer is a part of a list: how to ask for the rest, in words for a model. */
export type MayHaveMore = { readonly nextPage?: string | undefined }

/** Present where the business says that there is no such thing. `words` are its own, and empty where it said no more. */
export type MayBeNotFound = { readonly notFound?: { readonly words: string } | undefined }

const AGAIN = new Set([408, 429, 502, 503, 504])

/** A read changes nothing, so whether it was sent or not makes no difference to what may follow. */
const UNANSWERED_READ = {
  address_refused: { status: 'invalid_endpoint', again: false },
  unreachable: { status: 'unreachable', again: true },
  timed_out: { status: 'timeout', again: true },
  canceled: { status: 'failed', again: false },
  too_large: { status: 'response_too_large', again: false },
  unreadable: { status: 'endpoint_error', again: false },
} as const satisfies Record<NoAnswerCause, Pick<Extract<Attempt, { ok: false }>, 'status' | 'again'>>

/** What a read's answer, or the lack of one, means. The tool says how its API is asked for more. */
export function attemptOf(result: Attempted, now: number, tool: Tool | null = null): Attempt {
  if (result.kind === 'answered') {
    const { api } = result
    return api === undefined
      ? { ...answeredAttempt(result, now), proxied: result.proxied }
      : apiAttempt(result, api.calledWith, now, tool)
  }
  const { cause, status: httpStatus, message } = result
  return { ok: false, ...UNANSWERED_READ[cause], httpStatus, message, waitMs: null }
}

/** Present where an MCP server answered. */
export type MayBeProxied = { readonly proxied?: Proxied | undefined }

function answeredAttempt({ status: httpStatus, headers, body }: Answered, now: number): Attempt {
  if (httpStatus >= 200 && httpStatus < 300) return withNotFound(readResult(httpStatus, body))
  // An earlier attempt that we gave up on may still be running there. Another one would only be told the same.
  if (httpStatus === 409 && saysInFlight(body)) {
    return { ok: false, status: 'in_flight', httpStatus, message: IN_FLIGHT, again: false, waitMs: null }
  }
  const absent = httpStatus === 404 ? absentIn(body) : undefined
  if (absent !== undefined) {
    const said = absent.words === '' ? '' : ` "${absent.words}"`
    const message = `Not found: the endpoint answered 404.${said}`
    return { ok: false, status: 'endpoint_error', httpStatus, message, again: false, waitMs: null, notFound: absent }
  }
  const redirect = httpStatus >= 300 && httpStatus < 400 ? ' (redirects are not followed)' : ''
  return {
    ok: false,
    status: 'endpoint_error',
    httpStatus,
    message: `The endpoint answered ${httpStatus}${redirect}.`,
    again: AGAIN.has(httpStatus),
    waitMs: retryAfter(headers['retry-after'], now),
  }
}

/** The same for an imported API, which knows nothing of our protocol: it says in its own way why it did not answer. */
function apiAttempt(answered: Answered, calledWith: CalledWith, now: number, tool: Tool | null): Attempt {
  const { status: httpStatus, headers, body } = answered
  if (httpStatus >= 200 && httpStatus < 300) {
    const json = jsonOf(body)
    if (json === null) {
      const message = `The API answered ${httpStatus} with something that is neither JSON nor text.`
      return { ok: false, status: 'endpoint_error', httpStatus, message, again: false, waitMs: null }
    }
    const read = readResult(httpStatus, json)
    const nextPage = tool === null ? null : nextPageOf(answered, tool)
    return read.ok && nextPage !== null ? { ...read, nextPage } : read
  }
  const { words } = reasonOf(body)
  // A page is the 404 of a web server in front of the API, which says nothing about what was asked for.
  const notFound = httpStatus === 404 && (words !== null || body[0] !== LESS_THAN) ? { words: words ?? '' } : undefined
  return {
    ok: false,
    status: 'endpoint_error',
    httpStatus,
    message: apiSaid(answered, calledWith),
    again: AGAIN.has(httpStatus),
    waitMs: retryAfter(headers['retry-after'], now),
    notFound,
  }
}

const LESS_THAN = '<'.charCodeAt(0)

/** How an endpoint says of a success that there is no such thing. */
function withNotFound(read: Attempt): Attempt {
  if (!read.ok || !isObject(read.value) || member(read.value, 'status') !== 'not_found') return read
  return { ...read, notFound: { words: wordsIn(read.value) } }
}

function readResult(httpStatus: number, body: Buffer): Attempt {
  if (body.length === 0) return { ok: true, httpStatus, body, value: null }
  try {
    const value = parseJsonBytes(body)
    return { ok: true, httpStatus, body, value }
  } catch (error) {
    const message = `The endpoint answered ${httpStatus} with a body that is not JSON we can read. ${(error as Error).message}`
    return { ok: false, status: 'endpoint_error', httpStatus, message, again: false, waitMs: null }
  }
}

/** A page of text is the 404 of a web server in front of the business, which says nothing about what was asked for. */
function absentIn(body: Buffer): { readonly words: string } | undefined {
  if (body.length === 0) return { words: '' }
  try {
    return { words: wordsIn(parseJsonBytes(body)) }
  } catch {
    return undefined
  }
}

const MOST_WORDS = 500

function wordsIn(value: Json): string {
  const words = isObject(value) ? member(value, 'message') : undefined
  return typeof words === 'string' ? words.trim().slice(0, MOST_WORDS).toWellFormed() : ''
}

export const IN_FLIGHT = 'Another request holds this idempotency key at the endpoint.'

/** How an endpoint says, beside 409, that the first request under this key is still running. */
export function saysInFlight(body: Buffer): boolean {
  try {
    const value: { readonly status?: unknown } | null = JSON.parse(body.toString())
    return value?.status === 'in_flight'
  } catch {
    return false
  }
}

// `Date.parse` also makes a date of "-1" and of "1.5"; a date in a header begins with its weekday.
const DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)/i

/** Retry-After holds seconds or a date. Null when it holds neither. */
function retryAfter(header: Answered['headers'][string], now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = DATE.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

const LONGEST = 4_000

/**
 * What an API says of its next page (RFC 8288), for a model that may ask for it; nobody follows it. Null where there is none. It
 * names the tool's own arguments, because a model calls the tool and not the address.
 */
function nextPageOf({ headers }: Answered, { http }: Tool): string | null {
  const { link } = headers
  const target = typeof link === 'string' ? nextIn(link.slice(0, LONGEST)) : null
  if (target === null || http === null) return null
  const url = URL.parse(target, 'https://api.invalid/')
  const known = new Map(
    Object.entries(http.arguments).flatMap(([name, place]) => (place.in === 'query' ? [[place.name, name]] : [])),
  )
  const named = [...(url?.searchParams ?? [])].flatMap(([name, value]) => {
    const argument = known.get(name)
    return argument === undefined ? [] : [`${argument} = ${JSON.stringify(value)}`]
  })
  if (named.length === 0) return 'There are more results than these, on a further page.'
  return `There are more results than these. For the next page, call the tool again with ${named.join(', ')}.`
}

/** The first target whose relation is `next`. */
function nextIn(header: string): string | null {
  for (const [, target = '', parameters = ''] of header.matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w*!#$&+\-.^`|~]+(?:=(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters) ?? []
    if ((quoted ?? bare ?? '').toLowerCase().split(/\s+/).includes('next')) return target
  }
  return null
}

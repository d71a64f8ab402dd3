import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode, ErrorExtras } from '@tether/contract'
import type { ServerEvent } from './event-stream.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What we know of a request before we read its body. */
export type RequestHead = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** A header's values, one by one. Joined into one text, two tokens would look like one. */
  valuesOf(header: string): readonly string[]
  /** The socket's address. Higher floors work out who the caller behind a proxy is. */
  readonly socketAddress: string
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
  /** Counts an answer that is being made, by its bytes so far. False if its share may not hold as many now. */
  readonly reserveAnswer: (bytes: number) => boolean
}

/** The parts of a request that a schema checks. */
export type RequestParts = {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  body: unknown
}

export type Answer = {
  status: number
  headers?: Record<string, string>
  /** Sent as JSON unless `text` is set. It may contain raw JSON anywhere. */
  body?: unknown
  text?: { type: string; content: string | Buffer }
  /** Sent instead of a body, one by one as they come (`text/event-stream`). */
  events?: AsyncIterable<ServerEvent>
}

/** What went wrong, in our own form. */
export type ErrorBody = ErrorExtras & { readonly code: ErrorCode; readonly message: string }

/** Collected while we examine a request, and used whether we serve it or refuse it. */
export type Carried = {
  /** Added to the answer (limits, CORS). */
  readonly headers: Record<string, string>
  /** Added to the request's log line. Never a secret. */
  readonly logged: Record<string, unknown>
  /** On whose behalf the request is made, whose bytes are counted together. Unset, they are not counted. */
  share?: string
  /** The line in which a person who is signed in to a page waits. Unset, the request waits with strangers. */
  line?: string
}

/** A route as the server sees it, without a business word. `Admission` is what `admit` found out about the caller. */
export type Endpoint<Admission = unknown> = {
  readonly method: Method
  /** A parameter is written `:name`. */
  readonly path: string
  /** True if it is served without a key. */
  readonly needsNoKey?: boolean
  /** True for a monitor's probe. It waits behind other probes only, not behind every request without a key. */
  readonly isProbe?: boolean
  readonly bodyLimit: number
  /** True if its body is a form of a page and not JSON. */
  readonly form?: boolean
  /** True if that form may hold files. */
  readonly files?: boolean
  /** True if the handler gets the bytes of its body as they came: a signature is of them. */
  readonly signed?: boolean
  /** How long its body may take to come, from when it is read. */
  readonly bodyMs: number
  /** The form of its errors, if their readers know another than ours. */
  readonly errorForm?: ((body: ErrorBody, status: number) => unknown) | undefined
  /** How large its answer may be, if that is more than a few hundred kilobytes; otherwise 0. */
  readonly answerBytes: number
  /** Runs before the body is read; throws a Refusal to turn the caller away. */
  readonly admit: (head: RequestHead, carried: Carried) => Promise<Admission>
  /** Who is asking by now: a body that came later than its head is served as it stands when it is whole. Not counted again. */
  readonly readmit: (head: RequestHead) => Promise<Admission>
  /** Checks shape (converts query text to numbers, and makes what a body leaves open alike); throws a Refusal. */
  readonly check: (admission: Admission, parts: RequestParts) => void
  readonly handle: (admission: Admission, head: RequestHead, parts: RequestParts) => Promise<Answer>
}

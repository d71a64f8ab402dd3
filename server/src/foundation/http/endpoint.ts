import type { IncomingHttpHeaders } from 'node:http'
import type { ServerEvent } from './event-stream.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** What is known of a request before its body is read. */
export type RequestHead = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** A header's values one by one: joined into one text, two tokens would read like one. */
  valuesOf(header: string): readonly string[]
  /** The socket's address; who the caller is behind a proxy is decided above. */
  readonly socketAddress: string
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal
}

/** The parts of a request that a schema has checked. */
export type RequestParts = {
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

export type Answer = {
  status: number
  headers?: Record<string, string>
  /** JSON, with raw JSON anywhere in it, unless `text` says otherwise. */
  body?: unknown
  text?: { type: string; content: string | Buffer }
  /** Instead of a body: events, as they come (`text/event-stream`). */
  events?: AsyncIterable<ServerEvent>
}

/** Filled while a request is looked at, and used whether it is served or refused. */
export type Carried = {
  /** Set on the answer (limits, CORS). */
  readonly headers: Record<string, string>
  /** Added to the request's log line. Never a secret. */
  readonly logged: Record<string, unknown>
}

/** One route as the server needs it: it knows no business word. `Admission` is whatever `admit` found out about the caller. */
export type Endpoint<Admission = unknown> = {
  readonly method: Method
  /** With `:name` for a parameter. */
  readonly path: string
  readonly bodyLimit: number
  /** How long its body may take to come, from when it is read. */
  readonly bodyMs: number
  /** Runs before the body is read; throws a Refusal to turn the caller away. */
  readonly admit: (head: RequestHead, carried: Carried) => Promise<Admission>
  /** Who is asking by now: a body that came later than its head is served as it stands when it is whole. Not counted again. */
  readonly readmit: (head: RequestHead) => Promise<Admission>
  /** Checks shape (and may convert query text to numbers); throws a Refusal. */
  readonly check: (parts: RequestParts) => void
  readonly handle: (admission: Admission, head: RequestHead, parts: RequestParts) => Promise<Answer>
}

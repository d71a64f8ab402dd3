import type { AnswerHeaders, EgressFailure } from '../../kernel/egress/index.ts'
import { DEEPEST_ANSWER, DEEPEST_LIST, MOST_ANSWER_VALUES, MOST_LIST_BYTES, MOST_LOOK } from './limits.ts'
import { type Meter, meterOf, roomFor } from './meter.ts'
import type { CallSent } from './opened.ts'
import type { Reaching } from './reaching.ts'

type Guarded = {
  readonly until: number
  /** Of the answer to the call. */
  readonly callBytes: number
  readonly tracked: CallSent
  /** Ends all that the client does: an answer of the server is more than may be read. */
  readonly giveUp: (reason: Error) => void
}

const NOT_FOR_US = new Set(['content-length', 'host', 'connection', 'accept-encoding'])

/**
 * The `fetch` of the protocol's own client, over the one way out: every address is checked, no redirect is followed, and
 * bytes and time are bounded. It tells apart whether the call itself was sent, which the client does not.
 */
export function guardedFetch(ctx: Reaching, { until, callBytes, tracked, giveUp }: Guarded): typeof fetch {
  const lists = roomFor('What the server says of itself and its tools', MOST_LOOK)
  return async (input, init = {}) => {
    const asked = (init.method ?? 'GET').toUpperCase()
    const headers = headersOf(init.headers)
    // A server that speaks first has nobody to speak to: nothing here stays connected between calls.
    if (asked === 'GET' && headers['last-event-id'] === undefined) return new Response(null, { status: 405 })
    const body = typeof init.body === 'string' ? init.body : undefined
    const isCall = body !== undefined && methodIn(body) === 'tools/call'
    // The client would send some calls again: after another era's refusal, or to where a server points.
    if (isCall && tracked.begun) throw new TypeError('A call is sent once.')
    if (isCall) tracked.begun = true
    const answering = Promise.withResolvers<Response>()
    const stream = openStream()
    const isAnswer = isCall || asked === 'GET'
    const room = isAnswer ? roomFor('The answer', { bytes: callBytes, values: MOST_ANSWER_VALUES }) : lists
    const deepest = isAnswer ? DEEPEST_ANSWER : DEEPEST_LIST
    let meter: Meter = () => null
    const sending = ctx.egress.request({
      purpose: 'tool',
      share: ctx.asking.tenantId,
      url: String(input),
      method: asked === 'GET' ? 'GET' : asked === 'DELETE' ? 'DELETE' : 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
      deadlineMs: Math.max(1, until - performance.now()),
      maxBytes: isAnswer ? callBytes : MOST_LIST_BYTES,
      credentialed: true,
      // A call caught by a closing connection would be indeterminate.
      ...(isCall ? { maxIdleMs: 1000 } : {}),
      signal: AbortSignal.any([stream.left, ...(init.signal ? [init.signal] : [])]),
      watch: {
        head(status, answered) {
          if (isCall) Object.assign(tracked, { sent: true, status })
          meter = meterOf({ room, deepest, isStream: isEventStream(answered) })
          answering.resolve(responseOf(status, answered, stream.body))
        },
        chunk(bytes) {
          const excess = meter(bytes)
          if (excess === null) return stream.write(bytes)
          meter = () => null
          const fault = { sent: true, status: tracked.status, ...NOT_SAID, ...excess }
          if (isAnswer) tracked.fault ??= fault
          const error = faulted(fault)
          stream.fail(error)
          giveUp(error)
        },
      },
    })
    void sending.then((result) => {
      if (result.kind === 'answer') return stream.end()
      if (isCall) Object.assign(tracked, { sent: tracked.sent || result.sent, fault: tracked.fault ?? result })
      const error = faulted(result)
      stream.fail(error)
      answering.reject(error)
    })
    return await answering.promise
  }
}

const faulted = (fault: EgressFailure): Error => Object.assign(new TypeError(fault.message), { fault })
const NOT_SAID = { code: null, finalUrl: '', durationMs: 0 } as const

const isEventStream = ({ 'content-type': type }: AnswerHeaders): boolean =>
  [type ?? ''].flat().join().toLowerCase().includes('text/event-stream')

function methodIn(body: string): unknown {
  try {
    return (JSON.parse(body) as { method?: unknown }).method
  } catch {
    return undefined
  }
}

const headersOf = (given: RequestInit['headers']): Record<string, string> =>
  Object.fromEntries([...new Headers(given)].filter(([name]) => !NOT_FOR_US.has(name)))

const WITHOUT_BODY = new Set([204, 205, 304])

function responseOf(status: number, answered: AnswerHeaders, body: ReadableStream<Uint8Array>): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answered)) {
    // What is meant for one address is meant for no other.
    if (name === 'location') continue
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers })
}

/** A body that is written as its bytes come, and that says when nobody reads it any longer. */
function openStream() {
  const leaving = new AbortController()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (made) => {
      controller = made
    },
    cancel: () => {
      controller = undefined
      leaving.abort()
    },
  })
  return {
    body,
    left: leaving.signal,
    write: (bytes: Buffer) => controller?.enqueue(Uint8Array.from(bytes)),
    end: () => controller?.close(),
    fail: (error: Error) => {
      controller?.error(error)
      controller = undefined
      leaving.abort()
    },
  }
}

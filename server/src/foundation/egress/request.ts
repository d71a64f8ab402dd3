import { acceptedCodings, unpack } from './coding.ts'
import { Deadline } from './deadline.ts'
import { type AnswerHeaders, exchange, type RawAnswer } from './exchange.ts'
import { Fault, type FaultKind } from './fault.ts'
import { faultOfHeaders, flatHeaders, type Headers, neutralHeaders } from './headers.ts'
import type { Lane } from './lane.ts'
import { loadUndici } from './late-undici.ts'
import type { EgressPolicy } from './policy.ts'
import { checkUrl, type Target } from './url.ts'

export type EgressMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type EgressCall = {
  readonly url: string
  readonly method: EgressMethod
  readonly headers?: Headers
  readonly body?: string | Buffer
  /** For everything together: waiting in line, DNS, connecting, redirects, reading, decompressing. */
  readonly deadlineMs: number
  /** The longest body, decoded. */
  readonly maxBytes: number
  /** How many redirects to follow (GET and HEAD only). Absent or 0: a 3xx is an answer. */
  readonly redirects?: number
  /** The request carries a credential or a signature: no redirect is followed and `plainHttp` does not count. */
  readonly credentialed: boolean
  /** Accept gzip and brotli. */
  readonly compressed?: boolean
  /** This call may use `http:` although the policy says no. */
  readonly plainHttp?: boolean
  /** Use no connection that rested longer than this: one that the peer is about to close loses a request that was already sent. */
  readonly maxIdleMs?: number
  readonly signal?: AbortSignal
}

export type EgressAnswer = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: Buffer
  readonly finalUrl: string
  readonly remoteAddress: string
  readonly durationMs: number
}

export type EgressFailure = {
  readonly kind: FaultKind
  /** Whether bytes of the request may have reached a peer. False: it is certain that none did. */
  readonly sent: boolean
  /** The status, where its head came before the failure. */
  readonly status: number | null
  /** In words, fit for the owner of the URL. */
  readonly message: string
  /** The system's or the library's code, fit for a log. */
  readonly code: string | null
  readonly finalUrl: string
  readonly durationMs: number
}

export type EgressResult = EgressAnswer | EgressFailure

export type RequestContext = { readonly policy: EgressPolicy; readonly lane: Lane; readonly userAgent: string }

type Hop = { readonly url: string; readonly headers: Headers; readonly wasSecure: boolean }
type Arrived = { readonly raw: RawAnswer; readonly target: Target; readonly address: string }

export async function request(context: RequestContext, call: EgressCall): Promise<EgressResult> {
  const started = performance.now()
  const redirects = call.credentialed ? 0 : (call.redirects ?? 0)
  if (redirects > 0 && call.method !== 'GET' && call.method !== 'HEAD') {
    throw new TypeError('Only GET and HEAD follow redirects: another method could act twice.')
  }
  const deadline = new Deadline(call.deadlineMs, call.signal)
  let hop: Hop = { url: call.url, headers: call.headers ?? {}, wasSecure: false }
  let followed = 0
  let sent = false
  try {
    await loadUndici()
    for (;;) {
      const arrived = await send(context, call, hop, deadline)
      sent = true
      const location = redirects > 0 ? locationOf(arrived.raw) : null
      if (location === null) return await answer(arrived, call, deadline, started)
      followed += 1
      if (followed > redirects) throw new Fault('invalid_answer', `The site redirects more than ${redirects} times.`)
      hop = nextHop(arrived.target, hop, location)
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return failure(error, hop.url, started, sent)
  } finally {
    deadline.close()
  }
}

async function send(context: RequestContext, call: EgressCall, hop: Hop, deadline: Deadline): Promise<Arrived> {
  const target = checkedTarget(context.policy, call, hop)
  const problem = faultOfHeaders(hop.headers)
  if (problem !== null) throw new Fault('refused', problem, 'EGRESS_HEADER')
  const compressed = call.compressed === true
  const message = {
    path: target.path,
    method: call.method,
    headers: flatHeaders(hop.headers, context.userAgent, acceptedCodings(compressed)),
    body: typeof call.body === 'string' ? Buffer.from(call.body) : (call.body ?? null),
  }
  const limits = { maxBytes: call.maxBytes, compressed }
  for (;;) {
    if (deadline.ended !== null) throw deadline.ended
    const pool = context.lane.poolFor(target)
    const connection = pool.take(call.maxIdleMs ?? Number.POSITIVE_INFINITY) ?? (await pool.wait(deadline))
    // A turn of the event loop shows whether the peer has ended a resting connection; undici alone looks only at what was read before.
    if (connection.isOpen) await new Promise((turned) => setImmediate(turned))
    const wasOpen = connection.isOpen
    try {
      const raw = await exchange(connection.client, message, limits, deadline)
      const { address } = connection
      pool.give(connection)
      return { raw, target, address }
    } catch (error) {
      pool.drop(connection)
      // The peer closed a resting connection just before it was used. Nothing was written, so another one may carry the request.
      if (wasOpen && error instanceof Fault && error.kind === 'unreachable' && !error.sent) continue
      throw error
    }
  }
}

function checkedTarget(policy: EgressPolicy, call: EgressCall, hop: Hop): Target {
  const plainHttp = call.plainHttp === true && !call.credentialed
  const checked = checkUrl(hop.url, policy, { noun: 'The address', plainHttp })
  if (!checked.ok) throw new Fault('refused', checked.message, 'EGRESS_ADDRESS')
  if (hop.wasSecure && !checked.target.secure)
    throw new Fault('refused', 'The site redirects from HTTPS to HTTP.', 'EGRESS_DOWNGRADE')
  return checked.target
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function locationOf({ status, headers }: RawAnswer): string | null {
  if (!redirectStatuses.has(status)) return null
  const location = headers.location
  if (Array.isArray(location)) throw new Fault('invalid_answer', 'The redirect names more than one address.')
  return location ?? null
}

function nextHop(from: Target, hop: Hop, location: string): Hop {
  // Header bytes arrive as Latin-1, and sites write their addresses in UTF-8.
  const next = URL.parse(Buffer.from(location, 'latin1').toString(), from.href)
  if (next === null) throw new Fault('invalid_answer', 'The redirect names no address.')
  const headers = next.origin === from.origin ? hop.headers : neutralHeaders(hop.headers)
  return { url: next.href, headers, wasSecure: from.secure }
}

async function answer(
  { raw, target, address }: Arrived,
  call: EgressCall,
  deadline: Deadline,
  started: number,
): Promise<EgressAnswer> {
  const { status, headers, coding, packed } = raw
  const isPacked = packed.length > 0 && (coding === 'gzip' || coding === 'br')
  const body = isPacked ? await unpackAnswer(raw, coding, call.maxBytes, deadline) : packed
  const durationMs = performance.now() - started
  return { kind: 'answer', status, headers, body, finalUrl: target.href, remoteAddress: address, durationMs }
}

async function unpackAnswer(
  raw: RawAnswer,
  coding: 'gzip' | 'br',
  maxBytes: number,
  deadline: Deadline,
): Promise<Buffer> {
  try {
    return await unpack(raw.packed, coding, maxBytes, deadline)
  } catch (error) {
    if (error instanceof Fault) error.status = raw.status
    throw error
  }
}

function failure(fault: Fault, finalUrl: string, started: number, sentBefore: boolean): EgressFailure {
  const { kind, status, message, code } = fault
  const durationMs = performance.now() - started
  return { kind, sent: fault.sent || sentBefore, status, message, code, finalUrl, durationMs }
}

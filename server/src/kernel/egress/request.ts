import type { Client } from 'undici'
import { acceptedCodings, type Unpacked, unpack, unpackBeginning } from './coding.ts'
import { Deadline } from './deadline.ts'
import { type AnswerHeaders, exchange, type RawAnswer, type Watch } from './exchange.ts'
import { EgressFault, type FaultKind } from './fault.ts'
import { faultOfHeaders, flatHeaders, type Headers, neutralHeaders } from './headers.ts'
import type { EgressPolicy } from './policy.ts'
import type { PurposePools } from './purpose-pools.ts'
import { checkUrl, type Target } from './url.ts'

export type EgressMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type EgressCall = {
  /** On whose behalf: calls of different shares have no socket in common, and so never wait for each other. */
  readonly share: number
  readonly url: string
  /** The most characters of the URL, unless 2048: arguments may make it longer than anybody would register. */
  readonly longestUrl?: number
  readonly method: EgressMethod
  readonly headers?: Headers
  readonly body?: string | Buffer
  /** The longest time for everything together: waiting in line, DNS, connecting, redirects, reading, decompressing. */
  readonly deadlineMs: number
  /** The largest decoded body. */
  readonly maxBytes: number
  /** How many redirects to follow (GET and HEAD only). Without it, a 3xx is an answer. */
  readonly redirects?: number
  /** True if the request carries a credential or a signature. Then we follow no redirect and ignore `plainHttp`. */
  readonly credentialed: boolean
  /** Returns the beginning of a body that is larger than `maxBytes`, instead of a failure. */
  readonly cut?: boolean
  /** Accept gzip and brotli. */
  readonly compressed?: boolean
  /** Lets this call use `http:` even if the policy forbids it. */
  readonly plainHttp?: boolean
  /**
   * Reuses no connection idle for longer than this, because a peer about to close it would lose a request that we have
   * sent.
   */
  readonly maxIdleMs?: number
  readonly signal?: AbortSignal
  /** For an answer that is read while it comes. Not with `redirects` or `compressed`: what it hears is what came. */
  readonly watch?: Watch
}

type EgressAnswer = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: Buffer
  /** True if `body` is only the beginning. */
  readonly isCut: boolean
  readonly finalUrl: string
  readonly remoteAddress: string
  readonly durationMs: number
}

export type EgressFailure = {
  readonly kind: FaultKind
  /** True if bytes of the request may have reached a peer. False means that certainly none did. */
  readonly sent: boolean
  /** The status, if the head came before the failure. */
  readonly status: number | null
  /** Words that the owner of the URL may read. */
  readonly message: string
  /** The code of the system or the library, for a log. */
  readonly code: string | null
  readonly finalUrl: string
  readonly durationMs: number
}

export type EgressResult = EgressAnswer | EgressFailure

type RequestContext = { readonly policy: EgressPolicy; readonly pools: PurposePools; readonly userAgent: string }

type Sending = RequestContext & { readonly Client: typeof Client }
type Hop = { readonly url: string; readonly headers: Headers; readonly wasSecure: boolean }
type Arrived = { readonly raw: RawAnswer; readonly target: Target; readonly address: string }

export async function request(context: RequestContext, call: EgressCall): Promise<EgressResult> {
  const redirects = call.credentialed ? 0 : (call.redirects ?? 0)
  if (redirects > 0 && call.method !== 'GET' && call.method !== 'HEAD') {
    throw new TypeError('Only GET and HEAD may follow redirects, because another method could act twice.')
  }
  // The time of a call is for the call, and not for what the first one of a process has to load.
  const { Client } = await import('./undici.ts')
  const started = performance.now()
  const deadline = new Deadline(call.deadlineMs, call.signal)
  let hop: Hop = { url: call.url, headers: call.headers ?? {}, wasSecure: false }
  let followed = 0
  let sent = false
  try {
    for (;;) {
      const arrived = await sendHop({ ...context, Client }, call, hop, deadline)
      sent = true
      const location = redirects > 0 ? locationOf(arrived.raw) : null
      if (location === null) return await answerFrom(arrived, call, deadline, started)
      followed += 1
      if (followed > redirects)
        throw new EgressFault('invalid_answer', `The site redirects more than ${redirects} times.`)
      hop = nextHop(arrived.target, hop, location)
    }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return failureFrom(error, hop.url, started, sent)
  } finally {
    deadline.close()
  }
}

async function sendHop(context: Sending, call: EgressCall, hop: Hop, deadline: Deadline): Promise<Arrived> {
  const target = checkedTarget(context.policy, call, hop)
  const problem = faultOfHeaders(hop.headers)
  if (problem !== null) throw new EgressFault('refused', problem, 'EGRESS_HEADER')
  const compressed = call.compressed === true
  const message = {
    path: target.path,
    method: call.method,
    headers: flatHeaders(hop.headers, context.userAgent, acceptedCodings(compressed)),
    body: typeof call.body === 'string' ? Buffer.from(call.body) : (call.body ?? null),
  }
  const watch = call.watch === undefined ? {} : { watch: call.watch }
  const limits = { maxBytes: call.maxBytes, compressed, cut: call.cut === true, ...watch }
  for (;;) {
    if (deadline.ended !== null) throw deadline.ended
    const pool = context.pools.poolFor(call.share, target, context.Client)
    const connection = pool.take(call.maxIdleMs ?? Number.POSITIVE_INFINITY) ?? (await pool.wait(deadline))
    // One turn of the event loop shows whether the peer has ended an idle connection. undici alone sees only what was
    // read before.
    if (connection.isOpen) await new Promise((turned) => setImmediate(turned))
    const wasOpen = connection.isOpen
    try {
      const raw = await exchange(connection.client, message, limits, deadline)
      const { address } = connection
      // The rest of a cut answer would still come over this connection.
      if (raw.isCut) pool.drop(connection)
      else pool.give(connection)
      return { raw, target, address }
    } catch (error) {
      pool.drop(connection)
      // The peer closed an idle connection just before we used it. Nothing was written, so another one may carry the
      // request.
      if (wasOpen && error instanceof EgressFault && error.kind === 'unreachable' && !error.sent) continue
      throw error
    }
  }
}

function checkedTarget(policy: EgressPolicy, call: EgressCall, hop: Hop): Target {
  const plainHttp = call.plainHttp === true && !call.credentialed
  const checked = checkUrl(hop.url, policy, {
    noun: 'The address',
    plainHttp,
    ...(call.longestUrl === undefined ? {} : { longest: call.longestUrl }),
  })
  if (!checked.ok) throw new EgressFault('refused', checked.message, 'EGRESS_ADDRESS')
  if (hop.wasSecure && !checked.target.secure)
    throw new EgressFault('refused', 'The site redirects from HTTPS to HTTP.', 'EGRESS_DOWNGRADE')
  return checked.target
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function locationOf({ status, headers }: RawAnswer): string | null {
  if (!redirectStatuses.has(status)) return null
  const location = headers.location
  if (Array.isArray(location)) throw new EgressFault('invalid_answer', 'The redirect names more than one address.')
  return location ?? null
}

function nextHop(from: Target, hop: Hop, location: string): Hop {
  // Headers are decoded as Latin-1, but sites write their addresses in UTF-8.
  const next = URL.parse(Buffer.from(location, 'latin1').toString(), from.href)
  if (next === null) throw new EgressFault('invalid_answer', 'The redirect has no valid address.')
  const headers = next.origin === from.origin ? hop.headers : neutralHeaders(hop.headers)
  return { url: next.href, headers, wasSecure: from.secure }
}

async function answerFrom(
  { raw, target, address }: Arrived,
  call: EgressCall,
  deadline: Deadline,
  started: number,
): Promise<EgressAnswer> {
  const { status, headers } = raw
  const { body, isCut } = await unpackAnswer(raw, call, deadline)
  const durationMs = performance.now() - started
  return { kind: 'answer', status, headers, body, isCut, finalUrl: target.href, remoteAddress: address, durationMs }
}

async function unpackAnswer(raw: RawAnswer, { maxBytes, cut }: EgressCall, deadline: Deadline): Promise<Unpacked> {
  const { coding, packed, isCut } = raw
  if (packed.length === 0 || (coding !== 'gzip' && coding !== 'br')) return { body: packed, isCut }
  try {
    if (cut === true) return await unpackBeginning(raw, coding, maxBytes, deadline)
    return { body: await unpack(packed, coding, maxBytes, deadline), isCut: false }
  } catch (error) {
    if (error instanceof EgressFault) error.status = raw.status
    throw error
  }
}

function failureFrom(fault: EgressFault, finalUrl: string, started: number, sentBefore: boolean): EgressFailure {
  const { kind, status, message, code } = fault
  const durationMs = performance.now() - started
  return { kind, sent: fault.sent || sentBefore, status, message, code, finalUrl, durationMs }
}

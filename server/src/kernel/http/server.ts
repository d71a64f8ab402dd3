import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { member, requireStorable, stringifyJson, type Writable } from '../json/index.ts'
import {
  bodyText,
  FORM,
  FORM_WITH_FILES,
  readForm,
  readFormWithFiles,
  requireStorableAddress,
  settleContentType,
} from './body.ts'
import type { Answer, Carried, Endpoint, RequestHead } from './endpoint.ts'
import { STREAM_HEADERS, writeEvents } from './event-stream.ts'
import { errorAnswer, type Failure } from './failure.ts'
import { answerHeaders } from './headers.ts'
import { endUnread, expectedOf, type Held, type InFlight, type InFlightLimits, openInFlight } from './in-flight.ts'
import { boundBody, isWhole } from './late-body.ts'
import { type Refusal, refuse } from './refusal.ts'
import { endSilent } from './silent-connections.ts'
import { openTurns, type Turns } from './turns.ts'

type Served = {
  readonly requestId: string
  readonly method: string
  /** The declared path, never the address as sent, which may hold something that a log must not keep. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly logged: Record<string, unknown>
}

export type ServerOptions = {
  readonly endpoints: readonly Endpoint[]
  /** Answers a request that matches no route: 401 without a key, otherwise 404. */
  readonly unmatched: (head: RequestHead, carried: Carried) => Promise<never>
  readonly newRequestId: () => string
  /** Throws an error whose message we can show to the caller. */
  readonly parseJson: (text: string) => unknown
  readonly onServed: (served: Served) => void
  readonly onFailure: (failure: Failure) => void
  /** Returns the answer to a failure that deserves a better one than "something failed". */
  readonly refusalOf: (error: unknown) => Refusal | undefined
  /** We send Strict-Transport-Security only where the public address is https. */
  readonly https: boolean
  readonly inFlight: InFlightLimits
  /** How long an answer waits for a reader who takes nothing of it. */
  readonly stallMs?: number
}
const STALL_MS = 30_000

// One record per request instead of several decorations.
type RequestState = {
  readonly head: RequestHead
  readonly carried: Carried
  readonly startedAt: number
  readonly endpoint: Endpoint | undefined
  admission: unknown
  /** Until it is seen that the body was there when `admit` began to look. */
  late: boolean
  held: Held | undefined
}
const STATE = 'state'
declare module 'fastify' {
  interface FastifyRequest {
    [STATE]: RequestState | undefined
  }
}

export function openServer(options: ServerOptions): FastifyInstance {
  const queues = openQueues(options.inFlight)
  const app = fastify({
    logger: false,
    // `shape-check` holds the shapes, so the framework's two compilers are not even loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: options.newRequestId,
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // We finish requests that arrive while we stop; by then the load balancer knows that we are stopping.
    return503OnClosing: false,
    // Monitors and proxies send HEAD to whatever answers GET.
    exposeHeadRoutes: true,
    // Node would refuse a request without a Host header with an empty answer, so we let it through and answer it
    // ourselves.
    http: { requireHostHeader: false, connectionsCheckingInterval: 5_000 },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options),
    // Only the limit of the whole head (16 KiB) bounds a path parameter, so that one that is too long is "not found",
    // not an error.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16 * 1024 },
    frameworkErrors: (error, request, reply) =>
      void queues.turns.next(socketAddressOf(request)).then(() => sendFailure(options, error, request, reply)),
  })
  app.decorateRequest(STATE, undefined)
  endSilent(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ state }: FastifyRequest, bytes: Buffer) =>
      state?.endpoint?.signed === true ? bytes : readBody(bytes, options.parseJson),
  )
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, async ({ state }: FastifyRequest, bytes: Buffer) =>
    state?.endpoint?.signed === true ? bytes : readForm(bytes),
  )
  app.addContentTypeParser(FORM_WITH_FILES, { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, bytes: Buffer) =>
    readFormWithFiles(bytes, headers['content-type'] ?? ''),
  )
  app.addHook('onRequest', (request, reply) => receive(options, queues, request, reply))
  app.addHook('preParsing', async (request) => {
    const { endpoint } = request.state ?? {}
    if (endpoint !== undefined && !isWhole(request.raw)) boundBody(request.raw, endpoint.bodyMs)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    request.state?.held?.answer(bytes)
    const { endpoint, carried } = request.state ?? {}
    if (carried !== undefined) turnsOf(queues, endpoint, carried)?.charge(bytes)
    endUnread(reply.raw, options.stallMs ?? STALL_MS)
    done()
  })
  app.addHook('onResponse', async (request, reply) => report(options, request, reply))
  app.setErrorHandler((error, request, reply) => sendFailure(options, error, request, reply))
  app.setNotFoundHandler(() => {
    throw refuse('not_found', 'There is no such route. The routes are listed at /swagger.')
  })
  app.server.on('checkExpectation', (_request, response) => {
    const answer = errorAnswer(
      refuse('invalid_request', 'We cannot meet the expectation in the `Expect` header. Send the request without it.'),
      quiet(options),
    )
    response.writeHead(answer.status, { ...rawHeaders(options), connection: 'close' }).end(JSON.stringify(answer.body))
  })
  for (const endpoint of options.endpoints) mount(app, endpoint, options)
  return app
}

/** Asked for by a route that gives the framework a schema. */
function noCompiler(): never {
  throw new Error('Declare what a route takes in its `Shapes`: the framework is given no schemas.')
}

const rawHeaders = ({ newRequestId, https }: ServerOptions) => ({
  ...answerHeaders(newRequestId(), https),
  'content-type': 'application/json; charset=utf-8',
})
const quiet = ({ refusalOf }: ServerOptions) => ({ requestId: '', onFailure: () => {}, refusalOf })

const RAW_ADDRESS =
  'The address has a space, or a letter outside of ASCII, as it is. Percent-encode it: `curl -G --data-urlencode "q=…"` does, and so does `encodeURIComponent`.'

/** By the codes of Node's parser. Of a space in the address it hears that no version of HTTP follows. */
const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  HPE_INVALID_URL: RAW_ADDRESS,
  HPE_INVALID_CONSTANT: RAW_ADDRESS,
}

/** Answers bytes that are not HTTP with an error of our usual shape, and closes the connection. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, options: ServerOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const message = member(UNREADABLE, error.code ?? '') ?? 'We could not read the request as HTTP. Send HTTP/1.1.'
  const body = JSON.stringify(errorAnswer(refuse('invalid_request', message), quiet(options)).body)
  const head = Object.entries({
    ...rawHeaders(options),
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  })
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}

function readBody(bytes: Buffer, parseJson: ServerOptions['parseJson']): unknown {
  if (bytes.length === 0) return undefined
  const text = bodyText(bytes)
  try {
    requireStorable(text)
    return parseJson(text)
  } catch (error) {
    throw refuse('invalid_request', (error as Error).message)
  }
}

function mount(app: FastifyInstance, endpoint: Endpoint, options: ServerOptions): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit,
    config: { endpoint },
    handler: async (request, reply) => {
      const { state } = request
      if (state === undefined) throw new Error('A request reached its handler before `receive` had seen it.')
      const parts = {
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: request.body,
      }
      const admission = state.late ? await endpoint.readmit(state.head) : state.admission
      endpoint.check(admission, parts)
      const answer = await endpoint.handle(admission, state.head, parts)
      if (answer.events === undefined) return send(reply, answer)
      await stream(reply, answer, answer.events, options)
      return reply
    },
  })
}

type Queues = {
  readonly inFlight: InFlight
  /** Of strangers, and of refusals. */
  readonly turns: Turns
  readonly signedInTurns: Turns
  readonly probeTurns: Turns
}

const openQueues = (limits: InFlightLimits): Queues => ({
  inFlight: openInFlight(limits),
  turns: openTurns(),
  signedInTurns: openTurns(),
  probeTurns: openTurns(),
})

/** Where a request without a key waits for its turn. Undefined for one with a key, whose limits hold it. */
function turnsOf(queues: Queues, endpoint: Endpoint | undefined, { line }: Carried): Turns | undefined {
  if (endpoint?.isProbe === true) return queues.probeTurns
  if (endpoint?.needsNoKey !== true) return undefined
  return line === undefined ? queues.turns : queues.signedInTurns
}

/** A stranger's line is their address, so that a flood from one address delays another address by one turn for each request. */
const lineOf = (request: FastifyRequest, { line, share }: Carried): string => line ?? share ?? socketAddressOf(request)

const socketAddressOf = ({ socket }: FastifyRequest): string => socket.remoteAddress ?? ''

async function receive(
  options: ServerOptions,
  queues: Queues,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const head = headOf(request, reply)
  const carried: Carried = { headers: answerHeaders(head.requestId, options.https), logged: {} }
  const endpoint = (request.routeOptions.config as { endpoint?: Endpoint }).endpoint
  const state: RequestState = {
    head,
    carried,
    startedAt: performance.now(),
    endpoint,
    admission: undefined,
    late: true,
    held: undefined,
  }
  request.state = state
  // By then everything that came with the head is parsed, and nothing that `admit` asks for has been sent.
  setImmediate(() => {
    state.late = !isWhole(request.raw)
  })
  try {
    if (endpoint === undefined) await options.unmatched(head, carried)
    else {
      state.admission = await endpoint.admit(head, carried)
      await turnsOf(queues, endpoint, carried)?.next(lineOf(request, carried))
      if (carried.share !== undefined)
        state.held = held(queues.inFlight.take(carried.share, expectedOf(request.raw, endpoint)), reply)
    }
    requireStorableAddress(request.url)
    settleContentType(request.headers, endpoint)
  } catch (error) {
    // A refusal is cheap for its sender to repeat, so it waits like a request without a key.
    await queues.turns.next(lineOf(request, carried))
    throw error
  } finally {
    reply.headers(carried.headers)
  }
}

/** Until the answer is read, or its connection is gone. */
function held(held: Held, { raw }: FastifyReply): Held {
  if (raw.closed) held.release()
  else raw.once('close', held.release)
  return held
}

function headOf(request: FastifyRequest, reply: FastifyReply): RequestHead {
  let gone: AbortController | undefined
  return {
    requestId: request.id,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? request.url,
    headers: request.headers,
    valuesOf: (header) =>
      member(request.headers, header) === undefined ? [] : headerValues(request.raw.rawHeaders, header),
    socketAddress: socketAddressOf(request),
    // Made only when a handler asks for it, because most answers end before a caller could leave.
    // What is not counted on anyone's behalf has no limit.
    reserveAnswer: (bytes) => request.state?.held?.grow(bytes) ?? true,
    get signal() {
      if (gone === undefined) {
        const controller = new AbortController()
        gone = controller
        const left = () => {
          if (!reply.raw.writableFinished) controller.abort()
        }
        // We watch the answer, not the connection, because one connection carries many requests. It may have closed already.
        if (reply.raw.closed) left()
        else reply.raw.once('close', left)
      }
      return gone.signal
    },
  }
}

function headerValues(raw: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === name) values.push(raw[at + 1] ?? '')
  return values
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status)
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if (answer.text !== undefined) return reply.type(answer.text.type).send(answer.text.content)
  const text = jsonOf(answer.body)
  return reply.type('application/json; charset=utf-8').send(answer.status < 400 ? text : maskKeys(text))
}

/** A stream sends its status before its first event, so a later failure is reported inside it or, here, in the log. */
async function stream(
  reply: FastifyReply,
  answer: Answer,
  events: NonNullable<Answer['events']>,
  { onFailure, stallMs = STALL_MS }: ServerOptions,
): Promise<void> {
  reply.code(answer.status)
  reply.hijack()
  const { raw } = reply
  const headers = { ...reply.getHeaders(), ...answer.headers, ...STREAM_HEADERS }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(answer.status)
  endUnread(raw, stallMs)
  try {
    await writeEvents(raw, events)
  } catch (error) {
    onFailure({ errorId: `err_${randomUUID()}`, requestId: reply.request.id, error })
  }
}

const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0

// The cast is true because a body is what its route declares, and that is JSON.
const jsonOf = (body: unknown): string => stringifyJson((body ?? {}) as Writable)

// An error may quote what the caller sent. If a key was in the wrong place, we must not repeat it.
const KEYS = /\bt(?:th|ag|pk|ac|pv|ib|sb|ci|ck|us)_[0-9a-f]{8}[0-9a-f]{4,}/g
const maskKeys = (text: string): string => text.replace(KEYS, (key) => `${key.slice(0, 12)}…`)

function sendFailure(options: ServerOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  // The framework refuses some requests itself (a broken address), before `receive` runs.
  if (request.state === undefined) reply.headers(answerHeaders(request.id, options.https))
  // The caller left before its body had arrived: nobody reads this answer, and nothing of ours failed.
  const left = request.raw.destroyed && !request.raw.complete
  const cause = left
    ? refuse('invalid_request', 'The connection closed before the whole body had arrived. Send the request again.')
    : error
  const answer = errorAnswer(cause, {
    requestId: request.id,
    onFailure: options.onFailure,
    refusalOf: options.refusalOf,
    errorForm: request.state?.endpoint?.errorForm,
  })
  if (request.state !== undefined) request.state.carried.logged.code = answer.code
  send(reply, answer)
}

function report(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { state } = request
  if (state === undefined) return
  options.onServed({
    requestId: state.head.requestId,
    method: request.method,
    route: state.endpoint?.path ?? '(none)',
    status: reply.statusCode,
    ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
    logged: state.carried.logged,
  })
}

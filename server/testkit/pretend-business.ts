// A business's tool endpoint, as good or as broken as a script says. It checks no signature: it records what came, so that
// a test can check, and it keeps the books: what was performed, under which request id, how often.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Call = {
  /** The first call has 1. */
  readonly order: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As they came, one after the other: a header that came twice is there twice. */
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
  /** The parsed body, or undefined where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly tool: string
  /** The idempotency key of a write. */
  readonly requestId: string
  /** When the caller hung up before it had its answer, or undefined. */
  readonly gone: Promise<void>
}

type How =
  /** JSON, unless it is a text or bytes, which go out as they are. */
  | {
      readonly do: 'answer'
      readonly status?: number
      readonly body?: unknown
      readonly headers?: Record<string, string>
    }
  /** Nothing, until the caller hangs up. */
  | { readonly do: 'hang' }
  /** The connection is cut before a byte of an answer. */
  | { readonly do: 'drop' }
  /** The connection is cut in the middle of the answer's body. */
  | { readonly do: 'reset' }
  /** The answer comes byte by byte. */
  | { readonly do: 'drip'; readonly body: unknown; readonly everyMs: number }
  /** Bytes that are not HTTP. */
  | { readonly do: 'garbage'; readonly bytes?: string }
  | { readonly do: 'redirect'; readonly to: string; readonly status?: number }

/** `perform` says whether the write was carried out all the same; unless said, a write is when its answer is a success. */
export type Step = How & { readonly delayMs?: number; readonly perform?: boolean }

export type Business = {
  readonly url: string
  readonly calls: readonly Call[]
  callsTo(tool: string): Call[]
  /** The next calls of the tool take these steps, one each; the last one stays. Without a script every call is answered well. */
  script(tool: string, ...steps: readonly Step[]): void
  /** How often the write with this request id was carried out. */
  performed(requestId: string): number
  /** Of every request id that came with a write. */
  books(): ReadonlyMap<string, { readonly received: number; readonly performed: number }>
  /** Resolves when so many calls have come, or rejects after the limit. */
  received(count: number, limitMs?: number): Promise<readonly Call[]>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type BusinessOptions = {
  /** Forgets that it has performed a request id, so that one which is sent twice is carried out twice. */
  readonly careless?: boolean
}

type Entry = { received: number; performed: number; inFlight: boolean; result: Reply | undefined }
type Reply = { readonly status: number; readonly body: unknown; readonly headers: Record<string, string> }

export async function openBusiness({ careless = false }: BusinessOptions = {}): Promise<Business> {
  const calls: Call[] = []
  const scripts = new Map<string, Step[]>()
  const books = new Map<string, Entry>()
  const waiting = new Set<() => void>()

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await record(request, response, calls.length + 1)
    calls.push(call)
    for (const wake of waiting) wake()
    const step = nextStep(scripts.get(call.tool))
    const entry = isWrite(call) ? entryOf(books, call.requestId) : undefined
    await (entry === undefined || careless ? play(step, call, response, entry) : playOnce(step, call, response, entry))
  }
  const server = createServer((request, response) => {
    // A caller that went away while it was being served is not our failure.
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`,
    calls,
    callsTo: (tool) => calls.filter((call) => call.tool === tool),
    script: (tool, ...steps) => void scripts.set(tool, [...steps]),
    performed: (requestId) => books.get(requestId)?.performed ?? 0,
    books: () => books,
    async received(count, limitMs = 5000) {
      const limit = AbortSignal.timeout(limitMs)
      while (calls.length < count) {
        if (limit.aborted) throw new Error(`${calls.length} of ${count} calls came within ${limitMs} ms.`)
        await nextCall(waiting, limit)
      }
      return calls
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function record(request: IncomingMessage, response: ServerResponse, order: number): Promise<Call> {
  const at = Date.now()
  const gone = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  const bytes = Buffer.concat(await request.toArray())
  const body = parsed(bytes)
  return {
    order,
    at,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    bytes,
    body,
    tool: String(body?.tool ?? ''),
    requestId: String(body?.request_id ?? request.headers['x-service-idempotency-key'] ?? ''),
    gone,
  }
}

const isWrite = ({ body }: Call): boolean => body?.mode === 'execute'

function entryOf(books: Map<string, Entry>, requestId: string): Entry {
  const entry = books.get(requestId) ?? { received: 0, performed: 0, inFlight: false, result: undefined }
  books.set(requestId, entry)
  entry.received++
  return entry
}

/** A step of a script; the last one stays. */
function nextStep(steps: Step[] | undefined): Step {
  const [first = { do: 'answer' }] = steps ?? []
  if (steps !== undefined && steps.length > 1) steps.shift()
  return first
}

/** What a business should do: the same request id again gets the first answer again, and one under way is not begun anew. */
async function playOnce(step: Step, call: Call, response: ServerResponse, entry: Entry): Promise<void> {
  if (entry.result !== undefined) return reply(response, entry.result)
  if (entry.inFlight) return reply(response, { status: 409, body: { status: 'in_flight' }, headers: {} })
  entry.inFlight = true
  await play(step, call, response, entry).finally(() => {
    entry.inFlight = false
  })
}

async function play(step: Step, call: Call, response: ServerResponse, entry: Entry | undefined): Promise<void> {
  if (step.delayMs !== undefined) await pause(step.delayMs)
  const answer = replyOf(step, call)
  const isSuccess = step.do === 'answer' && answer.status < 300
  if (entry !== undefined && (step.perform ?? isSuccess)) {
    entry.performed++
    // What was performed has a result, also when this caller never hears of it.
    entry.result = step.do === 'answer' ? answer : { status: 200, body: wellDone(call), headers: {} }
  }
  await act(step, call, response, answer)
}

const wellDone = (call: Call): unknown => ({ ok: true, tool: call.tool, arguments: call.body?.arguments ?? null })

function replyOf(step: Step, call: Call): Reply {
  if (step.do !== 'answer') return { status: 200, body: wellDone(call), headers: {} }
  return { status: step.status ?? 200, body: 'body' in step ? step.body : wellDone(call), headers: step.headers ?? {} }
}

async function act(step: Step, call: Call, response: ServerResponse, answer: Reply): Promise<void> {
  const { socket } = response
  if (step.do === 'answer') reply(response, answer)
  if (step.do === 'hang') await call.gone
  if (step.do === 'drop') socket?.resetAndDestroy()
  if (step.do === 'redirect') response.writeHead(step.status ?? 302, { location: step.to }).end()
  if (step.do === 'garbage') socket?.end(step.bytes ?? '\u0000\u0001 this is no HTTP \r\n\r\n')
  if (step.do === 'reset') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"half":', () => socket?.resetAndDestroy())
  }
  if (step.do === 'drip') {
    const bytes = bytesOf(step.body)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
    for (const byte of bytes) {
      if (response.destroyed) return
      response.write(Buffer.of(byte))
      await pause(step.everyMs)
    }
    response.end()
  }
}

function reply(response: ServerResponse, { status, body, headers }: Reply): void {
  const bytes = bytesOf(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(bytes)
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(bytes.toString())
    // Checked on the same line; its members are whatever the caller sent.
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

async function nextCall(waiting: Set<() => void>, limit: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.add(resolve)
  limit.addEventListener('abort', () => resolve(), { once: true })
  await promise
  waiting.delete(resolve)
}

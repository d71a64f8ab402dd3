// The chat routes as the widget sees them, word for word as the contract says them, told by scripts: what a prompt is
// answered with is decided by the test. Two origins are real here: this is one, the page's is the other.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type Step =
  | { readonly frame: Record<string, unknown> & { readonly type: string } }
  | { readonly waitMs: number }
  /** Nothing more until the test opens this gate. */
  | { readonly gate: Promise<unknown> }
  /** The connection is cut here, once; the turn goes on. */
  | { readonly cut: true }

export type Answering =
  | readonly Step[]
  | { readonly status: number; readonly error: Record<string, unknown>; readonly retryAfter?: number }
export type Asked = {
  readonly prompt: string
  readonly sessionId?: string
  readonly language?: string
  readonly requestId: string
}

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export type ScriptedService = {
  readonly url: string
  readonly seen: Seen[]
  /** What the next prompts are answered with; without a script, an echo. */
  answer: (asked: Asked) => Answering
  feedback: (body: Record<string, unknown>) => { status: number; body: unknown }
  confirm: (actionId: string, seen: Seen) => { status: number; body: unknown } | 'cut'
  brand: { status: number; body: unknown }
  /** Whether no model is set up. */
  offline: boolean
  /** What a watch is told: the frames of each connection, until its gate opens. */
  watch: (body: Record<string, unknown>, seen: Seen) => Answering
  /** Turns that were stopped by request. */
  readonly stopped: string[]
  reset(): void
  close(): Promise<void>
}

type Turn = { readonly frames: { id: number; text: string }[]; ended: boolean; stopped: boolean; wake: Set<() => void> }

export const SESSION = 'ses_0123456789abcdef01234567'

/** The whole of an ordinary answer, from its first frame to its last. */
export function told(
  { requestId }: Asked,
  blocks: readonly Record<string, unknown>[],
  { meta = {}, before = [] }: { meta?: Record<string, unknown>; before?: readonly Step[] } = {},
): Step[] {
  const text = blocks.find(({ type }) => type === 'text')?.markdown
  const words = typeof text === 'string' ? (text.match(/\S+\s*/g) ?? []) : []
  return [
    { frame: { type: 'start', requestId, sessionId: SESSION } },
    ...before,
    ...words.map((word) => ({ frame: { type: 'delta', text: word } })),
    { frame: complete(requestId, blocks, meta) },
  ]
}

export const complete = (requestId: string, blocks: readonly unknown[], meta: Record<string, unknown> = {}) => ({
  type: 'complete',
  session_id: SESSION,
  sessionId: SESSION,
  request_id: requestId,
  requestId,
  blocks,
  meta: { preview: false, previewSources: [], sources: [], proposals: [], handoff: null, ...meta },
})

const CORS = {
  'access-control-allow-headers':
    'content-type, x-api-key, authorization, x-service-customer-token, x-service-upstream-token, x-client-surface, last-event-id',
  'access-control-allow-methods': 'GET, POST',
  'access-control-expose-headers': 'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
}

export async function openScriptedService(script: () => string, more: () => string): Promise<ScriptedService> {
  const turns = new Map<string, Turn>()
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    stopped: [],
    ...defaults(),
    reset() {
      service.seen.length = 0
      service.stopped.length = 0
      Object.assign(service, defaults())
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', service.url).pathname
    const headers = { ...CORS, 'access-control-allow-origin': request.headers.origin ?? '*', vary: 'origin' }
    if (path.startsWith('/widget/pinned/')) return sendScript(response, more())
    if (path === '/widget/build') {
      response.writeHead(200, { ...headers, 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ offline: service.offline }))
    }
    if (path.startsWith('/widget/')) return sendScript(response, script())
    if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
    const body = await readBody(request)
    const seen: Seen = { method: request.method ?? '', path, headers: request.headers, body }
    service.seen.push(seen)
    const json = (status: number, value: unknown, more: Record<string, string> = {}) =>
      void response
        .writeHead(status, { ...headers, ...more, 'content-type': 'application/json' })
        .end(JSON.stringify(value))
    if (path === '/v1/chat/brand') return json(service.brand.status, service.brand.body)
    if (path === '/v1/chat/feedback') {
      const { status, body: answer } = service.feedback(body)
      return json(status, answer)
    }
    const action = /^\/v1\/actions\/([^/]+)\/confirm$/.exec(path)?.[1]
    if (action !== undefined) {
      const outcome = service.confirm(action, seen)
      return outcome === 'cut' ? void response.destroy() : json(outcome.status, outcome.body)
    }
    if (path === '/v1/chat/stream' && body.watch === true)
      return await tellNews(service.watch(body, seen), { body, request, response, headers, json })
    if (path === '/v1/chat/stream') return await chat(service, turns, { body, request, response, headers, json })
    json(404, { error: { code: 'not_found', message: 'There is no such route.' } })
  }

  return service
}

type Exchange = {
  readonly body: Record<string, unknown>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: Record<string, string>
  readonly json: (status: number, value: unknown, more?: Record<string, string>) => void
}

async function chat(service: ScriptedService, turns: Map<string, Turn>, exchange: Exchange): Promise<void> {
  const { body, request, response, headers, json } = exchange
  const { requestId: again, stop } = body as { requestId?: string; stop?: boolean }
  if (again !== undefined) {
    const turn = turns.get(again)
    if (turn === undefined) return json(404, { error: { code: 'not_found', message: 'There is no such turn.' } })
    if (stop !== true) return await read(turn, Number(request.headers['last-event-id'] ?? 0), response, headers)
    turn.stopped = true
    service.stopped.push(again)
    wake(turn)
    return json(200, { stopped: true, requestId: again })
  }
  const requestId = `req_${String(turns.size + 1).padStart(24, '0')}`
  const answering = service.answer({ ...(body as { prompt: string }), requestId })
  if ('status' in answering) {
    const more: Record<string, string> =
      answering.retryAfter === undefined ? {} : { 'retry-after': String(answering.retryAfter) }
    return json(answering.status, { error: answering.error }, more)
  }
  const turn: Turn = { frames: [], ended: false, stopped: false, wake: new Set() }
  turns.set(requestId, turn)
  void play(turn, answering, response)
  await read(turn, 0, response, { ...headers, 'x-request-id': requestId })
}

const defaults = (): Pick<ScriptedService, 'answer' | 'feedback' | 'confirm' | 'brand' | 'offline' | 'watch'> => ({
  offline: false,
  watch: () => [{ waitMs: 60_000 }],
  answer: (asked) => told(asked, [{ type: 'text', markdown: `You said: ${asked.prompt}` }]),
  feedback: ({ rating }) => ({ status: 200, body: { recorded: true, rating, replaced: false } }),
  confirm: (actionId) => ({
    status: 200,
    body: {
      status: 'Executed',
      actionId,
      commandType: 'x',
      appliedChanges: {},
      errorCode: null,
      errorMessage: null,
      verification: null,
    },
  }),
  brand: { status: 200, body: { color: null, logo: null } },
})

/** A watch has no turn that goes on without it. */
async function tellNews(answering: Answering, { response, headers, json }: Exchange): Promise<void> {
  if ('status' in answering) {
    const { status, error, retryAfter } = answering
    return json(status, { error }, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': open\n\n')
  for (const step of answering) {
    if ('frame' in step) response.write(`id: 1\ndata: ${JSON.stringify(step.frame)}\n\n`)
    else if ('gate' in step) await step.gate
    else if ('waitMs' in step) await pause(step.waitMs, undefined, { signal: gone.signal, ref: false }).catch(() => {})
    else response.destroy()
  }
  response.end()
}

const wake = (turn: Turn) => {
  for (const each of turn.wake) each()
}

/** The turn goes on whoever reads it. */
async function play(turn: Turn, steps: readonly Step[], first: ServerResponse): Promise<void> {
  for (const step of steps) {
    if (turn.stopped) break
    if ('waitMs' in step) await pause(step.waitMs)
    else if ('gate' in step) await step.gate
    else if ('cut' in step) {
      // What was written has to be on its way before the line goes dead.
      await pause(60)
      first.destroy()
    } else {
      const id = turn.frames.length + 1
      turn.frames.push({ id, text: `id: ${id}\ndata: ${JSON.stringify(step.frame)}\n\n` })
      wake(turn)
      await pause(2)
    }
  }
  turn.ended = true
  wake(turn)
}

async function read(
  turn: Turn,
  after: number,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': open\n\n')
  response.once('close', () => wake(turn))
  let at = after
  while (!response.destroyed) {
    for (const { id, text } of turn.frames.slice(at)) {
      response.write(text)
      at = id
    }
    if (turn.ended && at >= turn.frames.length) break
    await new Promise<void>((resolve) => {
      const woken = () => {
        turn.wake.delete(woken)
        resolve()
      }
      turn.wake.add(woken)
      if (response.destroyed) woken()
    })
  }
  response.end()
}

function sendScript(response: ServerResponse, text: string): void {
  response
    .writeHead(200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    .end(text)
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>)
}

// A model provider that says what a script says, on the wire format of Chat Completions, streamed or whole, with the quirks
// and the faults that real ones have.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'

export type ToolCall = {
  readonly name: string
  /** An object is written as JSON; a text goes out as it is, valid or not. */
  readonly arguments: object | string
  /** One is made up unless said; null leaves it out, as some providers do. */
  readonly id?: string | null
}

/** One thing that happens in a turn; they happen in this order. */
export type Event =
  /** Sent in this many pieces; one for every word unless said. */
  | { readonly text: string; readonly pieces?: number }
  /** Arguments in so many pieces (3), and the pieces of several calls taking turns. */
  | { readonly calls: readonly ToolCall[]; readonly pieces?: number }
  | { readonly usage: { readonly input: number; readonly output: number; readonly cached?: number } }
  /** Unless said: `tool_calls` after calls, else `stop`. `null` ends the stream without a reason. */
  | { readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter' | null }
  | { readonly stallMs: number }
  /** Nothing more comes, and the connection stays, until the caller hangs up. */
  | { readonly stall: true }
  /** The connection is cut. */
  | { readonly cut: true }
  /** An error in the middle of a stream that began with 200. */
  | { readonly errorInStream: string }
  /** Goes out as it is. */
  | { readonly raw: string }

export type Turn =
  | readonly Event[]
  | { readonly status: number; readonly message?: string; readonly retryAfter?: number; readonly delayMs?: number }

export type ModelRequest = {
  readonly headers: IncomingHttpHeaders
  readonly at: number
  /** What the caller asked, as it came. */
  readonly body: {
    readonly model?: string
    readonly stream?: boolean
    readonly stream_options?: { readonly include_usage?: boolean }
    readonly messages?: readonly {
      readonly role: string
      readonly content?: unknown
      readonly [member: string]: unknown
    }[]
    readonly tools?: readonly { readonly type: string; readonly function: { readonly name: string } }[]
    readonly [member: string]: unknown
  }
  /** Resolves when the caller hung up before the turn was over. */
  readonly gone: Promise<void>
}

export type ScriptedModel = {
  /** What `AI:Provider:BaseUrl` is set to: `/chat/completions` follows it. */
  readonly baseUrl: string
  readonly requests: readonly ModelRequest[]
  /** The next requests take these turns, one each; a function sees the request first. Replaces what was left. */
  script(...turns: readonly (Turn | ((request: ModelRequest) => Turn))[]): void
  close(): Promise<void>
}

export type ModelOptions = {
  /** Lines end with CR LF, comments stand between the frames, and no `[DONE]` comes at the end. */
  readonly quirky?: boolean
  /** What is said when the script is over. */
  readonly otherwise?: (request: ModelRequest) => Turn
}

const SCRIPT_IS_OVER: Turn = { status: 500, message: 'The script has no turn left for this request.' }

export async function openScriptedModel({
  quirky = false,
  otherwise = () => SCRIPT_IS_OVER,
}: ModelOptions = {}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  let left: (Turn | ((request: ModelRequest) => Turn))[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await read(incoming, response)
    requests.push(request)
    const next = left.shift() ?? otherwise
    const turn = typeof next === 'function' ? next(request) : next
    if ('status' in turn) return await fail(response, turn)
    const play = request.body.stream === true ? stream : answer
    await play(response, request, turn, `chatcmpl-${requests.length}`, quirky)
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(...turns) {
      left = [...turns]
    },
    close,
  }
}

async function read(incoming: IncomingMessage, response: ServerResponse): Promise<ModelRequest> {
  const at = Date.now()
  const gone = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  const body: unknown = JSON.parse(Buffer.concat(await incoming.toArray()).toString())
  // Every member is optional: what the caller left out is not there.
  return { headers: incoming.headers, at, body: body as ModelRequest['body'], gone }
}

async function fail(response: ServerResponse, turn: Exclude<Turn, readonly Event[]>): Promise<void> {
  if (turn.delayMs !== undefined) await pause(turn.delayMs)
  response.writeHead(turn.status, {
    'content-type': 'application/json',
    ...(turn.retryAfter === undefined ? {} : { 'retry-after': String(turn.retryAfter) }),
  })
  const message = turn.message ?? `The provider answers ${turn.status}.`
  response.end(
    JSON.stringify({ error: { message, type: turn.status === 429 ? 'rate_limit_error' : 'server_error', code: null } }),
  )
}

type CallDelta = { index: number; function: { name?: string; arguments?: string } }
type Delta = { role?: 'assistant'; content?: string | null; tool_calls?: CallDelta[] }
type Frame = { choices: { index: 0; delta: Delta; finish_reason: string | null }[]; usage?: ReturnType<typeof usageOf> }

async function stream(
  response: ServerResponse,
  { body, gone }: ModelRequest,
  turn: readonly Event[],
  id: string,
  quirky: boolean,
): Promise<void> {
  const end = quirky ? '\r\n' : '\n'
  const frame = (fields: object) => {
    const whole = { id, object: 'chat.completion.chunk', created: seconds(), model: body.model, ...fields }
    response.write(`${quirky ? `: a comment${end}${end}` : ''}data: ${JSON.stringify(whole)}${end}${end}`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })
  for (const event of withFinish(turn)) {
    if (response.destroyed) return
    if ('stall' in event) return await gone
    if ('stallMs' in event) await pause(event.stallMs)
    else if ('cut' in event) return void response.socket?.resetAndDestroy()
    else if ('raw' in event) response.write(event.raw)
    else if ('errorInStream' in event) frame({ error: { message: event.errorInStream, type: 'server_error' } })
    else if ('usage' in event && body.stream_options?.include_usage !== true) continue
    else {
      for (const one of framesOf(event)) {
        frame(one)
        // Each is a write of its own, so that a reader meets them one by one.
        await setImmediate()
      }
    }
  }
  response.end(quirky ? '' : `data: [DONE]${end}${end}`)
}

function framesOf(event: Extract<Event, object>): Frame[] {
  if ('text' in event) return cut(event.text, event.pieces).map((content) => delta({ content }))
  if ('calls' in event) return callFrames(event.calls, event.pieces ?? 3)
  if ('usage' in event) return [{ choices: [], usage: usageOf(event.usage) }]
  if ('finish' in event) return event.finish === null ? [] : [delta({}, event.finish)]
  return []
}

const delta = (fields: Delta, finish: string | null = null): Frame => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})

/** A turn ends with a reason and then its usage, unless it says otherwise itself. */
function withFinish(turn: readonly Event[]): readonly Event[] {
  if (turn.some((event) => 'finish' in event || 'cut' in event || 'stall' in event)) return turn
  const finish: Event = { finish: turn.some((event) => 'calls' in event) ? 'tool_calls' : 'stop' }
  return [...turn.filter((event) => !('usage' in event)), finish, ...turn.filter((event) => 'usage' in event)]
}

function callFrames(calls: readonly ToolCall[], pieces: number): Frame[] {
  const cuts = calls.map((call) => cut(argumentsOf(call), pieces))
  const openings = calls.map((call, index) => delta({ tool_calls: [{ ...named(index, call, ''), index }] }))
  const rounds = Array.from({ length: pieces }, (_, round) =>
    cuts.flatMap((parts, index) =>
      parts.slice(round, round + 1).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ),
  )
  return [...openings, ...rounds.flat()]
}

const named = (index: number, { id = `call_${index}`, name }: ToolCall, text: string) => ({
  ...(id === null ? {} : { id }),
  type: 'function',
  function: { name, arguments: text },
})

const argumentsOf = (call: ToolCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)

/** Cut anywhere, also in the middle of an escape: that is how they come. */
function cut(text: string, pieces: number | undefined): string[] {
  if (pieces === undefined) return text.match(/\s*\S+|\s+$/g) ?? []
  const length = Math.max(1, Math.ceil(text.length / pieces))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, place) =>
    text.slice(place * length, (place + 1) * length),
  )
}

const usageOf = ({ input, output, cached = 0 }: { input: number; output: number; cached?: number }) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
})

/** The same turn as one answer. */
async function answer(response: ServerResponse, { body, gone }: ModelRequest, turn: readonly Event[], id: string) {
  const events = withFinish(turn)
  for (const event of events) {
    if ('stall' in event) return await gone
    if ('cut' in event) return void response.socket?.resetAndDestroy()
    if ('stallMs' in event) await pause(event.stallMs)
    if ('errorInStream' in event) return await fail(response, { status: 500, message: event.errorInStream })
  }
  const content = events.flatMap((event) => ('text' in event ? event.text : [])).join('')
  const calls = events.flatMap((event) => ('calls' in event ? event.calls : []))
  const toolCalls = calls.map((call, index) => named(index, call, argumentsOf(call)))
  const message = {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
  }
  const finish_reason = events.findLast((event) => 'finish' in event)?.finish ?? null
  const usage = usageOf(events.findLast((event) => 'usage' in event)?.usage ?? { input: 0, output: 0 })
  const choices = [{ index: 0, message, finish_reason }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id, object: 'chat.completion', created: seconds(), model: body.model, choices, usage }))
}

const seconds = (): number => Math.floor(Date.now() / 1000)

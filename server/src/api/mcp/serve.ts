// Where the official package begins. Whoever gets here was let in, and the messages were counted.

import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Answer, type RequestHead, refuse, type ServerEvent } from '../../kernel/http/index.ts'
import { isObject, type Json, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { actionStatusName } from '../../tools/catalog/index.ts'
import { VERSION } from '../../version.ts'
import { tellStatus } from './action-status.ts'
import { type Batch, batchContent, boundBatch } from './batch.ts'
import { callTool } from './call-tool.ts'
import { listTools, type McpRooms } from './list-tools.ts'

type Asked = {
  readonly body: unknown
  readonly messages: readonly JsonObject[]
  readonly head: RequestHead
}

/**
 * A server of its own for each request: no call finds anything of another's, and no instance of this service has to be the
 * one that answered before.
 */
export async function serveMcp(ctx: Context, rooms: McpRooms, asked: Asked): Promise<Answer> {
  const request = requestOf(asked.head)
  if (!claimsModern(asked) && (await isLegacyRequest(request, asked.body)))
    return await serveLegacy(ctx, serverFor(ctx, rooms), request, asked)
  const listening = asked.messages.find((message) => member(message, 'method') === 'subscriptions/listen')
  if (listening !== undefined) return nothingToListenTo(listening)
  const modern = createMcpHandler(() => serverFor(ctx, rooms), { legacy: 'reject', keepAliveMs: 0 })
  return await answerOf(await modern.fetch(request, { parsedBody: asked.body }), () => {})
}

/** What the package reads of a request's headers. The key is not among them. */
const READ_HEADERS = new Set(['mcp-protocol-version', 'mcp-method', 'mcp-name'])
const OWN_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/**
 * What the package asks of a `Request`, and no more: to make a whole one takes as long as half of a call. The body is
 * handed over beside it, parsed as ours are, so that its numbers stay as they were written.
 */
function requestOf({ headers, signal }: RequestHead): Request {
  const get = (name: string): string | null => {
    const lower = name.toLowerCase()
    const value = READ_HEADERS.has(lower) ? member(headers, lower) : member(OWN_HEADERS, lower)
    return typeof value === 'string' ? value : null
  }
  // The cast is true of every member that the package reads where the body is given; the tests of both eras would miss another.
  return { method: 'POST', headers: { get }, signal } as unknown as Request
}

/**
 * Clients of 2025 and before. The package would answer each of them with a stream; that is only for whoever asked for
 * progress, and can read one.
 */
async function serveLegacy(ctx: Context, server: Server, request: Request, asked: Asked): Promise<Answer> {
  const { body, messages, head } = withoutCancelling(asked)
  if (messages.length === 0) return { status: 202, text: { type: 'text/plain; charset=utf-8', content: '' } }
  const streams = messages.some(asksForProgress) && /text\/event-stream|\*\/\*/.test(head.headers.accept ?? '')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams, keepAliveMs: 0 })
  await server.connect(transport)
  const concurrency = ctx.settings.ai.orchestration.maxConcurrentTools
  const options = { size: messages.length, concurrency, reserve: head.reserveAnswer }
  const batch = Array.isArray(body) ? boundBatch(transport, options, !streams) : undefined
  const close = () => void server.close()
  const { promise: gone, reject } = Promise.withResolvers<never>()
  const leave = () => {
    close()
    // Nobody reads this answer, and nothing of ours failed.
    reject(refuse('invalid_request', 'The connection closed before the answer was there. Send the request again.'))
  }
  request.signal.addEventListener('abort', leave, { once: true })
  try {
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone])
    return await answerOf(response, close, batch)
  } finally {
    if (!streams) request.signal.removeEventListener('abort', leave)
  }
}

/**
 * The package answers no call that its own batch takes back, although it runs to its end, and would wait for that answer for
 * ever. Without sessions no other call can be meant.
 */
function withoutCancelling({ body, messages, head }: Asked): Asked {
  const rest = messages.filter((message) => member(message, 'method') !== 'notifications/cancelled')
  return { body: Array.isArray(body) ? rest : body, messages: rest, head }
}

const asksForProgress = (message: JsonObject): boolean => metaOf(message, 'progressToken') !== undefined

/** A message that names its revision is of 2026, whatever is wrong with it. The package would look at all of it to say so, and then again. */
const claimsModern = ({ body, messages: [first] }: Asked): boolean =>
  !Array.isArray(body) && first !== undefined && metaOf(first, PROTOCOL_VERSION_META_KEY) !== undefined

function metaOf(message: JsonObject, name: string): Json | undefined {
  const params = member(message, 'params')
  const meta = isObject(params) ? member(params, '_meta') : undefined
  return isObject(meta) ? member(meta, name) : undefined
}

/** The list of one tenant changes without anybody being told: a hint could reach another tenant's client. */
const nothingToListenTo = (message: JsonObject): Answer => ({
  status: 404,
  body: {
    jsonrpc: '2.0',
    id: member(message, 'id') ?? null,
    error: { code: -32601, message: 'Method not found: nothing here announces changes. List the tools again.' },
  },
})

async function answerOf(response: Response, close: () => void, batch?: Batch): Promise<Answer> {
  const { status, body, headers } = response
  const type = headers.get('content-type') ?? 'text/plain'
  if (body !== null && type.startsWith('text/event-stream')) return { status, events: eventsOf(body, close) }
  const text = await response.text()
  close()
  const content = batch === undefined ? text : batchContent(text, batch)
  return { status, text: { type: `${type}; charset=utf-8`, content } }
}

const DATA = 'data: '

/** The frames that the package wrote, as our server sends events: it beats, and holds the source back for a slow reader. */
async function* eventsOf(body: ReadableStream<Uint8Array>, close: () => void): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const data = frame.split('\n').find((line) => line.startsWith(DATA))
        if (data !== undefined) yield { data: data.slice(DATA.length) }
      }
    }
  } finally {
    close()
  }
}

const INSTRUCTIONS =
  'These are the tools of one business. A tool that reads returns its result immediately. A tool that changes something only proposes the change: ' +
  'its result has the status "staged" and an actionId, and nothing happens until a person at the business confirms it. ' +
  `Never say that a change is done before ${actionStatusName} reports that it was executed.`

/** How long a client may use a list without asking again. It is one credential's list, and nobody else's. */
const LIST_IS_GOOD_MS = 30_000
const OWN_LIST = { ttlMs: LIST_IS_GOOD_MS, cacheScope: 'private' } as const

/** The package would compile a schema into code and run its patterns without a bound. What calls bring, the catalog checks. */
const NOTHING_COMPILED = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'No schema is compiled here.' }),
}

function serverFor(ctx: Context, rooms: McpRooms): Server {
  const server = new Server(
    { name: 'tether', title: ctx.asking.tenantName, version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NOTHING_COMPILED,
      cacheHints: { 'tools/list': OWN_LIST, 'server/discover': OWN_LIST },
    },
  )
  server.setRequestHandler('tools/list', ({ params }) => safely(ctx, () => listTools(ctx, rooms, params?.cursor)))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    safely(ctx, async () => {
      if (params.name === actionStatusName) return await tellStatus(ctx, params.arguments)
      const { result, outputSchema } = await callTool(ctx, rooms, params, mcpReq)
      return server.projectCallToolResult(result, outputSchema)
    }),
  )
  return server
}

/** What fails inside is for our log. The package would tell the caller the message of any error. */
async function safely<Result>({ log, asking }: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const errorId = `err_${randomUUID()}`
    log.error({ errorId, requestId: asking.requestId, error }, 'A call over MCP failed on our side.')
    const message = `Something failed on our side. Quote ${errorId} when you report it.`
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, { code: 'internal_error', errorId })
  }
}

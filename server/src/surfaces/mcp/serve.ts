// Where the official package begins. Whoever gets here was let in, and the messages were counted.
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Answer, RequestHead } from '../../foundation/http/index.ts'
import { isObject, type JsonObject, member } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { eventsOf } from './events-of.ts'
import type { McpRooms } from './rooms.ts'
import { serverFor } from './server-for.ts'

export type Asked = {
  readonly body: unknown
  readonly messages: readonly JsonObject[]
  readonly head: RequestHead
}

/** What the package reads of a request's headers. The key is not among them. */
const READ_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/**
 * A server of its own for each request: no call finds anything of another's, and no instance of this service has to be the
 * one that answered before.
 */
export async function serveMcp(ctx: Context, rooms: McpRooms, asked: Asked): Promise<Answer> {
  const request = requestOf(ctx, asked)
  const server = () => serverFor(ctx, rooms)
  if (await isLegacyRequest(request, asked.body)) return await serveLegacy(server(), request, asked)
  const listening = asked.messages.find((message) => member(message, 'method') === 'subscriptions/listen')
  if (listening !== undefined) return nothingToListenTo(listening)
  const handler = createMcpHandler(server, { legacy: 'reject', keepAliveMs: 0 })
  return await answerOf(await handler.fetch(request, { parsedBody: asked.body }), () => void handler.close())
}

/** The body is handed over beside it, parsed as ours are: its numbers stay as they were written. */
function requestOf({ settings }: Context, { head }: Asked): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const name of READ_HEADERS) {
    const value = head.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return new Request(`${settings.http.publicUrl}/mcp`, { method: 'POST', headers, signal: head.signal })
}

/**
 * Clients of 2025 and before. The package would answer each of them with a stream; that is only for whoever asked for
 * progress, and can read one.
 */
async function serveLegacy(server: Server, request: Request, { body, messages, head }: Asked): Promise<Answer> {
  const streams = messages.some(asksForProgress) && /text\/event-stream|\*\/\*/.test(head.headers.accept ?? '')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams, keepAliveMs: 0 })
  await server.connect(transport)
  const close = () => void server.close()
  const { promise: gone, reject } = Promise.withResolvers<never>()
  const leave = () => {
    close()
    reject(new Error('The caller left before its answer was there.'))
  }
  request.signal.addEventListener('abort', leave, { once: true })
  try {
    return await answerOf(await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone]), close)
  } finally {
    if (!streams) request.signal.removeEventListener('abort', leave)
  }
}

function asksForProgress(message: JsonObject): boolean {
  const params = member(message, 'params')
  const meta = isObject(params) ? member(params, '_meta') : undefined
  return isObject(meta) && member(meta, 'progressToken') !== undefined
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

async function answerOf(response: Response, close: () => void): Promise<Answer> {
  const { status, body, headers } = response
  const type = headers.get('content-type') ?? 'text/plain'
  if (body !== null && type.startsWith('text/event-stream')) return { status, events: eventsOf(body, close) }
  const content = body === null ? '' : await response.text()
  close()
  return { status, text: { type: `${type}; charset=utf-8`, content } }
}

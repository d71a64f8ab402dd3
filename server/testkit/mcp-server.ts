import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server'

type Progress = (progress: number, total: number) => Promise<void>
export type RemoteCall = {
  readonly arguments: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly signal: AbortSignal
  readonly progress: Progress
}
export type RemoteTool = Omit<Tool, 'inputSchema'> & {
  readonly inputSchema?: object
  readonly answer: (call: RemoteCall) => CallToolResult | Promise<CallToolResult>
}

export const words = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

/** Somebody else's MCP server, by the official package: it offers what the test says, and remembers what it was asked. */
export class McpServer {
  tools: readonly RemoteTool[]
  /** Set to speak one era only. */
  readonly #legacyOnly: boolean
  /** The methods that came, and the headers of each. */
  readonly asked: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: unknown }[] =
    []
  /** Takes the place of the protocol for a request that it answers. */
  meddle: (request: IncomingMessage, response: ServerResponse, method: string) => boolean = () => false
  readonly #server: HttpServer = createServer((request, response) => void this.#serve(request, response))

  constructor(tools: readonly RemoteTool[], { legacyOnly = false } = {}) {
    this.tools = tools
    this.#legacyOnly = legacyOnly
  }

  async start(): Promise<string> {
    if (!this.#server.listening) await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** How often a method was asked for. */
  count(method: string): number {
    return this.asked.filter((one) => one.method === method).length
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString()
    const body = text === '' ? undefined : JSON.parse(text)
    const method = String(body?.method ?? request.method)
    this.asked.push({ method, headers: request.headers, body })
    if (this.meddle(request, response, method)) return
    if (this.#legacyOnly && method === 'server/discover') {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}')
      return
    }
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    const handler = createMcpHandler(() => this.#instance())
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const sent = new Request('http://127.0.0.1/mcp', {
      method: request.method ?? 'POST',
      headers,
      signal: leaving.signal,
    })
    const answer = await handler.fetch(sent, body === undefined ? {} : { parsedBody: body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    try {
      for await (const bytes of answer.body ?? []) response.write(bytes)
    } catch {
      // Whoever asked has left.
    }
    response.end()
  }

  #instance(): Server {
    const server = new Server({ name: 'fixture', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({
      tools: this.tools.map(({ answer: _, inputSchema, ...tool }) => ({
        ...tool,
        inputSchema: { ...inputSchema, type: 'object' as const },
      })),
    }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = this.tools.find(({ name }) => name === params.name)
      if (tool === undefined) throw new Error(`no tool ${params.name}`)
      const token = mcpReq._meta?.progressToken
      const progress: Progress = async (progress, total) => {
        if (token === undefined) return
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress, total } })
      }
      return await tool.answer({
        arguments: params.arguments ?? {},
        meta: { ...params._meta },
        signal: mcpReq.signal,
        progress,
      })
    })
    return server
  }
}

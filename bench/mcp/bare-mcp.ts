// What `/mcp` is held against: the official package on node:http, with one tool that sends the same signed request. It asks
// nobody for a key, counts nothing and keeps nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { CredentialRow } from '../../server/src/tenancy/access/queries.ts'
import { openCalls } from '../calls/bare-post.ts'

const [port, endpointUrl = '', tenantId = '', secret = ''] = process.argv.slice(2)
const { post } = openCalls({ [tenantId]: secret })
// Of a credential the request needs no more than this.
const credential = { tenantId: Number(tenantId), endpointUrl } as CredentialRow

const TOOL = {
  name: 'get_order',
  description: 'Looks up one order of the shop by its number: state, lines and total.',
  inputSchema: { type: 'object' as const, properties: { number: { type: 'string' } }, required: ['number'] },
}

function server(): Server {
  const made = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
  made.setRequestHandler('tools/list', () => ({ tools: [TOOL] }))
  made.setRequestHandler('tools/call', async ({ params }) => {
    const text = (await post(credential, { mode: 'read', tool: params.name, given: params.arguments })).toString()
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  })
  return made
}

const handler = createMcpHandler(server)

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === '/health') return void response.end('{"status":"ok"}')
  answer(request, response).catch((error: Error) => void response.writeHead(500).end(error.message))
}).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const asked = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, signal: leaving.signal })
  const given = await handler.fetch(asked, { parsedBody: JSON.parse(Buffer.concat(pieces).toString()) })
  const body = Buffer.from(await given.arrayBuffer())
  response.writeHead(given.status, { ...Object.fromEntries(given.headers), 'content-length': body.length })
  response.end(body)
}

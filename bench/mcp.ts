// What the service costs on a call over MCP: `tools/call` through /mcp to an endpoint on loopback, against a bare server of the
// same package whose tool makes the same signed request, in both eras of the protocol.
import { shopCatalog } from './calls/catalog.ts'
import { onEmbedded } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { lastAtEndpoint, masked, openShops, type Shop, startEndpoint } from './calls/shops.ts'
import { freePort, healthy, startNode } from './parts/child.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf, rounded } from './parts/rounds.ts'
import type { Server } from './parts/running-service.ts'
import { figuresOf, processorRatio, sideBySide } from './parts/side-by-side.ts'

const connections = 16
const sliceMs = 200
const rounds = 24
const REVISION = '2026-07-28'

const endpoint = await startEndpoint()

type Era = '2026-07-28' | '2025-11-25'

function callRequest(era: Era, key: string): Buffer {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'get_order', arguments: { number: 'A-1001' }, ...(era === REVISION ? { _meta: meta } : {}) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const own = era === REVISION ? ['mcp-method: tools/call', 'mcp-name: get_order'] : []
  const head = [
    'POST /mcp HTTP/1.1',
    'host: 127.0.0.1',
    `x-api-key: ${key}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `mcp-protocol-version: ${era}`,
    ...own,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

async function startBareMcp({ tenantId, signingSecret }: Shop): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${endpoint.port}/tools`
  const child = startNode('bench/mcp/bare-mcp.ts', [String(port), url, String(tenantId), signingSecret])
  await healthy(port, 20)
  return { port, child }
}

/** A ratio to a server that answers or sends something else would say nothing. */
async function mustDoAlike(requests: readonly Buffer[], ...servers: Server[]): Promise<void> {
  const seen: string[] = []
  for (const { port } of servers) {
    const [head = '', body = ''] = (requests[0]?.toString() ?? '').split('\r\n\r\n')
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    )
    const { 'content-length': _, host: __, ...rest } = headers
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers: rest, body })
    const text = await answer.text()
    const result = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}').result ?? {}
    const { content, structuredContent } = result
    seen.push(
      `${answer.status} ${JSON.stringify({ content, structuredContent })}\n${masked(await lastAtEndpoint(endpoint))}`,
    )
  }
  if (new Set(seen).size > 1 || seen[0]?.includes('"structuredContent"') !== true)
    throw new Error(`The two do different things:\n${seen.join('\n\n')}`)
}

async function measure(era: Era, service: Server, bare: Server, shop: Shop): Promise<Result> {
  const requests = [callRequest(era, shop.apiKey)]
  await mustDoAlike(requests, service, bare)
  const { ours, theirs } = await sideBySide(
    { ours: { server: service, requests }, theirs: { server: bare, requests } },
    { rounds, sliceMs, connections },
  )
  return judged(
    `tools/call, ${era}`,
    ratioOf(ours.perSecond, theirs.perSecond),
    { atLeast: 0.7 },
    {
      ...figuresOf('service', ours),
      ...figuresOf('bare', theirs),
      ...processorRatio(ours, theirs),
      addedP50Ms: rounded(ours.p50Ms - theirs.p50Ms),
      inFlight: connections,
    },
  )
}

const results = await onEmbedded(
  1,
  async () => undefined,
  async ([directory = '']) => {
    const service = await startCallingService({ directory })
    const [shop] = await openShops(service, { count: 1, catalog: shopCatalog, endpoint })
    if (shop === undefined) throw new Error('No shop was opened.')
    const bare = await startBareMcp(shop)
    try {
      return [await measure('2026-07-28', service, bare, shop), await measure('2025-11-25', service, bare, shop)]
    } finally {
      await Promise.all([service.child.stop(), bare.child.stop()])
    }
  },
)
await endpoint.child.stop()
say({
  bench: 'mcp',
  promise:
    'tools/call through /mcp has 0.7 of the throughput of a bare server of the same package that sends the same request',
  results,
})

// Workspaces that are ready to be called: a key, a catalog, an endpoint. Made through the service's own routes.
import { freePort, healthy, startNode } from '../parts/child.ts'
import type { Server } from '../parts/running-service.ts'
import { operatorKey } from './running-service.ts'

export type Shop = { readonly tenantId: number; readonly apiKey: string; readonly signingSecret: string }

/** Several, because the writes of one workspace wait for each other. */
export const shopCount = 16

export async function startEndpoint({ answerMs = 0 } = {}): Promise<Server> {
  const port = await freePort()
  const child = startNode('bench/calls/endpoint.ts', [String(port), String(answerMs)])
  await healthy(port, 20)
  return { port, child }
}

type Opening = { readonly count: number; readonly catalog: readonly object[]; readonly endpoint: Server }

export async function openShops(service: Server, { count, catalog, endpoint }: Opening): Promise<Shop[]> {
  const shops: Shop[] = []
  for (let at = 1; at <= count; at++) {
    const shop = (await send(service, 'POST', '/v1/tenants', operatorKey, { name: `Shop ${at}` })) as Shop
    await send(service, 'PUT', '/v1/endpoint', shop.apiKey, { url: `http://127.0.0.1:${endpoint.port}/tools` })
    await send(service, 'PUT', '/v1/tools', shop.apiKey, catalog)
    shops.push(shop)
  }
  return shops
}

export async function send(
  { port }: Server,
  method: string,
  path: string,
  key: string,
  body: unknown = {},
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 800)}`)
  return JSON.parse(text)
}

/** The bytes of a POST request. */
export function postRequest(path: string, key: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-api-key: ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** What each of these shops sends to call its read. */
export const readRequests = (shops: readonly Shop[]): Buffer[] =>
  shops.map(({ apiKey }) => postRequest('/v1/tools/get_order/call', apiKey, '{"arguments":{"number":"A-1001"}}'))

/** What reached the endpoint, without what differs from call to call. */
export async function lastAtEndpoint({ port }: Server): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/last`)
  const { headers, body } = (await answer.json()) as { headers: Record<string, string>; body: string }
  const names = Object.keys(headers).filter((name) => name !== 'user-agent')
  return `${names.sort().join(' ')}\n${masked(body)}`
}

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid'],
  [/\b(req|tac|act)_[0-9a-z]+/g, '$1'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'],
  [/"durationMs":\d+/g, '"durationMs":0'],
]

export const masked = (text: string): string =>
  CHANGING.reduce((before, [pattern, word]) => before.replace(pattern, word), text)

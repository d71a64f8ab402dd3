// Workspaces that stage, confirm and chat without a pause, and an endpoint that counts what it performed and which events came.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NewTenant, OpenHouse } from '../../testkit/house.ts'
import { pause } from '../card/wait.ts'

export type Shop = NewTenant & {
  readonly staged: Set<string>
  /** Those that somebody was asked to confirm. */
  readonly approved: Set<string>
  readonly executed: Set<string>
  turns: number
  /** Between two stagings that succeeded. */
  longestGapMs: number
  /** Answers other than success, by status and code. */
  readonly refused: Map<string, number>
}

export type Endpoint = {
  readonly url: string
  /** Arrivals of each write, by its action. */
  readonly performed: Map<string, number>
  /** Names of the events of each action, in the order of their first arrival. */
  readonly events: Map<string, string[]>
  close(): Promise<void>
}

type Sent = { action_id: string; event?: string; mode?: string }

export async function openEndpoint(): Promise<Endpoint> {
  const performed = new Map<string, number>()
  const events = new Map<string, string[]>()
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Sent
    if (request.url === '/events') {
      const known = events.get(sent.action_id) ?? []
      if (sent.event !== undefined && !known.includes(sent.event)) events.set(sent.action_id, [...known, sent.event])
    } else performed.set(sent.action_id, (performed.get(sent.action_id) ?? 0) + 1)
    setTimeout(() => response.end('{"done":true}'), 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    performed,
    events,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const TOOLS = [
  {
    name: 'refund_order',
    description: 'Refunds an order.',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    is_write: true,
  },
]

export async function openShop(house: OpenHouse, name: string, { url }: Endpoint): Promise<Shop> {
  const tenant = await house.tenant(name)
  const key = tenant.apiKey
  const plan = { key: house.operatorKey, body: { plan: 'Growth' } }
  await must(house, 'PATCH', `/v1/tenants/${tenant.tenantId}`, plan)
  await must(house, 'PUT', '/v1/endpoint', { key, body: { url: `${url}/tools` } })
  await must(house, 'PUT', '/v1/events/webhook', { key, body: { url: `${url}/events` } })
  await must(house, 'PUT', '/v1/tools', { key, body: TOOLS })
  const none = { turns: 0, longestGapMs: 0, refused: new Map<string, number>() }
  return { ...tenant, staged: new Set(), approved: new Set(), executed: new Set(), ...none }
}

type Given = Parameters<OpenHouse['ask']>[2]

async function must(house: OpenHouse, method: string, path: string, given: Given): Promise<void> {
  const { status, text } = await house.ask(method, path, given)
  if (status !== 200) throw new Error(`${method} ${path} answered ${status} ${text}`)
}

export type Storm = { stop(): Promise<void> }

export function blow(houses: readonly OpenHouse[], shops: readonly Shop[]): Storm {
  let blowing = true
  let number = 0
  let asked = 0
  const ask = async <Body>(shop: Shop, method: string, path: string, given: Given) => {
    const house = houses[asked++ % houses.length]
    if (house === undefined) throw new Error('There is nobody to ask.')
    const answer = await house.ask<Body>(method, path, { key: shop.apiKey, ...given })
    if (answer.status !== 200) {
      const name = `${answer.status} ${answer.error?.code}`
      shop.refused.set(name, (shop.refused.get(name) ?? 0) + 1)
      await pause(20)
    }
    return answer
  }

  async function write(shop: Shop, last: { at: number }): Promise<void> {
    const own = ++number
    const body = { tool: 'refund_order', arguments: { number: own } }
    const headers = { 'idempotency-key': `order-${own}` }
    for (;;) {
      const staged = await ask<{ actionId: string }>(shop, 'POST', '/v1/actions', { body, headers })
      if (staged.status !== 200 && blowing) continue
      if (staged.status !== 200) return
      shop.longestGapMs = Math.max(shop.longestGapMs, performance.now() - last.at)
      last.at = performance.now()
      shop.staged.add(staged.body.actionId)
      if (own % 3 > 0) await confirm(shop, staged.body.actionId)
      return
    }
  }

  async function confirm(shop: Shop, actionId: string): Promise<void> {
    shop.approved.add(actionId)
    const given = { body: {}, headers: { 'x-service-user-id': '7' } }
    do {
      const said = await ask<{ status: string }>(shop, 'POST', `/v1/actions/${actionId}/confirm`, given)
      if (said.status !== 200) continue
      if (said.body.status === 'Executed') shop.executed.add(actionId)
      return
    } while (blowing)
  }

  const writer = async (shop: Shop, last: { at: number }) => {
    while (blowing) await write(shop, last)
  }
  const talker = async (shop: Shop) => {
    while (blowing) {
      const { status } = await ask(shop, 'POST', '/v1/chat', { body: { prompt: 'When do you open?' } })
      if (status === 200) shop.turns++
      await pause(50)
    }
  }
  const all = shops.flatMap((shop) => {
    const last = { at: performance.now() }
    return [writer(shop, last), writer(shop, last), talker(shop)]
  })
  return {
    async stop() {
      blowing = false
      await Promise.all(all)
    },
  }
}

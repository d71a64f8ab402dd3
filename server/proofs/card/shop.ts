// A workspace with its endpoint, and the requests that its server and its people make.
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import type { Asked } from '../rig/running-service.ts'
import type { Fleet } from './fleet.ts'

export type Shop = {
  readonly tenantId: number
  readonly apiKey: string
  readonly signingSecret: string
  /** Its tools are called at an imported API, which is not told of any action. */
  readonly imported?: true
}

type Staged = z.output<typeof contract.StageAnswer>
type Confirmed = z.output<typeof contract.ConfirmAnswer>

/** Whatever the endpoint answers is passed through as it came, so only the head of an answer is of a known shape. */
export type Said = { readonly http: number; readonly status: Confirmed['status']; readonly errorCode: string | null }

const order = {
  type: 'object',
  properties: { number: { type: 'integer' } },
  required: ['number'],
}
const tool = (name: string, more: object) => ({
  name,
  description: 'Changes something in the shop, for the reliability card.',
  parameters: order,
  ...more,
})
const readBack = {
  tool: 'get_order',
  arguments: { number: { from: 'number' } },
  check: { path: 'state', equals: 'done' },
}

export const WRITES = ['refund_order', 'refund_verified', 'refund_soon', 'refund_checked'] as const
const CATALOG = [
  tool('get_order', { is_write: false }),
  tool('refund_order', { is_write: true }),
  tool('refund_verified', { is_write: true, verify: readBack }),
  // Whoever changes or confirms it reads first, so that one of them is always in the middle of it.
  tool('refund_checked', { is_write: true, precondition: readBack }),
  // Its window is another one, by its risk.
  tool('refund_soon', { is_write: true, risk: 'elevated' }),
]

const AT_THE_API = (name: string) => ({
  method: name === 'get_order' ? 'GET' : 'POST',
  path: name === 'get_order' ? '/orders/{number}' : '/orders/{number}/refunds',
  body: name === 'get_order' ? null : 'json',
  arguments: { number: { in: 'path', name: 'number' } },
})
const DOCUMENT = { openapi: '3.1.0', paths: { '/orders': { get: { operationId: 'list_orders', responses: {} } } } }

/** The same shop with an API that knows nothing of us, beside the same endpoint. */
export async function openImportedShop(fleet: Fleet, operatorKey: string, endpoint: string): Promise<Shop> {
  const shop = await openShop(fleet, operatorKey, endpoint)
  const catalog = CATALOG.map((one) => ({ ...one, http: AT_THE_API(one.name) }))
  await asked(fleet, 'PUT', '/v1/tools', { key: shop.apiKey, body: catalog })
  await asked(fleet, 'POST', '/v1/tools/import', {
    key: shop.apiKey,
    body: {
      document: DOCUMENT,
      baseUrl: endpoint.replace(/\/[^/]*$/, '/api'),
      operations: { list_orders: { is_write: false } },
      credential: 'secret-of-the-corner-shop',
    },
  })
  return { ...shop, imported: true }
}

/** How the receiver knows a write: by its action, or where it is told of none, by the order that it is about. */
export const nameOf = ({ imported }: Shop, actionId: string, number: number): string =>
  imported === true ? `order ${number}` : actionId

export async function openShop(fleet: Fleet, operatorKey: string, endpoint: string): Promise<Shop> {
  const made = await asked(fleet, 'POST', '/v1/tenants', { key: operatorKey, body: { name: 'Corner Shop' } })
  const { tenantId, apiKey, signingSecret } = made as Shop
  await asked(fleet, 'PUT', '/v1/tools', { key: apiKey, body: CATALOG })
  await asked(fleet, 'PUT', '/v1/endpoint', { key: apiKey, body: { url: endpoint } })
  const events = endpoint.replace(/\/[^/]*$/, '/events')
  await asked(fleet, 'PUT', '/v1/events/webhook', { key: apiKey, body: { url: events } })
  return { tenantId, apiKey, signingSecret }
}

export async function asked(fleet: Fleet, method: string, path: string, given: Asked): Promise<unknown> {
  const answer = await fleet.insist(0, method, path, given)
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
  return answer.body
}

export type ToStage = { readonly tool: (typeof WRITES)[number]; readonly number: number }

/** Until it is staged: the key makes a request that was lost and sent again the same action. */
export async function stage(fleet: Fleet, seat: number, shop: Shop, { tool: name, number }: ToStage): Promise<Staged> {
  const answer = await fleet.insist(seat, 'POST', '/v1/actions', {
    key: shop.apiKey,
    body: { tool: name, arguments: { number } },
    headers: { 'idempotency-key': `stage-${number}` },
  })
  if (answer.status !== 200) throw new Error(`Staging answered ${answer.status} ${answer.text}`)
  return answer.body as Staged
}

export type Decision = {
  readonly verb: 'confirm' | 'reject' | 'reconcile'
  readonly actionId: string
  readonly userId?: number
  readonly confirmKey?: string
}

/** Null when no answer came. */
export async function decide(fleet: Fleet, seat: number, shop: Shop, decision: Decision): Promise<Said | null> {
  const { verb, actionId, userId = 7, confirmKey } = decision
  const body = {
    ...(verb === 'confirm' ? { acknowledgeHighRisk: true } : {}),
    ...(confirmKey === undefined ? {} : { idempotencyKey: confirmKey }),
  }
  const answer = await fleet.ask(seat, 'POST', `/v1/actions/${actionId}/${verb}`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': String(userId) },
    ...(verb === 'reconcile' ? {} : { body }),
  })
  if (answer === null) return null
  const { status, errorCode } = (answer.body ?? {}) as Confirmed
  return { http: answer.status, status, errorCode: errorCode ?? null }
}

import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Answer, type RequestHead, refuse } from '../../kernel/http/index.ts'
import { ANYONE, type ProveSigned, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Delivered, Listeners, Relayed } from './listeners.ts'
import { isOurs } from './proven.ts'

export type ListeningParts = { readonly listeners: Listeners; readonly prove: ProveSigned }

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Events', method: 'POST' } as const
const MEBIBYTE = 1024 * 1024

export const listeningRoutes = ({ listeners, prove }: ListeningParts): readonly Route[] => [
  route({
    ...here,
    path: '/v1/listening/requests',
    summary: 'Take the calls and events that wait for a listener on your machine',
    description:
      'What the service would POST to a server that it cannot reach, while the endpoint or the webhook is `/v1/listening/{tenantId}/deliveries` of this service. `tether listen` does all of it (docs/cli.md).',
    body: contract.ListenRequest,
    answers: { 200: { schema: contract.Listened } },
    example: { body: { listener: 'laptop-of-ana', waitSeconds: 0 } },
    handle: async ({ asking }, { body, head }) => ({
      status: 200,
      body: await listeners.take(asking.tenantId, body, head.signal),
    }),
  }),
  route({
    ...here,
    path: '/v1/listening/answers',
    summary: 'Say what your machine answered',
    description: 'An answer that nobody waits for any longer is not counted in `taken`, and does no harm.',
    body: contract.ListenAnswers,
    answers: { 200: { schema: contract.ListenTaken } },
    example: {
      body: { listener: 'laptop-of-ana', epoch: 'as-it-was-given', answers: [{ number: 1, status: 204 }] },
    },
    handle: async ({ asking }, { body }) => ({
      status: 200,
      body: { taken: await listeners.answer(asking.tenantId, body) },
    }),
  }),
  route({
    reach: ANYONE,
    // The handler counts it. The workspace knows the secret that signs, so what is signed need not come from this service.
    lane: 'none',
    group: 'Events',
    method: 'POST',
    path: '/v1/listening/:tenantId/deliveries',
    signed: 'json',
    ownDoor: /^\/v1\/listening\/[1-9]\d*\/deliveries$/,
    bodyLimit: MEBIBYTE,
    unlisted: true,
    // The bytes are read once their signature is proved.
    ownCheck: true,
    summary: 'Where calls and events of a workspace with a listener go',
    params: z.object({ tenantId: z.string() }),
    body: z.instanceof(Buffer),
    answers: { 200: { text: 'application/json', description: 'What the machine answered' } },
    errors: ['invalid_signature', 'rate_limited'],
    handle: async (ctx, { params, body, head }) => {
      const tenantId = /^[1-9]\d{0,8}$/.test(params.tenantId) ? Number(params.tenantId) : 0
      const bytes = body ?? Buffer.alloc(0)
      const claimed = { tenantId, address: ctx.asking.address }
      if (!(await prove(claimed, 'control', () => isOurs(ctx, tenantId, head, bytes))))
        throw refuse('invalid_signature', 'Only this service itself delivers here. Nothing was handed on.')
      return answerOf(await listeners.deliver(tenantId, deliveredIn(head, bytes), head.signal))
    },
  }),
]

// By name: a proxy before us may add headers of its own, such as the secret of a relay, and none of them is the workspace's to read.
const HANDED_ON = new Set([
  'content-type',
  'user-agent',
  'x-service-signature',
  'x-service-timestamp',
  'x-service-idempotency-key',
  'x-service-delivery-attempt',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

/** What the receiver on the machine reads, and nothing of the way here. */
const deliveredIn = ({ headers }: RequestHead, bytes: Buffer): Delivered => ({
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HANDED_ON.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  ),
  body: bytes.toString('utf8'),
})

const NOT_NOW = {
  nobody: 'Nobody listens for this workspace. Start `tether listen`, or set another endpoint.',
  full: 'The listener of this workspace has more in hand than it answers.',
  left: 'Nobody waits for this answer any longer.',
  cut: 'The service stops. The machine may have received this.',
} as const

/** 429 of a receiver means that nothing was applied, which nobody knows better than whoever handed nothing on. */
function answerOf(relayed: Relayed): Answer {
  if (relayed.kind !== 'answered') {
    const content = JSON.stringify({ status: 'try_later', message: NOT_NOW[relayed.kind] })
    return { status: relayed.kind === 'cut' ? 504 : 429, text: { type: 'application/json; charset=utf-8', content } }
  }
  const { status, type = 'application/json; charset=utf-8', body = '' } = relayed.answer
  return { status, text: { type, content: body } }
}

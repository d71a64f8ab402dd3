import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_ONLY } from '../access/index.ts'
import type { MailRoom } from '../mail/index.ts'
import type { Signer } from '../tenants/index.ts'
import { deliveriesOf } from './deliveries.ts'
import { redeliver } from './redeliver.ts'
import { sendTest } from './test-event.ts'
import { readWebhook, setWebhook } from './webhook.ts'

export type EventParts = {
  readonly sign: Signer
  /** The list of deliveries includes mail. */
  readonly mail: Pick<MailRoom, 'deliveries'>
}

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Events' } as const

export const eventRoutes = (parts: EventParts): readonly Route[] => [
  route({
    ...here,
    method: 'GET',
    path: '/v1/events/webhook',
    summary: 'Read where events go, and how the last deliveries ended',
    answers: { 200: { schema: contract.Webhook } },
    handle: async (ctx) => ({ status: 200, body: await readWebhook(ctx) }),
  }),
  route({
    ...here,
    method: 'PUT',
    path: '/v1/events/webhook',
    summary: 'Set or clear where events go',
    description:
      'The address must be absolute HTTPS on the public internet. Without a webhook, events go to the tool endpoint; without either, nowhere. docs/events.md shows how to receive them.',
    body: contract.WebhookRequest,
    answers: { 200: { schema: contract.Webhook } },
    errors: ['invalid_endpoint'],
    example: { body: { url: 'https://shop.example.com/assistant/events' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await setWebhook(ctx, body.url) }),
  }),
  route({
    ...here,
    method: 'GET',
    path: '/v1/events/deliveries',
    summary: 'List every attempt to deliver an event, newest first',
    description:
      'Filters combine. An undelivered attempt without `retryAt` was the last one. The list does not contain bodies.',
    query: contract.DeliveriesQuery,
    answers: { 200: { schema: contract.Deliveries } },
    handle: async (ctx, { query }) => ({ status: 200, body: await deliveriesOf(ctx, query, parts.mail.deliveries) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/events/test',
    headers: ['X-Service-Scope-Id'],
    summary: 'Send one signed test.ping now, and show the receiver’s answer',
    answers: { 200: { schema: contract.TestDelivery } },
    errors: ['secret_unreadable'],
    handle: async (ctx) => ({ status: 200, body: await sendTest(ctx, parts.sign) }),
  }),
  route({
    ...here,
    method: 'POST',
    path: '/v1/events/:eventId/redeliver',
    summary: 'Send an undelivered event again',
    description:
      'It keeps its `request_id` and its body, and gets all its attempts again. An event that still waits for its next attempt is sent at once. We keep the bodies of undelivered events, sealed, for 30 days.',
    params: z.object({ eventId: z.string().max(200) }),
    answers: { 200: { schema: contract.Redelivery } },
    errors: ['event_not_found'],
    example: { params: { eventId: 'evt_0a1b2c3d' } },
    handle: async (ctx, { params }) => ({ status: 200, body: await redeliver(ctx, params.eventId) }),
  }),
]

import { z } from 'zod'
import { Limit, Timestamp } from './schemas.ts'

export const WebhookRequest = z
  .object({ url: z.string().nullable().meta({ description: 'Absolute HTTPS; null or an empty text clears it.' }) })
  .meta({ id: 'EventsWebhookRequest' })

const Destination = z.enum(['events_webhook', 'tool_endpoint'])

export const Delivery = z
  .object({
    event: z.string(),
    actionId: z.string().meta({ format: 'uuid' }).nullable(),
    sessionId: z.string().nullable(),
    url: z.string().nullable().meta({ description: 'The address; null if there was nowhere to send it.' }),
    destination: z.enum([...Destination.options, 'mail']).nullable(),
    delivered: z.boolean().meta({ description: 'True if the receiver answered 2xx.' }),
    statusCode: z.int().nullable(),
    error: z.string().nullable().meta({
      description:
        'How it failed, or null: `the receiver answered <status>`, `timeout: …`, `unreachable: …`, `invalid_endpoint: …`, `no_destination: …`.',
    }),
    durationMs: z.int(),
    attemptedAt: Timestamp,
    eventId: z.string().meta({ description: 'The `request_id` of the event, which is the same for every attempt.' }),
    attempt: z.int().meta({ description: 'From 1.' }),
    retryAt: Timestamp.nullable().meta({
      description: 'When the next attempt is due, or null if this was the last one.',
    }),
  })
  .meta({ id: 'Delivery' })

export const Webhook = z
  .object({
    configured: z.boolean(),
    url: z.string().nullable(),
    effectiveUrl: z.string().nullable().meta({ description: 'The address to which events go now.' }),
    effectiveSource: Destination.nullable(),
    signingSecretIssued: z.boolean(),
    lastDelivery: Delivery.nullable().meta({ description: 'The newest attempt that was delivered.' }),
    lastFailure: Delivery.nullable(),
  })
  .meta({ id: 'EventsWebhook' })

export const DELIVERIES_PAGE = { most: 200, preset: 50 } as const
const before = z.int().positive()

export const DeliveriesQuery = z.object({
  failed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'True lists failed attempts only, and false successful ones only.' }),
  event: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Only this event, or this kind of mail.', examples: ['action.executed'] }),
  actionId: z.uuid().optional(),
  eventId: z.string().min(1).max(200).optional(),
  before: before.optional().meta({ description: 'For paging: the `nextBefore` of the previous page.' }),
  limit: Limit(DELIVERIES_PAGE.most, DELIVERIES_PAGE.preset),
})

export const Deliveries = z
  .object({
    deliveries: z.array(Delivery),
    count: z.int(),
    nextBefore: before.nullable().meta({ description: 'The value of `before` for the next page, or null.' }),
  })
  .meta({ id: 'Deliveries' })

export const TestDelivery = z
  .object({
    delivery: Delivery,
    answer: z
      .object({
        status: z.int(),
        body: z.string().meta({ description: 'The beginning of the receiver’s answer.' }),
      })
      .nullable(),
  })
  .meta({ id: 'TestDelivery' })

export const Redelivery = z
  .object({ queued: z.literal(true), eventId: z.string(), event: z.string() })
  .meta({ id: 'Redelivery' })

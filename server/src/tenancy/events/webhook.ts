import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../context/index.ts'
import { noTenant, setWebhookUrl } from '../tenants/index.ts'
import { deliveryOf } from './deliveries.ts'
import { destinationOf } from './destination.ts'
import { type DeliveryRow, listDeliveries, listFailures, readWiring, type WiringRow } from './queries.ts'

type WebhookView = z.output<typeof contract.Webhook>

export async function wiringOf({ db, asking }: Context): Promise<WiringRow> {
  const row = await db.one(readWiring, { tenantId: asking.tenantId })
  if (row === undefined) throw noTenant()
  return row
}

export async function readWebhook(ctx: Context): Promise<WebhookView> {
  const { db, asking } = ctx
  const anything = { delivered: null, event: null, actionId: null, eventId: null, before: null }
  const newest = { tenantId: asking.tenantId, ...anything, limit: 1 }
  const [wiring, last, failure] = await Promise.all([
    wiringOf(ctx),
    db.one(listDeliveries, { ...newest, delivered: true }),
    db.one(listFailures, newest),
  ])
  const destination = destinationOf(wiring)
  return {
    configured: wiring.webhookUrl !== null,
    url: wiring.webhookUrl,
    effectiveUrl: destination?.url ?? null,
    effectiveSource: destination?.source ?? null,
    signingSecretIssued: wiring.sealedSigningSecret !== null,
    lastDelivery: deliveryOrNull(last),
    lastFailure: deliveryOrNull(failure),
  }
}

const deliveryOrNull = (row: DeliveryRow | undefined) => (row === undefined ? null : deliveryOf(row))

export async function setWebhook(ctx: Context, given: string | null): Promise<WebhookView> {
  const asked = given?.trim() || null
  await placeWebhook(ctx, asked === null ? null : await checkWebhook(ctx, asked))
  return await readWebhook(ctx)
}

/** Refuses an address that the guard refuses now, not at the first event. A name that DNS does not know yet is fine. */
export async function checkWebhook({ egress }: Pick<Context, 'egress'>, asked: string): Promise<string> {
  const checked = await egress.checkAddress(asked, { noun: 'Webhook', purpose: 'event' })
  if (!checked.ok && checked.reason === 'address') throw refuse('invalid_endpoint', checked.message)
  return checked.url
}

/** Takes an address that was checked. */
export async function placeWebhook(ctx: Context, url: string | null): Promise<void> {
  if ((await setWebhookUrl(ctx, ctx.asking.tenantId, url)) === 0) throw noTenant()
}

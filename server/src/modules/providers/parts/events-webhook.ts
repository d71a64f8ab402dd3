import { checkWebhook, placeWebhook, wiringOf } from '../../../tenancy/events/index.ts'
import { APPLIED, nothingToCopy, type Part, UNCHANGED } from '../part.ts'

/** The address alone. What is sent there of a business is signed with the business's own secret. */
export const eventsWebhookPart: Part = {
  async read(ctx) {
    const { webhookUrl } = await wiringOf(ctx)
    return webhookUrl === null
      ? nothingToCopy('events webhook', 'Set one with PUT /v1/events/webhook')
      : { value: webhookUrl }
  },
  async check(ctx, url) {
    await checkWebhook(ctx, String(url))
  },
  async place(ctx, url) {
    if ((await wiringOf(ctx)).webhookUrl === url) return UNCHANGED
    await placeWebhook(ctx, String(url))
    return APPLIED
  },
}

import type { EgressResult } from '../../kernel/egress/index.ts'
import type { House } from '../context/index.ts'
import type { SealedSecrets, Signer } from '../tenants/index.ts'

type EventPost = SealedSecrets & {
  readonly url: string
  readonly eventId: string
  readonly attempt: number
  readonly body: string
}

/** Enough for an acknowledgement. We believe a receiver that says more all the same. */
const ANSWER_BYTES = 16_384

/**
 * Sends one signed attempt. It follows no redirects, because a request signed for one address is for no other.
 * @throws SecretUnreadable
 */
export function post(
  { egress, settings }: Pick<House, 'egress' | 'settings'>,
  sign: Signer,
  message: EventPost,
): Promise<EgressResult> {
  const { tenantId, url, eventId, attempt, body } = message
  return egress.request({
    purpose: 'event',
    share: tenantId,
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-Service-Idempotency-Key': eventId,
      'X-Service-Delivery-Attempt': String(attempt),
      ...sign(message, eventId, body),
    },
    body,
    deadlineMs: settings.events.answerSeconds * 1000,
    maxBytes: ANSWER_BYTES,
    credentialed: true,
  })
}

import { SecretUnreadable } from '../../foundation/crypto/index.ts'
import type { EgressResult } from '../../foundation/egress/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type CallInput, envelopeOf } from './envelope.ts'
import type { Signer } from './secrets.ts'

export const NOT_CONFIGURED =
  'No tool endpoint is configured, so nothing was called. The business sets one with PUT /v1/endpoint {"url": "https://…"}.'
export const UNREADABLE =
  'The stored secret could not be decrypted, so nothing was called. The operator must restore the encryption key.'

export type Sent =
  | { readonly ok: true; readonly result: EgressResult }
  | { readonly ok: false; readonly why: 'not_configured' | 'unreadable' }

/** One signed request, or the reason why none was made. Redirects are off: what is signed for one address is for no other. */
export async function send(ctx: Context, signer: Signer, call: CallInput, signal?: AbortSignal): Promise<Sent> {
  const { asking, clock, egress, settings } = ctx
  const url = asking.wiring.endpointUrl
  if (url === null || call.tool.http !== null || call.tool.upstream) return { ok: false, why: 'not_configured' }
  const body = envelopeOf(asking.tenantId, call, clock.now())
  const signature = signed(signer, ctx, call.requestId, body)
  if (signature === null) return { ok: false, why: 'unreadable' }
  const result = await egress.request({
    purpose: 'tool',
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'X-Service-Idempotency-Key': call.requestId,
      ...signature,
    },
    body,
    deadlineMs: settings.toolTransport.timeoutSeconds * 1000,
    maxBytes: settings.toolTransport.maxResponseBytes,
    credentialed: true,
    // A write that meets a closing connection would be indeterminate: it takes one that was just used, or a new one.
    ...(call.mode === 'execute' ? { maxIdleMs: 1000 } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
  return { ok: true, result }
}

function signed(signer: Signer, { asking }: Context, requestId: string, body: string) {
  try {
    return signer(asking, requestId, body)
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}

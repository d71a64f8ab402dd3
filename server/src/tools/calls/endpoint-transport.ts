import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { openSigner } from '../../tenancy/tenants/index.ts'
import { envelopeOf } from './envelope.ts'
import { type Attempted, resultOverHttp, type ToolCall, type Transport } from './transport.ts'

export const NOT_CONFIGURED = {
  kind: 'not_ready',
  status: 'not_configured',
  message:
    'No tool endpoint is configured, so nothing was called. The business sets one with PUT /v1/endpoint {"url": "https://…"}.',
} as const
const SECRET_UNREADABLE = {
  kind: 'not_ready',
  status: 'failed',
  message:
    'The stored secret could not be decrypted, so nothing was called. The operator must restore the encryption key.',
} as const

const MOVED = {
  kind: 'not_ready',
  status: 'failed',
  message: 'The endpoint was changed while this was being decided, so nothing was called.',
} as const

/** A tool of the tenant's own endpoint: one signed POST of an envelope. */
export function openEndpointTransport(house: Pick<House, 'keyring' | 'clock'>): Transport {
  const sign = openSigner(house)

  function signed({ tenantId, wiring }: Context['asking'], requestId: string, body: string) {
    const { sealedSigningSecret, sealedPreviousSecret } = wiring
    try {
      return sign({ tenantId, sealedSigningSecret, sealedPreviousSecret }, requestId, body)
    } catch (error) {
      if (error instanceof SecretUnreadable) return null
      throw error
    }
  }

  return {
    addressOf: async ({ asking }) => asking.wiring.endpointUrl,
    async send(ctx, call, signal) {
      const url = ctx.asking.wiring.endpointUrl
      if (url === null) return NOT_CONFIGURED
      // The claim was made for this address, and the approvers saw no other.
      if (call.mode === 'execute' && call.sentTo !== url) return MOVED
      const body = envelopeOf(ctx.asking.tenantId, call, ctx.clock.now())
      const signature = signed(ctx.asking, call.requestId, body)
      if (signature === null) return SECRET_UNREADABLE
      const { requestId, mode } = call
      return await post(ctx, { url, body, signature, requestId, mode }, signal)
    },
  }
}

type Posted = {
  readonly url: string
  readonly body: string
  readonly signature: Readonly<Record<string, string>>
  readonly requestId: string
  readonly mode: ToolCall['mode']
}

/** Redirects are not followed: what is signed for one address is meant for no other. */
export async function post(
  { egress, settings, asking }: Context,
  posted: Posted,
  signal?: AbortSignal,
): Promise<Attempted> {
  const { url, body, signature, requestId, mode } = posted
  const result = await egress.request({
    purpose: 'tool',
    share: asking.tenantId,
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'X-Service-Idempotency-Key': requestId,
      ...signature,
    },
    body,
    deadlineMs: settings.toolTransport.timeoutSeconds * 1000,
    maxBytes: settings.toolTransport.maxResponseBytes,
    credentialed: true,
    // A write caught by a closing connection would be indeterminate, so it takes a connection that was just used, or a new one.
    ...(mode === 'execute' ? { maxIdleMs: 1000 } : {}),
    ...(signal === undefined ? {} : { signal }),
  })
  return resultOverHttp(result)
}

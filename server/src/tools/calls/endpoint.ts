import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant, setEndpointUrl } from '../../tenancy/tenants/index.ts'

export type EndpointView = { configured: boolean; url: string | null; signingSecretIssued: boolean }

export function readEndpoint({ asking }: Context): EndpointView {
  const { endpointUrl, sealedSigningSecret } = asking.wiring
  return { configured: endpointUrl !== null, url: endpointUrl, signingSecretIssued: sealedSigningSecret !== null }
}

/** An address that the guard refuses is refused now, not at the first call. A name that DNS does not know yet is accepted. */
export async function setEndpoint(ctx: Context, given: string | null): Promise<EndpointView> {
  const url = await allowed(ctx, given?.trim() || null)
  if ((await setEndpointUrl(ctx, ctx.asking.tenantId, url)) === 0) throw noTenant()
  return { configured: url !== null, url, signingSecretIssued: ctx.asking.wiring.sealedSigningSecret !== null }
}

async function allowed({ egress }: Context, url: string | null): Promise<string | null> {
  if (url === null) return null
  const checked = await egress.checkAddress(url, { noun: 'Endpoint', purpose: 'tool' })
  if (checked.ok) return checked.url
  if (checked.reason === 'unresolved') return checked.url
  throw refuse('invalid_endpoint', checked.message)
}

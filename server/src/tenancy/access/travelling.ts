import { type RequestHead, refuse } from '../../kernel/http/index.ts'
import { type Context, type Customer, type House, placeOf } from '../context/index.ts'
import { type CustomerTokenFault, verifyCustomerToken } from './customer-token.ts'
import { type CredentialRow, findCustomerTokenKey } from './queries.ts'

const CUSTOMER_WORDS: Readonly<Record<CustomerTokenFault, string>> = {
  malformed: 'The customer token is not a well-formed JWT with our claims. Mint it as the SDK does.',
  unsupported_algorithm: 'The customer token must be signed with HS256.',
  not_configured: 'This workspace has no customer-token key. Issue one with POST /v1/account/customer-token-key.',
  wrong_tenant: 'The customer token names another tenant. Set `tenant_id` to this workspace’s id.',
  invalid_signature: 'The customer token is not signed with this workspace’s current customer-token key.',
  invalid_subject: '`sub` must be the customer’s id: 1 to 200 printable characters.',
  issued_in_future: 'The customer token is issued in the future. Check the clock of the server that signs it.',
  expired: 'The customer token has expired. Mint a new one.',
  lifetime_too_long: 'A customer token is valid for an hour at most. Set `exp` to at most 3600 s after `iat`.',
}

const UPSTREAM_WORDS: Readonly<Record<UpstreamTokenFault, string>> = {
  empty: 'X-Service-Upstream-Token is empty. Leave the header out, or send the person’s token.',
  too_long: 'X-Service-Upstream-Token is longer than 4000 characters. Send a shorter token.',
  invalid_characters:
    'X-Service-Upstream-Token contains white space, control or non-ASCII characters. Send the token alone.',
  repeated: 'X-Service-Upstream-Token was sent more than once. Send it once.',
}

type Travelling = { readonly customer: Customer | null; readonly upstreamToken: string | null }

/** The signed-in person's own token for the tenant's API, by its shape alone; null where none was sent. */
function upstreamTokenOf(head: RequestHead): string | null {
  const upstream = checkUpstreamToken(head.valuesOf('x-service-upstream-token'))
  if (upstream.ok) return upstream.token
  throw refuse('invalid_upstream_token', UPSTREAM_WORDS[upstream.reason], { reason: upstream.reason })
}

/**
 * Reads the tokens that travel with a turn, or the upstream token alone. They say for whom we make a call, but do not widen
 * what the key reaches.
 */
export async function travellingTokens(
  { keyring, clock }: Pick<House, 'keyring' | 'clock'>,
  head: RequestHead,
  which: boolean | 'upstream',
  row: CredentialRow,
): Promise<Travelling> {
  const upstreamToken = which === false ? null : upstreamTokenOf(head)
  if (which !== true) return { customer: null, upstreamToken }
  const tokens = head.valuesOf('x-service-customer-token')
  return { customer: tokens.length === 0 ? null : await customerIn({ keyring, clock }, row, tokens), upstreamToken }
}

/** Whom a customer token names that came otherwise than in a header. It says the same, and is refused for the same reasons. */
export async function provenCustomer(ctx: Context, token: string): Promise<Customer> {
  const { tenantId } = ctx.asking
  const row = await ctx.db.one(findCustomerTokenKey, { tenantId })
  return await customerIn(ctx, { tenantId, customerTokenKey: row?.customerTokenKey ?? null }, [token])
}

async function customerIn(
  { keyring, clock }: Pick<House, 'keyring' | 'clock'>,
  { tenantId, customerTokenKey: sealed }: Pick<CredentialRow, 'tenantId' | 'customerTokenKey'>,
  [token = '', ...others]: readonly string[],
): Promise<Customer> {
  const key = sealed === null ? null : keyring.open(sealed, placeOf(tenantId, 'customer_token_key'))
  const verified =
    others.length > 0
      ? ({ ok: false, reason: 'malformed' } as const)
      : await verifyCustomerToken(token, { tenantId, key, now: clock.now() })
  if (verified.ok) return verified.customer
  throw refuse('invalid_customer_token', CUSTOMER_WORDS[verified.reason], { reason: verified.reason })
}

export type UpstreamTokenFault = 'empty' | 'too_long' | 'invalid_characters' | 'repeated'

type CheckedUpstreamToken = { ok: true; token: string | null } | { ok: false; reason: UpstreamTokenFault }

const longest = 4000

/**
 * Checks only the shape of `X-Service-Upstream-Token`; the imported API knows whose it is. `values` are the header's
 * values one by one (`headersDistinct`), because Node's usual headers join two of them into a text that looks like one
 * token.
 */
export function checkUpstreamToken(values: readonly string[]): CheckedUpstreamToken {
  const [token, ...others] = values
  if (token === undefined) return { ok: true, token: null }
  if (others.length > 0) return { ok: false, reason: 'repeated' }
  if (token === '') return { ok: false, reason: 'empty' }
  if (token.length > longest) return { ok: false, reason: 'too_long' }
  return /^[!-~]+$/.test(token) ? { ok: true, token } : { ok: false, reason: 'invalid_characters' }
}

import { toBase64url, utf8 } from './bytes.ts'
import { hmacSha256 } from './hmac.ts'

export type CustomerTokenRequest = {
  /** The customer-token key, `tck_…`. It stays on your server. */
  key: string
  tenantId: number
  /** Who the customer is in your own system: 1 to 200 printable characters. */
  customerId: string
  /** At most 3600. The default is 900. */
  lifetimeSeconds?: number
  name?: string
  email?: string
  locale?: string
  /** Milliseconds since 1970. The default is the system's clock. */
  now?: number
}

const longestLifetime = 3600

/** Makes the value of `X-Service-Customer-Token` for one customer who is signed in with you: a JWT, HS256. */
export async function mintCustomerToken(request: CustomerTokenRequest): Promise<string> {
  const { key, tenantId, customerId, lifetimeSeconds = 900, name, email, locale, now = Date.now() } = request
  demand(/^tck_\S+$/.test(key), '"key" must be the customer-token key, the whole text from "tck_" on.')
  demand(Number.isSafeInteger(tenantId) && tenantId > 0, '"tenantId" must be the number of your workspace.')
  demand(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u.test(customerId), '"customerId" must be 1 to 200 printable characters.')
  demand(
    Number.isSafeInteger(lifetimeSeconds) && lifetimeSeconds > 0 && lifetimeSeconds <= longestLifetime,
    `"lifetimeSeconds" must be a whole number from 1 to ${longestLifetime}.`,
  )
  const iat = Math.floor(now / 1000)
  demand(Number.isSafeInteger(iat), '"now" must be milliseconds since 1970.')
  const claims = { sub: customerId, tenant_id: tenantId, iat, exp: iat + lifetimeSeconds, name, email, locale }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${toBase64url(await hmacSha256(utf8(key), utf8(signed)))}`
}

// JSON leaves out undefined claims.
const encode = (value: object): string => toBase64url(utf8(JSON.stringify(value)))

function demand(holds: boolean, what: string): void {
  if (!holds) throw new TypeError(`A customer token cannot be minted: ${what}`)
}

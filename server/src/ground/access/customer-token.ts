import { unixSeconds } from '../../foundation/clock/index.ts'
import { readCompact, readJsonObject, verifyHs256 } from '../../foundation/crypto/index.ts'

/** In the order in which they are looked at. */
export const customerTokenFaults = [
  'malformed',
  'unsupported_algorithm',
  'not_configured',
  'wrong_tenant',
  'invalid_signature',
  'invalid_subject',
  'issued_in_future',
  'expired',
  'lifetime_too_long',
] as const

export type CustomerTokenFault = (typeof customerTokenFaults)[number]

export type Customer = { id: string; name?: string; email?: string; locale?: string }

export type VerifiedCustomer = { ok: true; customer: Customer } | { ok: false; reason: CustomerTokenFault }

export const longestLifetimeSeconds = 3600
const skewSeconds = 60

type Claims = Record<string, unknown>
type Times = { iat: number; exp: number; nbf: number }

/** `key` is the whole `tck_…` text, or null where the tenant has none. `now` is in milliseconds, as the clock gives it. */
export async function verifyCustomerToken(
  token: string,
  { tenantId, key, now }: { tenantId: number; key: string | null; now: number },
): Promise<VerifiedCustomer> {
  const read = readCompact(token)
  const claims = read && readJsonObject(read.payload)
  if (!claims) return fault('malformed')
  if (read.alg !== 'HS256') return fault('unsupported_algorithm')
  if (!key) return fault('not_configured')
  // Read from a payload that nobody has vouched for: it chooses between two refusals and lets nothing pass.
  if (claims.tenant_id !== tenantId) return fault('wrong_tenant')
  const verified = await verifyHs256(token, Buffer.from(key))
  if (!verified.ok) return fault(verified.reason)
  return judge(claims, unixSeconds(now))
}

/** Only a token of ours is held to our claims; to any other the answer was already more to the point. */
function judge(claims: Claims, now: number): VerifiedCustomer {
  const times = readTimes(claims)
  if (!times) return fault('malformed')
  const { sub } = claims
  if (!fits(sub, printable)) return fault('invalid_subject')
  if (Math.max(times.iat, times.nbf) > now + skewSeconds) return fault('issued_in_future')
  // A token that ends before it begins was never good, however the skew falls.
  if (times.exp <= now || times.exp <= times.iat) return fault('expired')
  if (times.exp - times.iat > longestLifetimeSeconds) return fault('lifetime_too_long')
  return { ok: true, customer: describe(sub, claims) }
}

/** `nbf` is not asked for; a business that sets it means it. */
function readTimes({ iat, exp, nbf = iat }: Claims): Times | null {
  return isSeconds(iat) && isSeconds(exp) && isSeconds(nbf) ? { iat, exp, nbf } : null
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value)

// No control or invisible character, no lone surrogate: two ids that look the same are the same.
const printable = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u
// A name may hold the joiners of Persian and of emoji, but nothing that turns the direction of the text around it.
const name = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,200}$/u
const email = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u
const locale = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/

/** What is said about the customer besides who it is. A value that does not fit is left out: it must lock nobody out. */
function describe(id: string, claims: Claims): Customer {
  const customer: Customer = { id }
  if (fits(claims.name, name)) customer.name = claims.name
  if (fits(claims.email, email)) customer.email = claims.email
  if (fits(claims.locale, locale)) customer.locale = claims.locale
  return customer
}

const fits = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value)

const fault = (reason: CustomerTokenFault): VerifiedCustomer => ({ ok: false, reason })

import { unixSeconds } from '../../kernel/clock/index.ts'
import { readCompact, readJsonObject, verifyHs256 } from '../../kernel/crypto/index.ts'

/** In the order in which we check them. */
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

type Customer = { id: string; name?: string; email?: string; locale?: string }

type VerifiedCustomer = { ok: true; customer: Customer } | { ok: false; reason: CustomerTokenFault }

const longestLifetimeSeconds = 3600
const skewSeconds = 60

type Claims = Record<string, unknown>
type Times = { iat: number; exp: number; nbf: number }

/** `key` is the whole `tck_…` text, or null if the tenant has none. `now` is in milliseconds, as the clock gives it. */
export async function verifyCustomerToken(
  token: string,
  { tenantId, key, now }: { tenantId: number; key: string | null; now: number },
): Promise<VerifiedCustomer> {
  const read = readCompact(token)
  const claims = read && readJsonObject(read.payload)
  if (!claims) return refused('malformed')
  if (read.alg !== 'HS256') return refused('unsupported_algorithm')
  if (!key) return refused('not_configured')
  // The payload is not verified yet. Here it only chooses between two refusals; it cannot let anything pass.
  if (claims.tenant_id !== tenantId) return refused('wrong_tenant')
  const verified = await verifyHs256(token, Buffer.from(key))
  if (!verified.ok) return refused(verified.reason)
  return checkClaims(claims, unixSeconds(now))
}

/** Checks the claims of a token that the tenant's key signed. Any other token already got a more specific answer. */
function checkClaims(claims: Claims, now: number): VerifiedCustomer {
  const times = readTimes(claims)
  if (!times) return refused('malformed')
  const { sub } = claims
  if (!hasForm(sub, printable)) return refused('invalid_subject')
  if (Math.max(times.iat, times.nbf) > now + skewSeconds) return refused('issued_in_future')
  // A token that ends before it begins was never valid, whatever the clock skew.
  if (times.exp <= now || times.exp <= times.iat) return refused('expired')
  if (times.exp - times.iat > longestLifetimeSeconds) return refused('lifetime_too_long')
  return { ok: true, customer: customerOf(sub, claims) }
}

/** `nbf` is optional, but we respect it if a business sets it. */
function readTimes({ iat, exp, nbf = iat }: Claims): Times | null {
  return isSeconds(iat) && isSeconds(exp) && isSeconds(nbf) ? { iat, exp, nbf } : null
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value)

// Allows no control or invisible character and no lone surrogate, so that two ids that look the same are the same.
const printable = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u
// A name may contain the joiners of Persian and of emoji, but nothing that reverses the direction of the text around
// it.
const nameForm = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,200}$/u
const emailForm = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u
const localeForm = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/

/** Adds what the token says about the customer. We leave out a value of the wrong form, so that it locks nobody out. */
function customerOf(id: string, claims: Claims): Customer {
  const customer: Customer = { id }
  if (hasForm(claims.name, nameForm)) customer.name = claims.name
  if (hasForm(claims.email, emailForm)) customer.email = claims.email
  if (hasForm(claims.locale, localeForm)) customer.locale = claims.locale
  return customer
}

const hasForm = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value)

const refused = (reason: CustomerTokenFault): VerifiedCustomer => ({ ok: false, reason })

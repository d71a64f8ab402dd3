import { classifyAddress } from '../../foundation/egress/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { noTenant, readOrigins, writeOrigins } from '../../ground/tenants/index.ts'

const MOST_CHARACTERS = 2048

export async function listOrigins(ctx: Context) {
  const row = await readOrigins(ctx, ctx.asking.tenantId)
  if (row === undefined) throw noTenant()
  return row
}

export async function replaceOrigins(ctx: Context, given: readonly string[], hold: boolean) {
  const all = [...new Set(given.map(readOrigin))]
  if (all.join(',').length > MOST_CHARACTERS) {
    throw refuse(
      'too_many_origins',
      `The list is longer than ${MOST_CHARACTERS} characters. Keep the origins that carry the widget.`,
    )
  }
  const outside = all.filter(isPublic)
  const local = all.filter((origin) => !isPublic(origin))
  const written = await writeOrigins(ctx, ctx.asking.tenantId, { all, local, outside, hold })
  if (written === undefined) throw waits(outside)
  return written.held.length === 0 ? written : { ...written, reason: 'public_origin' as const }
}

const waits = (outside: readonly string[]) =>
  refuse(
    'email_unconfirmed',
    `${outside[0]} goes live once the workspace’s address is confirmed. Send "holdUntilConfirmed": true to have it wait.`,
    { reason: 'public_origin', resend: { method: 'POST', path: '/v1/account/confirmation' } },
  )

/** An origin as a browser will send it: lower case, punycode, no default port, no slash; or a refusal that says why. */
export function readOrigin(given: string): string {
  const text = given.trim()
  const no = (why: string) => refuse('invalid_origin', `"${text.slice(0, 200)}" is no origin: ${why}`)
  // The form is read from the text too: an address parser forgives what an origin must not have.
  const [, scheme, rest] = /^(https?):\/\/([^/?#\\@\s*]+)\/?$/i.exec(text) ?? []
  if (scheme === undefined || rest === undefined) {
    throw no('write scheme, host and, if there is one, port, such as https://www.shop.example.')
  }
  const url = URL.parse(`${scheme}://${rest}`)
  if (url === null || url.hostname === '' || url.hostname.endsWith('.')) throw no('its host is none.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw no('http is for loopback addresses only. Use https.')
  return url.origin
}

const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '')

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)

/** On the public internet, as far as its name tells. */
function isPublic(origin: string): boolean {
  const { hostname } = new URL(origin)
  if (isLoopback(hostname)) return false
  const literal = /^[\d.]+$|^\[/.test(hostname)
  return !literal || classifyAddress(unbracketed(hostname)) === 'public'
}

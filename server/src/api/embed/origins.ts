import { classifyAddress, isIpAddress } from '../../kernel/egress/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { noTenant, unconfirmed } from '../../tenancy/tenants/index.ts'
import * as sql from './queries.ts'

export async function readOriginRow({ db }: Pick<House, 'db'>, tenantId: number): Promise<sql.OriginRow> {
  const row = await db.one(sql.readOrigins, { tenantId })
  if (row === undefined) throw noTenant()
  return row
}

export const readOrigins = (ctx: Context): Promise<sql.OriginRow> => readOriginRow(ctx, ctx.asking.tenantId)

type OriginsInput = { readonly origins: readonly string[]; readonly holdUntilConfirmed?: boolean | undefined }

/** Replaces both lists. If nobody has confirmed the workspace's address, a public origin is held or refused. */
export async function writeOrigins({ db, asking }: Context, { origins, holdUntilConfirmed = false }: OriginsInput) {
  const all = readOriginList(origins)
  const local = all.filter(isLocal)
  const open = all.filter((origin) => !isLocal(origin))
  const row = await db.one(sql.writeOrigins, { tenantId: asking.tenantId, all, local, open, hold: holdUntilConfirmed })
  if (row === undefined) throw noTenant()
  if (!row.written) throw unconfirmed('public_origin')
  const { held } = row
  return { origins: row.origins, held, ...(held.length > 0 ? { reason: 'public_origin' as const } : {}) }
}

const SHAPE = /^https?:\/\/[^/?#@\\*\s]+\/?$/i

/** Normalises an origin to what a browser sends: lower case, punycode, no default port. */
export function readOrigin(written: string): string {
  const text = written.trim()
  const url = SHAPE.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.pathname !== '/') throw invalidOrigin(text)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw invalidOrigin(text)
  return url.origin
}

const invalidOrigin = (text: string) =>
  refuse(
    'invalid_origin',
    `"${text.slice(0, 200)}" is not an origin. Write the scheme, the host and the port, if it has one: https://shop.example. Plain http is only for this machine (http://localhost:3000).`,
  )

const LONGEST_LIST = 2048

/** Returns the list to store, with each origin once, in the order given. */
export function readOriginList(written: readonly string[]): string[] {
  // A list with more entries than allowed characters is too long in any case.
  const origins = written.length > LONGEST_LIST ? null : [...new Set(written.map(readOrigin))]
  if (origins !== null && origins.join('').length <= LONGEST_LIST) return origins
  throw refuse(
    'too_many_origins',
    `The list is longer than ${LONGEST_LIST} characters. Register only the origins that have the widget.`,
  )
}

const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

const LOCAL_ENDINGS = ['localhost', 'test', 'example', 'invalid', 'local', 'internal', 'lan', 'home.arpa']

/**
 * True if only the workspace's own people can see a page there. Such an origin need not wait for a confirmed address.
 */
export function isLocal(origin: string): boolean {
  const host = bareHost(new URL(origin).hostname)
  if (isIpAddress(host)) return isLoopback(host) || classifyAddress(host) === 'private' || isLinkLocal(host)
  return !host.includes('.') || LOCAL_ENDINGS.some((ending) => host.endsWith(`.${ending}`))
}

const isLinkLocal = (host: string): boolean => /^169\.254\./.test(host) || /^fe[89ab][0-9a-f]:/i.test(host)

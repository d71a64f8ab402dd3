// Who looks at the page: its one cookie, which names a sandbox, its language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import { openLink, sealLink } from '../../foundation/crypto/index.ts'
import type { Answer, RequestHead } from '../../foundation/http/index.ts'
import type { House } from '../../ground/context/index.ts'

export type Form = Readonly<Record<string, readonly string[]>>

/** The sandbox of this browser. */
export type Trial = { readonly tenantId: number; readonly key: string }

const COOKIE = 'try.cookie'
const FORM = 'try.form'
const DAY = 86_400_000

const isHttps = ({ http }: House['settings']): boolean => http.publicUrl.startsWith('https:')
const cookieName = (settings: House['settings']): string => (isHttps(settings) ? '__Host-tether_try' : 'tether_try')
const attributes = (settings: House['settings']): string =>
  `Path=/; HttpOnly; SameSite=Lax${isHttps(settings) ? '; Secure' : ''}`

/** The language that was asked for or, without one, the first of the two that the browser names. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  if (asked !== undefined && asked !== '') return /^ka\b/i.test(asked) ? 'ka' : 'en'
  const first = (accepted ?? '').slice(0, 200).match(/\b(ka|en)\b/i)?.[1]
  return first?.toLowerCase() === 'ka' ? 'ka' : 'en'
}

/** Sealed, so that nobody can make one. It outlives its sandbox by a day, in which the page still says that it has ended. */
export function cookieOf(house: House, { tenantId, key }: Trial, expiresAt: Date): string {
  const until = expiresAt.getTime() + DAY
  const value = sealLink(house.keyring, { purpose: COOKIE, id: `${tenantId} ${key}`, expiresAt: until })
  const seconds = Math.max(0, Math.floor((until - house.clock.now()) / 1000))
  return `${cookieName(house.settings)}=${value}; Max-Age=${seconds}; ${attributes(house.settings)}`
}

export const noCookie = ({ settings }: Pick<House, 'settings'>): string =>
  `${cookieName(settings)}=; Max-Age=0; ${attributes(settings)}`

export function trialOf(house: House, { headers }: Pick<RequestHead, 'headers'>): Trial | null {
  const name = `${cookieName(house.settings)}=`
  const sent = (headers.cookie ?? '').split(/;\s*/).filter((one) => one.startsWith(name))
  // Of two, one is somebody else's doing.
  if (sent.length !== 1) return null
  const opened = openLink(house.keyring, COOKIE, (sent[0] ?? '').slice(name.length), house.clock.now())
  if (!opened.ok) return null
  const [tenant = '', key = ''] = opened.id.split(' ')
  return { tenantId: Number(tenant), key }
}

export const field = (form: Form, name: string): string => form[name]?.at(-1) ?? ''

/** A form of ours, made lately for this sandbox, or for whoever has none. */
export const formToken = (house: Pick<House, 'keyring' | 'clock'>, trial: Trial | null): string =>
  sealLink(house.keyring, { purpose: FORM, id: String(trial?.tenantId ?? 'none'), expiresAt: house.clock.now() + DAY })

/** A foreign page's form is refused by its Origin, and one without an Origin by its token. */
export function isOurForm(house: House, { headers }: RequestHead, form: Form, trial: Trial | null): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && !ownOrigins(house, headers.host).includes(origin)) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const opened = openLink(house.keyring, FORM, field(form, 'token'), house.clock.now())
  return opened.ok && opened.id === String(trial?.tenantId ?? 'none')
}

/** The public address, and the one that the browser was sent to, which differ on a machine of one's own. */
function ownOrigins({ settings }: House, host: string | undefined): string[] {
  const scheme = isHttps(settings) ? 'https' : 'http'
  return [new URL(settings.http.publicUrl).origin, ...(host === undefined ? [] : [`${scheme}://${host}`])]
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

type PageAnswer = { readonly html: string; readonly status?: number; readonly cookie?: string | null }

export const pageAnswer = ({ html, status = 200, cookie = null }: PageAnswer): Answer => ({
  status,
  headers: {
    'content-security-policy': POLICY,
    // With none at all a browser would send "null" as the Origin of our own forms.
    'referrer-policy': 'same-origin',
    vary: 'cookie, accept-language',
    ...(cookie === null ? {} : { 'set-cookie': cookie }),
  },
  text: { type: 'text/html; charset=utf-8', content: html },
})

/** After a form, so that going back or loading again does not send it twice. */
export const seeOther = (to: string, cookie: string | null = null): Answer => ({
  status: 303,
  headers: { location: to, 'referrer-policy': 'same-origin', ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  text: { type: 'text/plain; charset=utf-8', content: '' },
})

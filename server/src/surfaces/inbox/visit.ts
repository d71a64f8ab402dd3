// Who looks at the inbox: the one cookie that it sets, the language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import { equalBytes, hmacSha256, openLink, sealLink } from '../../foundation/crypto/index.ts'
import type { Answer, RequestHead } from '../../foundation/http/index.ts'
import { findSession, type LiveSession, personAsking } from '../../ground/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../ground/context/index.ts'
import type { Words } from './words.ts'
import { EN } from './words-en.ts'
import { KA } from './words-ka.ts'

export type Form = Readonly<Record<string, readonly string[]>>

/** Somebody in front of the page, signed in or not. */
export type Visitor = { readonly language: Language; readonly words: Words }

export type Person = Visitor & {
  readonly ctx: Context
  readonly session: LiveSession
  readonly workspace: string
  /** Stands in every form, and is of this session alone. */
  readonly formToken: string
}

const COOKIE = 'inbox.cookie'
const FORM = 'inbox.form'
const HOUR = 3_600_000

const isHttps = ({ http }: House['settings']): boolean => http.publicUrl.startsWith('https:')

/** Under https no other host can set it, whatever it shares with this one. */
const cookieName = (settings: House['settings']): string => (isHttps(settings) ? '__Host-tether_inbox' : 'tether_inbox')

export const words = (language: Language): Words => (language === 'ka' ? KA : EN)

/** The language that was asked for or, without one, the first of the two that the browser names. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  if (asked !== undefined) return /^ka\b/i.test(asked) ? 'ka' : 'en'
  const first = (accepted ?? '').slice(0, 200).match(/\b(ka|en)\b/i)?.[1]
  return first?.toLowerCase() === 'ka' ? 'ka' : 'en'
}

type Cookie = { readonly tenantId: number; readonly token: string; readonly language: Language }

/** Sealed, so that what it holds is no use anywhere else, and nobody can make one. */
export function cookieOf(house: House, { tenantId, token, language }: Cookie, expiresAt: Date): string {
  const value = sealLink(house.keyring, {
    purpose: COOKIE,
    id: `${tenantId} ${token} ${language}`,
    expiresAt: expiresAt.getTime(),
  })
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - house.clock.now()) / 1000))
  return `${cookieName(house.settings)}=${value}; Max-Age=${seconds}; ${attributes(house.settings)}`
}

export const noCookie = ({ settings }: Pick<House, 'settings'>): string =>
  `${cookieName(settings)}=; Max-Age=0; ${attributes(settings)}`

const attributes = (settings: House['settings']): string =>
  `Path=/; HttpOnly; SameSite=Lax${isHttps(settings) ? '; Secure' : ''}`

function readCookie(house: House, head: RequestHead): Cookie | null {
  const name = `${cookieName(house.settings)}=`
  const sent = (head.headers.cookie ?? '').split(/;\s*/).filter((one) => one.startsWith(name))
  // Of two, one is somebody else's doing.
  if (sent.length !== 1) return null
  const opened = openLink(house.keyring, COOKIE, (sent[0] ?? '').slice(name.length), house.clock.now())
  if (!opened.ok) return null
  const [tenant = '', token = '', language = ''] = opened.id.split(' ')
  return { tenantId: Number(tenant), token, language: language === 'ka' ? 'ka' : 'en' }
}

export type Visit = {
  readonly visitor: Visitor
  /** Null for whoever is not signed in. */
  readonly person: Person | null
  /** True where there was a cookie and it opens nothing any longer. */
  readonly ended: boolean
  /** A cookie to set: the language was changed. */
  readonly cookie: string | null
}

type Asked = { readonly lang?: string | undefined }

export async function visit(ctx: Context<AnyoneAsking>, head: RequestHead, { lang }: Asked = {}): Promise<Visit> {
  const cookie = readCookie(ctx, head)
  const asked = languageOf(lang, head.headers['accept-language'])
  const stranger = { visitor: { language: asked, words: words(asked) }, person: null, cookie: null }
  if (cookie === null) return { ...stranger, ended: false }
  const found = await findSession(ctx, cookie.tenantId, cookie.token)
  const asking = found.ok ? await personAsking(ctx, found.session, ctx.asking) : null
  if (!found.ok || asking === null) return { ...stranger, ended: true }
  const language = lang === undefined ? cookie.language : asked
  const visitor = { language, words: words(language) }
  const { session } = found
  const person: Person = {
    ...visitor,
    ctx: { ...ctx, asking },
    session,
    workspace: asking.tenantName,
    formToken: formTokens(ctx, session.hash)[0] ?? '',
  }
  const changed = language !== cookie.language
  return {
    visitor,
    person,
    ended: false,
    cookie: changed ? cookieOf(ctx, { ...cookie, language }, session.expiresAt) : null,
  }
}

/** The newest first: a form that was open while the encryption key was rotated still counts. */
const formTokens = ({ keyring }: Pick<House, 'keyring'>, hash: Buffer): string[] =>
  keyring.derive('inbox form v1').map((key) => hmacSha256(key, hash).toString('base64url'))

/** For the forms before a session: it proves that this service made the page, lately. */
export const strangersToken = (house: Pick<House, 'keyring' | 'clock'>): string =>
  sealLink(house.keyring, { purpose: FORM, id: 'sign in', expiresAt: house.clock.now() + 24 * HOUR })

export const field = (form: Form, name: string): string => form[name]?.at(-1) ?? ''

/** A foreign page's form is refused by its Origin, and one without an Origin by its token. */
export function isOurForm(house: House, head: RequestHead, form: Form, person: Person | null): boolean {
  const { origin, 'sec-fetch-site': site } = head.headers
  if (origin !== undefined && !ownOrigins(house, head).includes(origin)) return false
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const sent = field(form, 'token')
  if (person === null) return openLink(house.keyring, FORM, sent, house.clock.now()).ok
  return formTokens(house, person.session.hash).some((token) => equalBytes(Buffer.from(token), Buffer.from(sent)))
}

/** The public address, and the one that the browser was sent to, which differ on a machine of one's own. */
function ownOrigins({ settings }: House, { headers }: RequestHead): string[] {
  const scheme = isHttps(settings) ? 'https' : 'http'
  return [
    new URL(settings.http.publicUrl).origin,
    ...(headers.host === undefined ? [] : [`${scheme}://${headers.host}`]),
  ]
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types inbox"

type PageAnswer = { readonly html: string; readonly status?: number; readonly cookie?: string | null }

export const pageAnswer = ({ html, status = 200, cookie = null }: PageAnswer): Answer => ({
  status,
  headers: {
    'content-security-policy': POLICY,
    // With none at all a browser would send "null" as the Origin of our own forms.
    'referrer-policy': 'same-origin',
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

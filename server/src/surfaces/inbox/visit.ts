// Who looks at the inbox: the one cookie that it sets, the language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import type { RequestHead } from '../../foundation/http/index.ts'
import { findSession, type LiveSession, personAsking } from '../../ground/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../ground/context/index.ts'
import {
  cookieJar,
  type Form,
  languageOf,
  newFormKeeper,
  openEnded,
  pageAnswers,
  strangersForm,
} from '../site/index.ts'
import type { Words } from './words.ts'
import { EN } from './words-en.ts'
import { KA } from './words-ka.ts'

/** Somebody in front of the page, signed in or not. */
export type Visitor = { readonly language: Language; readonly words: Words }

export type Person = Visitor & {
  readonly ctx: Context
  readonly session: LiveSession
  readonly workspace: string
  /** Stands in every form, and is of this session alone. */
  readonly formToken: string
}

const jar = cookieJar('inbox')
const ended = openEnded()
const keeper = newFormKeeper('inbox')
const strangers = strangersForm('inbox')

export const words = (language: Language): Words => (language === 'ka' ? KA : EN)

type Cookie = { readonly tenantId: number; readonly token: string; readonly language: Language }

export const cookieOf = (house: House, { tenantId, token, language }: Cookie, expiresAt: Date): string =>
  jar.set(house, `${tenantId} ${token} ${language}`, expiresAt)

export const noCookie = jar.clear

/** Whether they were signed in once: nobody else has such a cookie. */
export const isKnown = (house: House, head: RequestHead): boolean => jar.read(house, head) !== null

function readCookie(house: House, head: RequestHead): Cookie | null {
  const content = jar.read(house, head)
  if (content === null) return null
  const [tenant = '', token = '', language = ''] = content.split(' ')
  return { tenantId: Number(tenant), token, language: language === 'ka' ? 'ka' : 'en' }
}

/** The workspace of whoever is signed in, as far as it is known without the database. */
export function signedInTo(house: House, head: RequestHead): number | null {
  const cookie = readCookie(house, head)
  return cookie === null || ended.has(cookie.token) ? null : cookie.tenantId
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
  if (ended.has(cookie.token)) return { ...stranger, ended: true }
  const found = await findSession(ctx, cookie.tenantId, cookie.token)
  const asking = found.ok ? await personAsking(ctx, found.session, ctx.asking) : null
  if (!found.ok) ended.add(cookie.token)
  if (!found.ok || asking === null) return { ...stranger, ended: true }
  const language = lang === undefined ? cookie.language : asked
  const visitor = { language, words: words(language) }
  const { session } = found
  const person: Person = {
    ...visitor,
    ctx: { ...ctx, asking },
    session,
    workspace: asking.tenantName,
    formToken: keeper.token(ctx, session.hash),
  }
  const changed = language !== cookie.language
  return {
    visitor,
    person,
    ended: false,
    cookie: changed ? cookieOf(ctx, { ...cookie, language }, session.expiresAt) : null,
  }
}

const SIGN_IN = 'sign in'

export const strangersToken = (house: Pick<House, 'keyring' | 'clock'>): string => strangers.token(house, SIGN_IN)

export const isOurForm = (house: House, head: RequestHead, form: Form, person: Person | null): boolean =>
  person === null ? strangers.isOurs(house, head, form, SIGN_IN) : keeper.isOurs(house, head, form, person.session.hash)

export const pageAnswer = pageAnswers({ images: 'data:', types: 'inbox' })

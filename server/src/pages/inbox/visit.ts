// Who looks at the inbox: the one cookie that it sets, the language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import type { RequestHead } from '../../kernel/http/index.ts'
import { findSession, type LiveSession, personAsking } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../tenancy/context/index.ts'
import { type Form, languageOf, newFormKeeper, pageAnswers, sessionCookie, strangersForm } from '../kit/index.ts'
import type { Words } from './words-en.ts'
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

export const { cookieOf, ended, isKnown, noCookie, readCookie, signedInTo } = sessionCookie('inbox')
const keeper = newFormKeeper('inbox')
const strangers = strangersForm('inbox')

export const words = (language: Language): Words => (language === 'ka' ? KA : EN)

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

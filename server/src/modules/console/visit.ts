// Who looks at the console: its one cookie, the session behind it, the language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import { sha256 } from '../../kernel/crypto/index.ts'
import type { RequestHead } from '../../kernel/http/index.ts'
import type { Reader } from '../../pages/console-kit/index.ts'
import {
  type Form,
  languageOf,
  newFormKeeper,
  pageAnswers,
  type SessionInCookie,
  sessionCookie,
  strangersForm,
} from '../../pages/kit/index.ts'
import { findConsole } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../tenancy/context/index.ts'
import { waitingNow } from '../../writes/decisions/index.ts'

export const { cookieOf, ended, isKnown, noCookie, readCookie, signedInTo } = sessionCookie('console')
const keeper = newFormKeeper('console')
const strangers = strangersForm('console')
const WAY_IN = 'way in'

export type EndedSession = { readonly tenantId: number; readonly hash: Buffer }

export type Visit = {
  readonly language: Language
  /** Null for whoever is not signed in. */
  readonly reader: Reader | null
  /** The session of a cookie that opens nothing any longer. */
  readonly ended: EndedSession | null
  /** A cookie to set: the language was changed. */
  readonly cookie: string | null
}

export async function visit(ctx: Context<AnyoneAsking>, head: RequestHead, lang?: string): Promise<Visit> {
  const asked = languageOf(lang, head.headers['accept-language'])
  const sent = readCookie(ctx, head)
  if (sent === null) return { language: asked, reader: null, ended: null, cookie: null }
  const { tenantId, token, language: before } = sent
  const cookie = { ...sent, language: lang === undefined ? before : asked }
  const reader = ended.has(token) ? null : await readerOf(ctx, cookie)
  if (reader === null) {
    ended.add(token)
    return { language: asked, reader, ended: { tenantId, hash: sha256(token) }, cookie: null }
  }
  const { language, session } = reader
  const changed = language === before ? null : cookieOf(ctx, cookie, session.expiresAt)
  return { language, reader, ended: null, cookie: changed }
}

/** Null for whoever is not signed in. */
export async function readerOf(ctx: Context<AnyoneAsking>, cookie: SessionInCookie): Promise<Reader | null> {
  const session = await findConsole(ctx, cookie, ctx.asking)
  if (session === null) return null
  const own = { ...ctx, asking: session.asking }
  let waiting: ReturnType<Reader['waiting']> | undefined
  return {
    ctx: own,
    waiting: () => (waiting ??= waitingNow(own)),
    session,
    language: cookie.language,
    formToken: keeper.token(ctx, session.hash),
  }
}

export const strangersToken = (house: Pick<House, 'keyring' | 'clock'>): string => strangers.token(house, WAY_IN)

/** A form of a page that was made for that session. */
export const isOfEnded = (house: House, head: RequestHead, form: Form, { hash }: EndedSession): boolean =>
  keeper.isOurs(house, head, form, hash)

export const isOurForm = (house: House, head: RequestHead, form: Form, reader: Reader | null): boolean =>
  reader === null ? strangers.isOurs(house, head, form, WAY_IN) : keeper.isOurs(house, head, form, reader.session.hash)

/** A logo may stand anywhere, and our pages ask nobody else for anything, so none is shown. The widget stands in a frame of ours. */
export const pageAnswer = pageAnswers({ images: 'data:', frames: true })

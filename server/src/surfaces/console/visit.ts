// Who looks at the console: its one cookie, the session behind it, the language, and the tokens of its forms.
import type { Language } from '@tether/contract'
import { waitingNow } from '../../features/decisions/index.ts'
import type { RequestHead } from '../../foundation/http/index.ts'
import { findConsole } from '../../ground/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../ground/context/index.ts'
import type { Reader } from '../console-page/index.ts'
import {
  cookieJar,
  type Form,
  languageOf,
  newFormKeeper,
  openEnded,
  pageAnswers,
  strangersForm,
} from '../site/index.ts'

const jar = cookieJar('console')
const ended = openEnded()
const keeper = newFormKeeper('console')
const strangers = strangersForm('console')
const WAY_IN = 'way in'

type Cookie = { readonly tenantId: number; readonly token: string; readonly language: Language }

export const cookieOf = (house: House, { tenantId, token, language }: Cookie, expiresAt: Date): string =>
  jar.set(house, `${tenantId} ${token} ${language}`, expiresAt)

export const noCookie = jar.clear

/** Whether they were signed in once: nobody else has such a cookie. */
export const isKnown = (house: House, head: RequestHead): boolean => jar.read(house, head) !== null

/** Whose session the cookie holds, if there is one. */
export function tenantOfCookie(house: House, head: RequestHead): number | null {
  const content = jar.read(house, head)
  return content === null ? null : Number(content.split(' ')[0])
}

export type Visit = {
  readonly language: Language
  /** Null for whoever is not signed in. */
  readonly reader: Reader | null
  /** True where there was a cookie and it opens nothing any longer. */
  readonly ended: boolean
  /** A cookie to set: the language was changed. */
  readonly cookie: string | null
}

export async function visit(ctx: Context<AnyoneAsking>, head: RequestHead, lang?: string): Promise<Visit> {
  const asked = languageOf(lang, head.headers['accept-language'])
  const content = jar.read(ctx, head)
  if (content === null) return { language: asked, reader: null, ended: false, cookie: null }
  const [tenant = '', token = '', chosen] = content.split(' ')
  const cookie = { tenantId: Number(tenant), token }
  const session = ended.has(token) ? null : await findConsole(ctx, cookie, ctx.asking)
  if (session === null) {
    ended.add(token)
    return { language: asked, reader: null, ended: true, cookie: null }
  }
  const before = chosen === 'ka' ? 'ka' : 'en'
  const language = lang === undefined ? before : asked
  const own = { ...ctx, asking: session.asking }
  let waiting: ReturnType<Reader['waiting']> | undefined
  const reader: Reader = {
    ctx: own,
    waiting: () => (waiting ??= waitingNow(own)),
    session,
    language,
    formToken: keeper.token(ctx, session.hash),
  }
  const changed = language === before ? null : cookieOf(ctx, { ...cookie, language }, session.expiresAt)
  return { language, reader, ended: false, cookie: changed }
}

export const strangersToken = (house: Pick<House, 'keyring' | 'clock'>): string => strangers.token(house, WAY_IN)

export const isOurForm = (house: House, head: RequestHead, form: Form, reader: Reader | null): boolean =>
  reader === null ? strangers.isOurs(house, head, form, WAY_IN) : keeper.isOurs(house, head, form, reader.session.hash)

/** A logo may stand anywhere, and our pages ask nobody else for anything, so none is shown. The widget stands in a frame of ours. */
export const pageAnswer = pageAnswers({ images: 'data:', frames: true })

// The one cookie of a page. It is sealed, so that what it holds is of no use anywhere else, and nobody can make one.
import type { Language } from '@tether/contract'
import { openLink, sealLink } from '../../kernel/crypto/index.ts'
import type { RequestHead } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'

type Settings = House['settings']

export const isHttps = ({ http }: Settings): boolean => http.publicUrl.startsWith('https:')

const attributes = (settings: Settings): string =>
  `Path=/; HttpOnly; SameSite=Lax${isHttps(settings) ? '; Secure' : ''}`

const MOST_ENDED = 10_000

/** The tokens of sessions that have ended, the last ones that came. None lives again, so each is looked up once. */
function openEnded() {
  const ended = new Set<string>()
  return {
    has: (token: string): boolean => ended.has(token),
    add(token: string): void {
      const [oldest] = ended
      if (ended.size >= MOST_ENDED && oldest !== undefined) ended.delete(oldest)
      ended.add(token)
    },
  }
}

type CookieJar = {
  /** `keptMs` is for how much longer than its content the browser keeps it. */
  set(house: House, content: string, expiresAt: Date, keptMs?: number): string
  clear(house: Pick<House, 'settings'>): string
  read(house: House, head: Pick<RequestHead, 'headers'>): string | null
}

export function cookieJar(page: string): CookieJar {
  const purpose = `${page}.cookie`
  // Under https no other host can set it, whatever it shares with this one.
  const named = (settings: Settings): string => `${isHttps(settings) ? '__Host-' : ''}tether_${page}`
  return {
    set(house, content, expiresAt, keptMs = 0) {
      const until = expiresAt.getTime() + keptMs
      const value = sealLink(house.keyring, { purpose, id: content, expiresAt: until })
      const seconds = Math.max(0, Math.floor((until - house.clock.now()) / 1000))
      return `${named(house.settings)}=${value}; Max-Age=${seconds}; ${attributes(house.settings)}`
    },
    clear: ({ settings }) => `${named(settings)}=; Max-Age=0; ${attributes(settings)}`,
    read(house, { headers }) {
      const name = `${named(house.settings)}=`
      const sent = (headers.cookie ?? '').split(/;\s*/).filter((one) => one.startsWith(name))
      // Of two, one is somebody else's doing.
      if (sent.length !== 1) return null
      const opened = openLink(house.keyring, purpose, (sent[0] ?? '').slice(name.length), house.clock.now())
      return opened.ok ? opened.id : null
    },
  }
}

export type SessionInCookie = { readonly tenantId: number; readonly token: string; readonly language: Language }

/** The cookie of a page on which people are signed in. */
export function sessionCookie(page: string) {
  const jar = cookieJar(page)
  const ended = openEnded()
  function readCookie(house: House, head: RequestHead): SessionInCookie | null {
    const content = jar.read(house, head)
    if (content === null) return null
    const [tenant = '', token = '', language = ''] = content.split(' ')
    return { tenantId: Number(tenant), token, language: language === 'ka' ? 'ka' : 'en' }
  }
  return {
    ended,
    readCookie,
    cookieOf: (house: House, { tenantId, token, language }: SessionInCookie, expiresAt: Date): string =>
      jar.set(house, `${tenantId} ${token} ${language}`, expiresAt),
    noCookie: jar.clear,
    /** Whether this browser was signed in once: only the service can seal such a cookie. */
    isKnown: (house: House, head: RequestHead): boolean => jar.read(house, head) !== null,
    /** The workspace of the signed-in person. It does not query the database, so a session may have ended that is not known here yet. */
    signedInTo(house: House, head: RequestHead): number | null {
      const session = readCookie(house, head)
      return session === null || ended.has(session.token) ? null : session.tenantId
    },
  }
}

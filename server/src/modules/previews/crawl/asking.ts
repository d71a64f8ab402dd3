// One request after the other, within what a crawl may take: time, bytes, and what robots.txt allows.

import type { AnswerHeaders } from '../../../kernel/egress/index.ts'
import { decodeText } from '../webpages/index.ts'
import { ALL_ALLOWED, NONE_ALLOWED, type Robots, readRobots } from './robots/read-robots.ts'
import type { SiteLimits, SiteParts } from './site-reading.ts'

export type Answer = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: AnswerHeaders
  readonly type: string
  readonly body: Buffer
  readonly isCut: boolean
  readonly url: URL
}
export type NoAnswer = {
  readonly kind: 'robots' | 'address' | 'unreachable' | 'slow' | 'spent'
  readonly message: string
}

export type AskOptions = {
  readonly accept: string
  /** True for the first page: only there a redirect may lead to another host. */
  readonly mayMove?: boolean
  /** True for the first page, which everything waits for. */
  readonly isPatient?: boolean
}

export type Asking = {
  /** Follows redirects, each of which robots.txt must allow. */
  get(url: URL, options: AskOptions): Promise<Answer | NoAnswer>
  robotsOf(origin: string): Promise<RobotsAnswer>
  isOver(): boolean
  bytes(): number
  seconds(): number
}

export type RobotsAnswer = { readonly robots: Robots; readonly failed: NoAnswer | null }

const TOKEN = 'tetherpreview'
const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** RFC 9309 asks for at least this much. */
const ROBOTS_BYTES = 524_288
/** A page that drips must leave time for the others. */
const SHARE_OF_TIME = 3

type Sending = {
  readonly accept: string
  readonly mostBytes: number
  readonly redirects: number
  readonly isPatient: boolean
}

type Budget = Pick<Asking, 'isOver' | 'bytes' | 'seconds'> & {
  send(url: string, sending: Sending): Promise<Answer | NoAnswer>
}

export function openAsking(parts: SiteParts, limits: SiteLimits, signal: AbortSignal): Asking {
  const { send, isOver, bytes, seconds } = openBudget(parts, limits, signal)
  const robots = new Map<string, Promise<RobotsAnswer>>()
  const robotsOf = (origin: string): Promise<RobotsAnswer> => {
    const known = robots.get(origin) ?? readRobotsOf(origin, send)
    robots.set(origin, known)
    return known
  }
  return {
    robotsOf,
    isOver,
    bytes,
    seconds,
    async get(url, { accept, mayMove = false, isPatient = false }) {
      let at = url
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const { robots: rules, failed } = await robotsOf(at.origin)
        if (failed !== null) return failed
        if (!rules.allows(at.href)) return ROBOTS_REFUSE
        const answer = await send(at.href, { accept, mostBytes: limits.bytesPerPage, redirects: 0, isPatient })
        if (answer.kind !== 'answer' || !REDIRECTS.has(answer.status)) return answer
        const next = nextOf(answer, at)
        if (next === null || (!mayMove && next.host !== at.host)) return LEADS_AWAY
        at = next
      }
      return { kind: 'unreachable', message: `The site redirects more than ${MOST_REDIRECTS} times.` }
    },
  }
}

const ROBOTS_REFUSE: NoAnswer = { kind: 'robots', message: 'The robots.txt of the site does not allow this address.' }
const LEADS_AWAY: NoAnswer = { kind: 'unreachable', message: 'The address leads away from the site.' }
const USED_UP = 'The time or the bytes of this reading are used up.'

/** What is left of the time and of the bytes, and the one place that spends them. */
function openBudget(parts: SiteParts, limits: SiteLimits, signal: AbortSignal): Budget {
  const began = parts.clock.now()
  const agent = `TetherPreview/${parts.version} (+${parts.publicAddress})`
  let bytes = 0
  const left = (): number => limits.timeoutMs - (parts.clock.now() - began)
  const isOver = (): boolean => signal.aborted || left() <= 0 || bytes >= limits.totalBytes
  return {
    isOver,
    bytes: () => bytes,
    seconds: () => (parts.clock.now() - began) / 1000,
    async send(url, { accept, mostBytes, redirects, isPatient }) {
      if (isOver()) return { kind: left() <= 0 ? 'slow' : 'spent', message: USED_UP }
      const share = isPatient ? left() : limits.timeoutMs / SHARE_OF_TIME
      const result = await parts.egress.request({
        purpose: 'crawl',
        share: parts.share,
        url,
        method: 'GET',
        headers: { accept, 'user-agent': agent },
        deadlineMs: Math.max(1, Math.min(left(), share)),
        maxBytes: Math.max(1, Math.min(mostBytes, limits.totalBytes - bytes)),
        redirects,
        credentialed: false,
        cut: true,
        compressed: true,
        signal,
      })
      if (result.kind !== 'answer') return { kind: FAILED[result.kind] ?? 'unreachable', message: result.message }
      bytes += result.body.length
      const { status, headers, body, isCut } = result
      const type = [headers['content-type']].flat()[0] ?? ''
      return { kind: 'answer', status, headers, type, body, isCut, url: new URL(result.finalUrl) }
    },
  }
}

const FAILED: Readonly<Record<string, NoAnswer['kind']>> = { refused: 'address', timeout: 'slow', aborted: 'slow' }

async function readRobotsOf(origin: string, send: Budget['send']): Promise<RobotsAnswer> {
  const sending = {
    accept: 'text/plain,*/*;q=0.5',
    mostBytes: ROBOTS_BYTES,
    redirects: MOST_REDIRECTS,
    isPatient: true,
  }
  const answer = await send(`${origin}/robots.txt`, sending)
  // Whoever cannot be asked has not allowed anything.
  if (answer.kind !== 'answer') return { robots: NONE_ALLOWED, failed: answer }
  const { status, body } = answer
  if (status >= 200 && status < 300) {
    const text = decodeText(body, 'text/plain; charset=utf-8')
    return { robots: readRobots(text, TOKEN), failed: null }
  }
  return { robots: status >= 400 && status < 500 ? ALL_ALLOWED : NONE_ALLOWED, failed: null }
}

/** Where a redirect leads. From HTTPS to HTTP nobody follows, and a user name is nobody's. */
function nextOf({ headers }: Answer, from: URL): URL | null {
  const [location] = [headers.location].flat()
  const next = location === undefined ? null : URL.parse(Buffer.from(location, 'latin1').toString(), from.href)
  if (next === null || next.username !== '' || (from.protocol === 'https:' && next.protocol !== 'https:')) return null
  next.hash = ''
  return next
}

export const PAGES = 'text/html,application/xhtml+xml'

export const textOf = ({ body, type }: Answer): string => decodeText(body, type)

/** By its type, and where none is stated by how it begins. */
export const isPage = ({ type }: Answer, text: string): boolean =>
  type.trim() === ''
    ? /^\s{0,200}<(?:!doctype html|html|head|body|!--)/i.test(text)
    : /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)

import { type EgressResult, isIpAddress } from '../../kernel/egress/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { ownsPublishableKey } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { readOrigins } from './origins.ts'
import { allowsConnect, allowsScript, type ContentPolicy, parsePolicies, type ScriptTag } from './policy/allows.ts'
import type { PageFacts } from './read-page.ts'
import { scriptUrlOf } from './snippet.ts'

const MOST_REDIRECTS = 5
// A page has one element, or a few.
const MOST_ELEMENTS = 50

/** Checks a page as a visitor's browser would: is the widget there, and can it work? It only reads. */
export async function checkSite(ctx: Context, written: string, signal: AbortSignal) {
  const url = readSiteUrl(written)
  const sister = sisterOf(url)
  const [page, other, lists] = await Promise.all([
    look(ctx, url, signal),
    sister === null ? null : look(ctx, sister, signal),
    readOrigins(ctx),
  ])
  const standing = (origin: string, seen: EgressResult) => ({
    origin,
    serves: servesItself(origin, seen),
    registered: lists.origins.includes(origin),
    held: lists.held.includes(origin),
  })
  const final = new URL(page.finalUrl)
  const origins = [standing(final.origin, page)]
  const sisterOrigin = sister?.origin ?? final.origin
  if (other !== null && sisterOrigin !== final.origin) origins.push(standing(sisterOrigin, other))
  else if (url.origin !== final.origin) origins.push(standing(url.origin, page))
  if (page.kind !== 'answer') {
    const nothing = { element: false, script: false, key: 'missing' as const }
    const seen = { reachable: false, status: page.status ?? 0, error: page.message, snippet: nothing }
    return { url: url.href, finalUrl: final.href, ...seen, secretKeyOnPage: false, csp: null, origins }
  }
  // The first page loads the parser, so that a start does not wait for it.
  const { readPage } = await import('./read-page.ts')
  const facts = readPage(page.body.toString('utf8'))
  const isOwn = await ownsPublishableKey(ctx, ctx.asking.tenantId, facts.elementKeys.slice(0, MOST_ELEMENTS))
  return {
    url: url.href,
    reachable: true,
    status: page.status,
    finalUrl: final.href,
    error: page.isCut ? cutOff(ctx.settings.embed.checkMaxBytes) : null,
    ...found(facts, { final, endpoint: ctx.settings.http.publicUrl, isOwn, headers: policyHeaders(page) }),
    secretKeyOnPage: facts.hasSecretKey,
    origins,
  }
}

const cutOff = (most: number): string =>
  `The page is larger than ${most} bytes. Only its beginning was read and checked. Move the snippet up if it is not found.`

function readSiteUrl(written: string): URL {
  const url = /^https?:\/\//i.test(written.trim()) ? URL.parse(written.trim()) : null
  if (url !== null && url.username === '' && url.password === '' && written.length <= 2048) return url
  throw refuse(
    'invalid_site_url',
    'Give the address of a page with http:// or https://, without a user name or password.',
  )
}

/** The same site with or without `www.`, because visitors use both. */
function sisterOf(url: URL): URL | null {
  const { hostname } = url
  if (isIpAddress(hostname.replace(/^\[|\]$/g, '')) || !hostname.includes('.')) return null
  const sister = new URL(url)
  sister.hostname = hostname.startsWith('www.') ? hostname.slice(4) : `www.${hostname}`
  return sister
}

/** We fetch the page and its sister at the same time, so that the deadline covers both. */
const look = ({ egress, settings, asking }: Context, url: URL, signal: AbortSignal): Promise<EgressResult> =>
  egress.request({
    purpose: 'check',
    share: asking.tenantId,
    url: url.href,
    method: 'GET',
    headers: { accept: 'text/html,application/xhtml+xml' },
    deadlineMs: settings.embed.checkTimeoutSeconds * 1000,
    maxBytes: settings.embed.checkMaxBytes,
    redirects: MOST_REDIRECTS,
    credentialed: false,
    cut: true,
    compressed: true,
    plainHttp: true,
    signal,
  })

/** True if a visitor of this origin stays on it and sees a page. */
const servesItself = (origin: string, seen: EgressResult): boolean =>
  seen.kind === 'answer' && seen.status >= 200 && seen.status < 300 && new URL(seen.finalUrl).origin === origin

function policyHeaders({ headers }: Extract<EgressResult, { kind: 'answer' }>): ContentPolicy[] {
  return [headers['content-security-policy'] ?? []].flat().flatMap(parsePolicies)
}

type PageContext = {
  readonly final: URL
  readonly endpoint: string
  /** True if one of the page's elements has a live key of the workspace. */
  readonly isOwn: boolean
  readonly headers: readonly ContentPolicy[]
}

const UNMARKED: ScriptTag = { nonce: null, integrity: null }

function found(facts: PageFacts, { final, endpoint, isOwn, headers }: PageContext) {
  const base = (facts.base === null ? null : URL.parse(facts.base, final.href)) ?? final
  const wanted = new URL(scriptUrlOf(endpoint))
  const script = facts.scripts.find(({ src }) => isOurScript(URL.parse(src, base.href), wanted))
  const [first] = facts.elementKeys
  const owned = isOwn ? 'this_workspace' : 'other'
  const policies = [...headers, ...facts.policies.flatMap(parsePolicies).map(withoutSandbox)]
  return {
    snippet: {
      element: first !== undefined,
      script: script !== undefined,
      key: first === undefined || first === '' ? ('missing' as const) : (owned as 'this_workspace' | 'other'),
    },
    csp:
      policies.length === 0
        ? null
        : {
            scriptAllowed: policies.every((policy) => allowsScript(policy, wanted, final, script ?? UNMARKED)),
            connectAllowed: policies.every((policy) =>
              allowsConnect(policy, new URL(`${endpoint}/v1/chat/stream`), final),
            ),
          },
  }
}

/** True for the script of the snippet, and for the copy whose name contains its own digest. */
const isOurScript = (url: URL | null, wanted: URL): boolean =>
  url !== null && url.origin === wanted.origin && /^\/widget\/service-assistant(?:[.-][\w-]+)?\.js$/.test(url.pathname)

/** A sandbox has no effect in a `meta` element. */
const withoutSandbox = (policy: ContentPolicy): ContentPolicy =>
  new Map([...policy].filter(([name]) => name !== 'sandbox'))

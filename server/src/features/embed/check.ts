import type { EgressAnswer } from '../../foundation/egress/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { findWidgetPrefix } from '../../ground/access/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { connectAllowed, type Policy, readPolicies, scriptAllowed } from './csp.ts'
import { SCRIPT_PATH } from './embed.ts'
import { listOrigins } from './origins.ts'
import { carriesSecret, type PageReading, readPage } from './page.ts'

const REDIRECTS = 5

type Landing =
  | { readonly reached: true; readonly status: number; readonly finalUrl: string; readonly answer: EgressAnswer }
  | {
      readonly reached: false
      readonly status: number | null
      readonly finalUrl: string | null
      readonly error: string
    }

/** Reads the page and its sibling (with or without `www.`) within one budget of time, and changes nothing. */
export async function checkSite(ctx: Context, given: string) {
  const url = readAddress(given)
  const { checkTimeoutSeconds } = ctx.settings.embed
  const until = performance.now() + checkTimeoutSeconds * 1000
  const sibling = siblingOf(url)
  const [landing, other, registered, prefix] = await Promise.all([
    land(ctx, url.href, until),
    sibling === undefined ? undefined : land(ctx, sibling, until),
    listOrigins(ctx),
    findWidgetPrefix(ctx, ctx.asking.tenantId),
  ])
  const html = landing.reached ? landing.answer.body.toString('utf8') : ''
  const page = readPage(html, SCRIPT_PATH)
  return {
    url: given,
    reachable: landing.reached,
    status: landing.status,
    finalUrl: landing.finalUrl,
    error: landing.reached ? null : landing.error,
    snippet: { element: page.element, script: page.script !== undefined, key: whose(page, prefix) },
    secretKeyOnPage: carriesSecret(html),
    csp: landing.reached ? cspOf(ctx, landing, page) : null,
    origins: originsOf([landing, other], registered),
  }
}

function readAddress(given: string): URL {
  const url = URL.parse(given.trim())
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw refuse('invalid_site_url', 'Send the http or https address of a page, without a user name.')
  }
  url.hash = ''
  return url
}

/** `www.` added or taken away; an address of numbers has no sibling. */
function siblingOf(url: URL): string | undefined {
  if (!url.hostname.includes('.') || /^[\d.]+$|^\[/.test(url.hostname)) return undefined
  const sibling = new URL(url)
  sibling.hostname = url.hostname.startsWith('www.') ? url.hostname.slice(4) : `www.${url.hostname}`
  return sibling.href
}

async function land(ctx: Context, url: string, until: number): Promise<Landing> {
  const result = await ctx.egress.request({
    purpose: 'site',
    url,
    method: 'GET',
    headers: { accept: 'text/html, */*;q=0.1' },
    deadlineMs: Math.max(1, until - performance.now()),
    maxBytes: ctx.settings.embed.checkMaxBytes,
    redirects: REDIRECTS,
    credentialed: false,
    compressed: true,
    plainHttp: true,
  })
  const { finalUrl, status } = result
  if (result.kind === 'answer') return { reached: true, status: result.status, finalUrl, answer: result }
  return { reached: false, status, finalUrl, error: result.message }
}

function whose({ keys }: PageReading, prefix: string | undefined): 'this_workspace' | 'other' | 'missing' {
  const [key] = keys
  if (key === undefined) return 'missing'
  return prefix !== undefined && key.startsWith(prefix) ? 'this_workspace' : 'other'
}

function cspOf(ctx: Context, { answer, finalUrl }: Landing & { reached: true }, page: PageReading) {
  const header = answer.headers['content-security-policy']
  const policies: Policy[] = [
    ...[header ?? []].flat().flatMap((text) => readPolicies(text, false)),
    ...page.metaPolicies.flatMap((text) => readPolicies(text, true)),
  ]
  if (policies.length === 0) return null
  const endpoint = ctx.settings.http.publicUrl.replace(/\/+$/, '')
  return {
    scriptAllowed: scriptAllowed(policies, endpoint + SCRIPT_PATH, finalUrl, page.script ?? {}),
    connectAllowed: connectAllowed(policies, `${endpoint}/v1/chat/stream`, finalUrl),
  }
}

/** Where the two addresses end up: an origin that serves the page but is not registered is why a widget stays silent. */
function originsOf(
  landings: readonly (Landing | undefined)[],
  { origins, held }: { origins: string[]; held: string[] },
) {
  const found = new Map<string, boolean>()
  for (const landing of landings) {
    if (landing?.finalUrl === undefined || landing.finalUrl === null) continue
    const { origin } = new URL(landing.finalUrl)
    found.set(origin, (found.get(origin) ?? false) || (landing.reached && landing.status < 400))
  }
  return [...found].map(([origin, serves]) => ({
    origin,
    serves,
    registered: origins.includes(origin),
    held: held.includes(origin),
  }))
}

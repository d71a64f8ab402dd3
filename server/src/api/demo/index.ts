// The demo of Development: the page of a pretend shop, with the widget. Production never has it.

import { readFileSync } from 'node:fs'
import type { Language } from '@tether/contract'
import { z } from 'zod'
import type { Answer, RequestHead } from '../../kernel/http/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { type Demo, shopPage } from './shop-page.ts'

export type { Demo }

type Headers = RequestHead['headers']

const here = { reach: ANYONE, lane: 'none', group: 'Demo', unlisted: true } as const
const DemoPageQuery = z.object({ lang: z.string().max(35).optional() })

/** The language that was asked for, else the one that this browser read before, else the one that it prefers. */
function demoLanguage(
  asked: string | undefined,
  { cookie = '', 'accept-language': preferred = '' }: Headers,
): Language {
  const before = /(?:^|; )demo-language=(ka|en)\b/.exec(cookie)?.[1]
  return /^ka\b/i.test(asked ?? before ?? preferred) ? 'ka' : 'en'
}

/**
 * The address of the service for a page of this host: always under another name of this machine, because a browser names no origin
 * to the site that a page itself comes from.
 */
function serviceFor({ host = '' }: Headers, { url }: Demo): string {
  const service = new URL(url)
  if (host.replace(/:\d+$/, '') === service.hostname)
    service.hostname = service.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return service.origin
}

const contentPolicy = (service: string): string =>
  `default-src 'none'; script-src 'self' ${service}; style-src 'self'; connect-src 'self' ${service}; img-src 'self' data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** We call `running` late, because the demo opens only when the service listens. */
export function demoRoutes(running: () => Demo | undefined): readonly Route[] {
  const demo = (): Demo => {
    const open = running()
    if (open === undefined) throw refuse('not_found', 'The demo is not open yet. Try again in a moment.')
    return open
  }
  return [
    route({
      ...here,
      method: 'GET',
      path: '/demo',
      onFrontPage: { order: 2, en: 'A pretend shop to try it with', ka: 'სავარჯიშო მაღაზია' },
      summary: 'A shop page with the widget',
      query: DemoPageQuery,
      answers: { 200: { text: 'text/html' } },
      errors: ['not_found'],
      handle: async (_, { query, head: { headers } }) => {
        const language = demoLanguage(query.lang, headers)
        const service = serviceFor(headers, demo())
        return {
          ...text('text/html', shopPage(demo(), { language, service }).text),
          headers: {
            'content-security-policy': contentPolicy(service),
            'set-cookie': `demo-language=${language}; Path=/demo; SameSite=Strict; HttpOnly`,
            vary: 'cookie, accept-language',
          },
        }
      },
    }),
    asset('demo.css', 'text/css'),
    asset('shop.js', 'text/javascript'),
    route({
      ...here,
      method: 'GET',
      path: '/demo/customer-token',
      summary: 'The customer token of whoever is signed in to the shop',
      answers: { 200: { text: 'text/plain' } },
      errors: ['insufficient_scope', 'not_found'],
      handle: async (_, { head }) => {
        fromOwnPage(head)
        return text('text/plain', await demo().customerToken())
      },
    }),
  ]
}

/** The shop has no real sign-in, so only a page of this machine gets a token of its customer. */
function fromOwnPage({ headers }: RequestHead): void {
  // A foreign name that points to this machine would count as the same origin, so we check the name as well.
  const isThisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  if (isThisMachine && headers['sec-fetch-site'] === 'same-origin') return
  throw refuse('insufficient_scope', 'Only the demo’s own page may call this. Open /demo in a browser.')
}

const text = (type: string, content: string): Answer => ({
  status: 200,
  text: { type: `${type}; charset=utf-8`, content },
})

const asset = (name: string, type: string): Route =>
  route({
    ...here,
    method: 'GET',
    path: `/demo/${name}`,
    summary: 'A file of the demo’s page',
    answers: { 200: { text: type } },
    handle: async () => text(type, readFileSync(new URL(name, import.meta.url), 'utf8')),
  })

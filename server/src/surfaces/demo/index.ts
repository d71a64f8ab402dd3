// The demo of Development: a shop page with the widget, and a desk where a person decides. Production never has it.

import { readFileSync } from 'node:fs'
import type { Language } from '@tether/contract'
import { z } from 'zod'
import type { Answer, RequestHead } from '../../foundation/http/index.ts'
import { refuse } from '../../foundation/http/index.ts'
import { ANYONE, type Route, route } from '../../ground/access/index.ts'
import { DECISIONS, type Decision, DecisionAnswer, type Demo, DeskState } from './demo.ts'
import { deskPage } from './desk-page.ts'
import { shopPage } from './shop-page.ts'

export type { Decision, Demo, DeskState }

type Headers = RequestHead['headers']

const here = { reach: ANYONE, lane: 'none', group: 'Demo', unlisted: true } as const
const ownPage = ['insufficient_scope', 'not_found'] as const
const DemoPageQuery = z.object({ lang: z.string().max(35).optional() })
const DecisionBody = z.object({
  actionId: z.string().max(100),
  decision: z.enum(DECISIONS),
  payloadHash: z.string().max(64),
})

/** The language that was asked for, else the one that this browser read before, else the one that it prefers. */
function demoLanguage(
  asked: string | undefined,
  { cookie = '', 'accept-language': preferred = '' }: Headers,
): Language {
  const before = /(?:^|; )demo-language=(ka|en)\b/.exec(cookie)?.[1]
  return /^ka\b/i.test(asked ?? before ?? preferred) ? 'ka' : 'en'
}

const contentPolicy = (endpoint: string): string =>
  `default-src 'none'; script-src 'self' ${endpoint}; style-src 'self'; connect-src 'self' ${endpoint}; img-src 'self' data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const pageHeaders = ({ endpoint }: Demo, language: Language): Record<string, string> => ({
  'content-security-policy': contentPolicy(endpoint),
  'set-cookie': `demo-language=${language}; Path=/demo; SameSite=Strict; HttpOnly`,
  vary: 'cookie, accept-language',
})

/** We call `running` late, because the demo opens only when the service listens. */
export function demoRoutes(running: () => Demo | undefined): readonly Route[] {
  const demo = (): Demo => {
    const open = running()
    if (open === undefined) throw refuse('not_found', 'The demo is not open yet. Try again in a moment.')
    return open
  }
  const page = (path: `/${string}`, summary: string, write: (demo: Demo, language: Language) => { text: string }) =>
    route({
      ...here,
      method: 'GET',
      path,
      summary,
      query: DemoPageQuery,
      answers: { 200: { text: 'text/html' } },
      errors: ['not_found'],
      handle: async (_, { query, head }) => {
        const language = demoLanguage(query.lang, head.headers)
        return {
          ...text('text/html', write(demo(), language).text),
          headers: pageHeaders(demo(), language),
        }
      },
    })
  return [
    page('/demo', 'A shop page with the widget', shopPage),
    page('/demo/desk', 'The desk, where a person decides', deskPage),
    asset('demo.css', 'text/css'),
    asset('shop.js', 'text/javascript'),
    asset('desk.js', 'text/javascript'),
    route({
      ...here,
      method: 'GET',
      path: '/demo/customer-token',
      summary: 'The customer token of whoever is signed in to the shop',
      answers: { 200: { text: 'text/plain' } },
      errors: ownPage,
      handle: async (_, { head }) => {
        fromOwnPage(head)
        return text('text/plain', await demo().customerToken())
      },
    }),
    route({
      ...here,
      method: 'GET',
      path: '/demo/desk/state',
      summary: 'The waiting actions and the audit trail',
      answers: { 200: { schema: DeskState } },
      errors: ownPage,
      handle: async (_, { head }) => {
        fromOwnPage(head)
        return { status: 200, body: await demo().desk() }
      },
    }),
    route({
      ...here,
      method: 'POST',
      path: '/demo/desk/decisions',
      summary: 'A person decides',
      body: DecisionBody,
      answers: { 200: { schema: DecisionAnswer } },
      errors: ownPage,
      handle: async (_, { body, head }) => {
        fromOwnPage(head)
        return { status: 200, body: await demo().decide(body.actionId, body.decision, body.payloadHash) }
      },
    }),
  ]
}

/** The desk has no sign-in, so only a page of this machine may press its buttons. */
function fromOwnPage({ headers }: RequestHead): void {
  // A foreign name that points to this machine would count as the same origin, so we check the name as well.
  const isThisMachine = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '')
  if (isThisMachine && headers['sec-fetch-site'] === 'same-origin') return
  throw refuse('insufficient_scope', 'Only the demo’s own page may call this. Open /demo/desk in a browser.')
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
    summary: 'A file of the demo’s pages',
    answers: { 200: { text: type } },
    handle: async () => text(type, readFileSync(new URL(name, import.meta.url), 'utf8')),
  })

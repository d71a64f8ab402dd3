// The pages that mailed links open. Nothing acts on GET: a scanner that follows every link changes nothing.

import { readFileSync } from 'node:fs'
import type { Language } from '@tether/contract'
import { z } from 'zod'
import type { Answer } from '../../foundation/http/index.ts'
import { ANYONE, type Route, route } from '../../ground/access/index.ts'
import { linkPage } from './link-page.ts'
import type { Purpose } from './words.ts'

const here = { reach: ANYONE, lane: 'none', group: 'Pages', method: 'GET' } as const
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const Asked = z.object({
  lang: z.string().max(35).optional().meta({ description: '`ka` or `en`; unset, what the browser prefers.' }),
})

const text = (type: string, content: string): Answer => ({
  status: 200,
  headers: { 'content-security-policy': POLICY },
  text: { type: `${type}; charset=utf-8`, content },
})

/** What was asked for, else the first of the two that the browser names. */
function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  if (asked !== undefined) return /^ka\b/i.test(asked) ? 'ka' : 'en'
  const first = (accepted ?? '').slice(0, 200).match(/\b(ka|en)\b/i)?.[1]
  return first?.toLowerCase() === 'ka' ? 'ka' : 'en'
}

const page = (purpose: Purpose, summary: string): Route =>
  route({
    ...here,
    path: `/account/${purpose}`,
    summary,
    query: Asked,
    answers: { 200: { text: 'text/html' } },
    handle: async (_, { query, head }) =>
      text('text/html', linkPage(purpose, languageOf(query.lang, head.headers['accept-language'])).text),
  })

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const asset = (name: string, type: string): Route =>
  route({
    ...here,
    unlisted: true,
    path: `/account/${name}`,
    summary: 'Part of those pages',
    answers: { 200: { text: type } },
    handle: async () => text(type, read(`./${name}`)),
  })

export const pageRoutes: readonly Route[] = [
  page('confirm', 'The page of a confirmation link: one button'),
  page('recover', 'The page of a recovery link: one button'),
  asset('link.js', 'text/javascript'),
  asset('link.css', 'text/css'),
]

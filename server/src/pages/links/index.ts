// The pages that mailed links open. A GET changes nothing, so a scanner that follows every link does no harm.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { styleSheet } from '../../kernel/html/index.ts'
import { type Answer, openPackedTexts, type PackedTexts, packedAnswer } from '../../kernel/http/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { languageOf } from '../kit/index.ts'
import { frontLinks, frontPage } from './front-page.ts'
import { linkPage } from './link-page.ts'
import type { PagePurpose } from './words.ts'

const PURPOSES: readonly PagePurpose[] = ['confirm', 'recover', 'verify']
const here = { reach: ANYONE, lane: 'none', group: 'Pages', method: 'GET' } as const
const LINK_PAGE_CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const token = z.string().optional().meta({
  description:
    'The token of the mailed link, if `Signup:VerifyUrl` names this page. Only the script of the page reads it.',
})
const LinkPageQuery = z.object({
  lang: z
    .string()
    .max(35)
    .optional()
    .meta({ description: '`ka` or `en`. The default is the language that the browser prefers.' }),
  confirm: token,
  recover: token,
  verify: token,
})

const text = (type: string, content: string): Answer => ({
  status: 200,
  headers: { 'content-security-policy': LINK_PAGE_CONTENT_POLICY },
  text: { type: `${type}; charset=utf-8`, content },
})

const page = (purpose: PagePurpose, summary: string): Route =>
  route({
    ...here,
    path: `/account/${purpose}`,
    headers: ['Accept-Language'],
    summary,
    query: LinkPageQuery,
    answers: { 200: { text: 'text/html' } },
    handle: async (_, { query, head }) => {
      // `Signup:VerifyUrl` names one page, and every link opens that one.
      const meant = query[purpose] === undefined ? PURPOSES.find((one) => query[one] !== undefined) : undefined
      const language = languageOf(query.lang, head.headers['accept-language'])
      return text('text/html', linkPage(meant ?? purpose, language).text)
    },
  })

const read = (name: string): string => {
  const file = new URL(name, import.meta.url)
  return name.endsWith('.css') ? styleSheet(file) : readFileSync(file, 'utf8')
}

const asset = (kept: PackedTexts, name: string, type: string): Route =>
  route({
    ...here,
    unlisted: true,
    path: `/account/${name}`,
    summary: 'A file of the link pages',
    answers: { 200: { text: type }, 304: { text: type } },
    handle: async (_ctx, { head }) =>
      packedAnswer(await kept(name, `${type}; charset=utf-8`, () => read(`./${name}`)), head.headers),
  })

/** Only for a browser that opens the address: a program that asks for "/" has lost its way, and is told so. */
const front = (all: () => readonly Route[]): Route =>
  route({
    ...here,
    unlisted: true,
    path: '/',
    serves: ({ headers }) => /\btext\/html\b/i.test(headers.accept ?? ''),
    summary: 'What this is, and its addresses',
    query: LinkPageQuery,
    answers: { 200: { text: 'text/html' } },
    errors: ['missing_api_key', 'invalid_api_key', 'not_found', 'rate_limited', 'database_unavailable'],
    handle: async ({ settings }, { query, head }) => {
      const language = languageOf(query.lang, head.headers['accept-language'])
      return text('text/html', frontPage(language, frontLinks(all(), settings, language)).text)
    },
  })

export const pageRoutes = (all: () => readonly Route[], kept = openPackedTexts()): readonly Route[] => [
  front(all),
  page('confirm', 'The page that a confirmation link opens'),
  page('recover', 'The page that a recovery link opens'),
  page('verify', 'The page that the link of a claimed sandbox opens'),
  asset(kept, 'link.js', 'text/javascript'),
  asset(kept, 'link.css', 'text/css'),
]

// The documents as a small site: each page of `docs/` as HTML and as Markdown, and a search that asks nobody else.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { styleSheet } from '../../kernel/html/index.ts'
import { type Answer, openPackedTexts, packedAnswer, type RequestHead, refuse } from '../../kernel/http/index.ts'
import { once } from '../../kernel/memo/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { readImage } from './shelf.ts'
import type { Site } from './site.ts'

const here = { reach: ANYONE, lane: 'none', group: 'Documents', method: 'GET' } as const
const part = { ...here, unlisted: true } as const
const DOCS_CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const CURRENT = 'Your copy is current.'
const name = z.string().max(100)
const MARKDOWN = '.md'
const TYPES = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
}
const PAGE_ANSWERS = {
  200: { text: 'text/html' },
  304: { text: 'text/html', description: CURRENT },
  404: { text: 'text/html', description: 'There is no such page.' },
} as const

const asHtml = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'content-security-policy': DOCS_CONTENT_POLICY },
})

/** What one service keeps of the documents. The reader of Markdown is loaded with the first request for a page. */
const openDocs = () => ({
  site: once(async (): Promise<Site> => (await import('./site.ts')).openSite()),
  packed: openPackedTexts(),
})
type Docs = ReturnType<typeof openDocs>

const answerOnce = async (
  { packed }: Docs,
  address: string,
  type: string,
  make: () => string | Buffer | Promise<string>,
  { headers }: Pick<RequestHead, 'headers'>,
): Promise<Answer> => packedAnswer(await packed(address, type, make), headers)

async function pageAt(docs: Docs, address: string, head: RequestHead): Promise<Answer> {
  const { at, html, notFound } = await docs.site()
  const asMarkdown = address.endsWith(MARKDOWN)
  const page = at(asMarkdown ? address.slice(0, -MARKDOWN.length) : address)
  if (page !== undefined) {
    if (asMarkdown) return answerOnce(docs, address, TYPES.markdown, () => page.markdown, head)
    return asHtml(await answerOnce(docs, address, TYPES.html, () => html(page), head))
  }
  if (asMarkdown) throw refuse('not_found', 'There is no such page. GET /llms.txt lists them all.')
  const nowhere = address.split('/').length > 3 ? '/docs/-/-' : '/docs/-'
  const headers = { ...head.headers, 'if-none-match': undefined }
  const answer = asHtml(await answerOnce(docs, nowhere, TYPES.html, () => notFound(nowhere), { headers }))
  return { ...answer, status: 404 }
}

const SearchQuery = z.object({
  q: z.string().max(200).optional().meta({ description: 'Words that must all be in the place that is found.' }),
})

const search = ({ site }: Docs) =>
  route({
    ...here,
    path: '/docs/search',
    headers: ['Accept'],
    summary: 'Searches the documents',
    description: 'A page, or with `Accept: application/json` its results, the best first.',
    query: SearchQuery,
    answers: { 200: { text: 'text/html' } },
    handle: async (_ctx, { query: { q = '' }, head }) => {
      const { search: find, searchPage } = await site()
      if (/\bapplication\/json\b/i.test(head.headers.accept ?? ''))
        return { status: 200, headers: VARY, body: { found: (await find(q)).found } }
      return asHtml({ status: 200, headers: VARY, text: { type: TYPES.html, content: await searchPage(q) } })
    },
  })
const VARY = { vary: 'accept' }

const source = ({ site }: Docs) =>
  route({
    ...part,
    path: '/docs/source',
    summary: 'A file that a page links to, as it stands in the repository',
    query: z.object({ file: z.string().max(300) }),
    answers: { 200: { text: 'text/plain' } },
    errors: ['not_found'],
    handle: async (_ctx, { query: { file } }) => {
      const content = await (await site()).source(file)
      if (content === null) throw refuse('not_found', 'No page links to this file, so it is not served here.')
      return { status: 200, text: { type: TYPES.plain, content } }
    },
  })

const asset = (docs: Docs, file: 'docs.css' | 'docs.js', type: string): Route =>
  route({
    ...part,
    path: `/docs/${file}`,
    summary: 'A file of the documents',
    answers: { 200: { text: type }, 304: { text: type } },
    handle: (_ctx, { head }) => {
      const at = new URL(file, import.meta.url)
      const read = () => (file.endsWith('.css') ? styleSheet(at) : readFileSync(at, 'utf8'))
      return answerOnce(docs, `/docs/${file}`, `${type}; charset=utf-8`, read, head)
    },
  })

const picture = (docs: Docs) =>
  route({
    ...part,
    path: '/docs/demo.png',
    summary: 'The picture of the first page',
    answers: { 200: { text: 'image/png' }, 304: { text: 'image/png' } },
    handle: async (_ctx, { head }) => {
      const answer = await answerOnce(docs, '/docs/demo.png', 'image/png', () => readImage('docs/demo.png'), head)
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=3600' } }
    },
  })

/** For programs that read: `url` is where this deployment is reached. */
const texts = (docs: Docs, url: string): readonly Route[] => [
  route({
    ...here,
    path: '/llms.txt',
    summary: 'The list of the documents, for a language model',
    answers: { 200: { text: 'text/plain' }, 304: { text: 'text/plain', description: CURRENT } },
    handle: async (_ctx, { head }) => {
      const { llms } = await docs.site()
      return answerOnce(docs, `${url}/llms.txt`, TYPES.plain, () => llms(url), head)
    },
  }),
  route({
    ...here,
    path: '/llms-full.txt',
    summary: 'All documents that an integrator needs, in one text',
    answers: { 200: { text: 'text/plain' }, 304: { text: 'text/plain', description: CURRENT } },
    handle: async (_ctx, { head }) => {
      const { llmsFull } = await docs.site()
      return answerOnce(docs, `${url}/llms-full.txt`, TYPES.plain, () => llmsFull(url), head)
    },
  }),
]

export function docsRoutes(url: string): readonly Route[] {
  const docs = openDocs()
  return [
    route({
      ...here,
      path: '/docs',
      onFrontPage: { order: 3, en: 'The documents', ka: 'დოკუმენტაცია (ინგლისურად)' },
      summary: 'The documents',
      description: 'The first of the pages. Each is also there as Markdown, with `.md` at the end of its address.',
      answers: PAGE_ANSWERS,
      handle: (_ctx, { head }) => pageAt(docs, '/docs', head),
    }),
    route({
      ...part,
      path: '/docs.md',
      summary: 'The first page as Markdown',
      answers: { 200: { text: 'text/markdown' }, 304: { text: 'text/markdown', description: CURRENT } },
      handle: (_ctx, { head }) => pageAt(docs, '/docs.md', head),
    }),
    search(docs),
    source(docs),
    picture(docs),
    asset(docs, 'docs.css', 'text/css'),
    asset(docs, 'docs.js', 'text/javascript'),
    ...texts(docs, url),
    route({
      ...here,
      path: '/docs/:page',
      summary: 'A page of the documents',
      params: z.object({ page: name }),
      example: { params: { page: 'actions' } },
      answers: PAGE_ANSWERS,
      errors: ['not_found'],
      handle: (_ctx, { params: { page }, head }) => pageAt(docs, `/docs/${page}`, head),
    }),
    route({
      ...here,
      path: '/docs/:folder/:page',
      summary: 'A page in a folder of the documents',
      params: z.object({ folder: name, page: name }),
      example: { params: { folder: 'reference', page: 'errors' } },
      answers: PAGE_ANSWERS,
      errors: ['not_found'],
      handle: (_ctx, { params: { folder, page }, head }) => pageAt(docs, `/docs/${folder}/${page}`, head),
    }),
  ]
}

/** The files of the repository that the site is made of. */
export const docsFiles = async (): Promise<readonly string[]> => (await openDocs().site()).files

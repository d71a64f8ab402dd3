import { readFileSync } from 'node:fs'
import { openPackedTexts, packedAnswer } from '../../kernel/http/index.ts'
import { once } from '../../kernel/memo/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import { openApiDocument } from './document.ts'
import { referencePage } from './page.ts'

export { errorsOf, type OpenApiDocument, type Operation, openApiDocument } from './document.ts'

const here = { reach: ANYONE, lane: 'none', group: 'Reference', method: 'GET' } as const
const REFERENCE_CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const CURRENT = 'Your copy is current.'

/** The reference and its page. We call `all` late, because these routes are part of what they describe. */
export function referenceRoutes(all: () => readonly Route[], info: { version: string; url: string }): readonly Route[] {
  const document = once(() => openApiDocument(all(), info))
  const kept = openPackedTexts()
  const json = () => kept('json', 'application/json; charset=utf-8', () => JSON.stringify(document()))
  const page = () => kept('page', 'text/html; charset=utf-8', () => referencePage(document()).text)
  const style = () =>
    kept('style', 'text/css; charset=utf-8', () => readFileSync(new URL('./style.css', import.meta.url), 'utf8'))
  return [
    route({
      ...here,
      path: '/openapi',
      onFrontPage: { order: 6, en: 'The same as OpenAPI 3.1, in JSON', ka: 'იგივე OpenAPI 3.1-ის სახით, JSON' },
      summary: 'This reference as OpenAPI 3.1',
      answers: { 200: { text: 'application/json' }, 304: { text: 'application/json', description: CURRENT } },
      handle: async (_ctx, { head }) => packedAnswer(await json(), head.headers),
    }),
    route({
      ...here,
      path: '/swagger',
      onFrontPage: { order: 5, en: 'The reference of the API', ka: 'API-ის ცნობარი' },
      summary: 'This reference as a page',
      answers: { 200: { text: 'text/html' }, 304: { text: 'text/html', description: CURRENT } },
      handle: async (_ctx, { head }) => {
        const answer = packedAnswer(await page(), head.headers)
        return { ...answer, headers: { ...answer.headers, 'content-security-policy': REFERENCE_CONTENT_POLICY } }
      },
    }),
    route({
      ...here,
      unlisted: true,
      path: '/swagger/style.css',
      summary: 'The style sheet of that page',
      answers: { 200: { text: 'text/css' }, 304: { text: 'text/css' } },
      handle: async (_ctx, { head }) => packedAnswer(await style(), head.headers),
    }),
  ]
}

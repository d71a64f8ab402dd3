import { readFileSync } from 'node:fs'
import { styleSheet } from '../../kernel/html/index.ts'
import { openPackedTexts, packedAnswer } from '../../kernel/http/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'

/** Where the style and the script of a page are served. */
export type Assets = { readonly css: string; readonly js: string }

/** The files of a page in `folder`, each after what all pages of its sort share. */
export function assetRoutes(
  folder: string,
  name: string,
  path: `/${string}`,
  signedInTo?: Route['signedInTo'],
): readonly Route[] {
  const [own, shared] = [new URL(`${name}.css`, folder), new URL('./page.css', import.meta.url)]
  const scripts = [new URL('./page.js', import.meta.url), new URL(`${name}.js`, folder)]
  return [
    asset(`${path}/${name}.css`, 'text/css', () => styleSheet(shared, own), signedInTo),
    asset(
      `${path}/${name}.js`,
      'text/javascript',
      () => scripts.map((file) => readFileSync(file, 'utf8')).join('\n'),
      signedInTo,
    ),
  ]
}

/** One fixed file of a page: read and compressed for the first request. */
export function asset(path: `/${string}`, type: string, read: () => string, signedInTo?: Route['signedInTo']): Route {
  const kept = openPackedTexts()
  return route({
    reach: ANYONE,
    group: 'Pages',
    unlisted: true,
    signedInTo,
    lane: 'none',
    method: 'GET',
    path,
    summary: 'A file of the page',
    answers: { 200: { text: type }, 304: { text: type } },
    handle: async (_ctx, { head }) => {
      const answer = packedAnswer(await kept(path, `${type}; charset=utf-8`, read), head.headers)
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'private, max-age=300' } }
    },
  })
}

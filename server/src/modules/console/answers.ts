// What the routes of the console have in common: who may come, and the pages that they answer with.

import { z } from 'zod'
import { html } from '../../kernel/html/index.ts'
import type { Answer } from '../../kernel/http/index.ts'
import { member } from '../../kernel/json/index.ts'
import { type Asked, alone, framed, type Page, type Reader, WORDS } from '../../pages/console-kit/index.ts'
import { Fields } from '../../pages/kit/index.ts'
import { ANYONE } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context } from '../../tenancy/context/index.ts'
import { countsOf } from './pages.ts'
import { noCookie, pageAnswer, signedInTo, type Visit } from './visit.ts'
import { firstLook, type WayInState, wayInPage } from './way-in.ts'

export type Ctx = Context<AnyoneAsking>

export const here = { reach: ANYONE, group: 'Pages', unlisted: true, signedInTo } as const
export const PAGE = { text: 'text/html' } as const
export const PAGES = {
  200: PAGE,
  303: {},
  400: PAGE,
  401: PAGE,
  403: PAGE,
  404: PAGE,
  409: PAGE,
  410: PAGE,
  413: PAGE,
  429: PAGE,
  503: PAGE,
} as const
export const text = z.string().max(4096).optional()
export const anyParams = z.record(z.string(), z.string().max(200))

export function wayIn(
  ctx: Ctx,
  { language, ended }: Visit,
  more: Partial<WayInState> & { status?: number } = {},
): Answer {
  const { status = 200, ...state } = more
  const page = wayInPage(ctx, language, { ...firstLook, refused: ended === null ? null : 'ended', ...state })
  return pageAnswer({ html: page, status, cookie: ended === null ? null : noCookie(ctx) })
}

export const messagePage = ({ language }: Visit, words: string, status: number): Answer => {
  const { console: title, back } = WORDS[language]
  const body = html`<h1>${title}</h1><p class="note bad" role="alert">${words}</p><p><a href="/console">${back}</a></p>`
  return pageAnswer({ html: alone(language, title, body, '/console'), status })
}

/** Where the page is, with what stands in its path. */
export const placeOf = (page: Page, params: Readonly<Record<string, string>>): string =>
  page.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(member(params, name) ?? ''))

type Extra = { readonly cookie?: string | null; readonly status?: number; readonly once?: boolean }

export async function render(
  reader: Reader,
  pages: readonly Page[],
  page: Page,
  asked: Asked,
  extra: Extra = {},
): Promise<Answer> {
  const [shown, counts] = await Promise.all([page.show(reader, asked), countsOf(reader)])
  const { status = shown.status ?? 200, ...rest } = extra
  return pageAnswer({ html: framed(reader, page, asked, shown, { pages, counts }), status, ...rest })
}

export const post = { ...here, lane: 'control', form: true, method: 'POST', body: Fields, answers: PAGES } as const

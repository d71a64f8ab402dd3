// The ways into the console: with a secret key, or with a mailed link. They count against the allowance of whoever has no credential.
import { ERRORS } from '@tether/contract'
import { html } from '../../kernel/html/index.ts'
import { type Answer, Refusal } from '../../kernel/http/index.ts'
import { type Page, tokenIn, WORDS } from '../../pages/console-kit/index.ts'
import { FieldMissing, type Form, field, seeOther, sent } from '../../pages/kit/index.ts'
import { openConsoleByKey, type Route, route } from '../../tenancy/access/index.ts'
import { askConsoleLink, openConsoleByLink } from '../../tenancy/signup/index.ts'
import { type Ctx, placeOf, post, render, wayIn } from './answers.ts'
import { openKept } from './kept.ts'
import { knownPlace } from './pages.ts'
import { cookieOf, isOurForm, readerOf, type Visit, visit } from './visit.ts'
import type { WayInState } from './way-in.ts'

type NewSession = { readonly tenantId: number; readonly token: string; readonly expiresAt: Date }
type Entered = { readonly opened: NewSession } | (Partial<WayInState> & { readonly status?: number })
type Entering = (ctx: Ctx, visited: Visit, form: Form) => Promise<Entered>

type Wanted = { readonly to: string | null; readonly kept: string | null; readonly language: Visit['language'] }

/** Leads to the page that somebody wanted to see; where they had typed something there, it is this answer. */
async function enteredAt(ctx: Ctx, pages: readonly Page[], opened: NewSession, wanted: Wanted): Promise<Answer> {
  const { to, language } = wanted
  // Always a new session and a new cookie, whatever cookie came along.
  const cookie = cookieOf(ctx, { ...opened, language }, opened.expiresAt)
  const kept = openKept(ctx, opened.tenantId, wanted.kept ?? '')
  const page = pages.find(({ path }) => path === kept?.path)
  const reader = page === undefined ? null : await readerOf(ctx, { ...opened, language })
  if (kept === null || page === undefined || reader === null) return seeOther(to ?? '/console', cookie)
  const { form, params, typed } = kept
  const after = { form, good: false, note: html`<p>${WORDS[language].backAgain}</p>`, typed }
  const asked = { at: placeOf(page, params), params, query: {}, after }
  return await render(reader, pages, page, asked, { cookie, once: true }).catch((error: unknown) => {
    // What the page is about may be gone meanwhile, and the page itself says so.
    if (error instanceof Refusal) return seeOther(to ?? '/console', cookie)
    throw error
  })
}

const entering = (
  pages: readonly Page[],
  { path, summary }: { path: `/console/${string}`; summary: string },
  enter: Entering,
): Route =>
  route({
    ...post,
    path,
    summary,
    handle: async (ctx, { body, head }) => {
      const visited = { ...(await visit(ctx, head, field(body, 'lang') || undefined)), ended: null }
      const to = knownPlace(pages, field(body, 'to') || '/console')
      const kept = field(body, 'kept') || null
      if (!isOurForm(ctx, head, body, null)) return wayIn(ctx, visited, { refused: 'form', status: 403, to })
      try {
        const entered = await enter(ctx, visited, body)
        if ('opened' in entered)
          return await enteredAt(ctx, pages, entered.opened, { to, kept, language: visited.language })
        return wayIn(ctx, visited, { ...entered, to, kept })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const isOld = error instanceof FieldMissing
        const refused = isOld ? 'form' : error.code === 'invalid_email' ? 'email' : error.code
        const email = field(body, 'email').slice(0, 320)
        return wayIn(ctx, visited, { refused, email, status: ERRORS[error.code], to, kept })
      }
    },
  })

const BY_KEY = { path: '/console/enter', summary: 'Sign in with a secret key' } as const
const BY_ADDRESS = { path: '/console/sign-in', summary: 'Ask for a link' } as const
const BY_LINK = { path: '/console/open', summary: 'Sign in with a mailed link' } as const

export const entrances = (pages: readonly Page[]): readonly Route[] => [
  entering(pages, BY_KEY, async (ctx, _, form) => {
    const opened = await openConsoleByKey(ctx, sent(form, 'key').trim())
    if (!opened.ok) {
      const refused = opened.kind === null ? 'key' : opened.kind === 'publishable' ? 'publishable' : 'otherKind'
      return { refused, status: 401 }
    }
    return { opened }
  }),
  entering(pages, BY_ADDRESS, async (ctx, visited, form) => {
    await askConsoleLink(ctx, { email: sent(form, 'email'), language: visited.language })
    return { asked: true }
  }),
  entering(pages, BY_LINK, async (ctx, _, form) => ({
    opened: await openConsoleByLink(ctx, tokenIn(sent(form, 'link'))),
  })),
]

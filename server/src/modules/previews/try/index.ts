// A page on which a stranger tries the assistant of a website: no key, no account. It is a client of the same verbs as the
// interface, and complete without scripts except for the window in which one talks.
import { readFileSync } from 'node:fs'
import { ERRORS } from '@tether/contract'
import { z } from 'zod'
import { type Answer, Refusal, type RequestHead, refuse } from '../../../kernel/http/index.ts'
import { asset, Fields, type Form, field, languageOf, seeOther } from '../../../pages/kit/index.ts'
import { ANYONE, type Route, route } from '../../../tenancy/access/index.ts'
import type { AnyoneAsking, Context } from '../../../tenancy/context/index.ts'
import {
  claimSandbox,
  mustBeOpen,
  openSandbox,
  type PreviewRooms,
  type ShownSandbox,
  sandboxLogo,
  sandboxShown,
} from '../index.ts'
import {
  keptPage,
  type Look,
  nothingRefused,
  openPage,
  overPage,
  progressTexts,
  type Refused,
  readingPage,
  readyPage,
} from './page.ts'
import { cookieOf, formToken, isOurForm, noCookie, pageAnswer, type Trial, trialOf } from './visit.ts'
import { TRY_WORDS } from './words.ts'

type Ctx = Context<AnyoneAsking>

const here = { reach: ANYONE, group: 'Pages', unlisted: true } as const
const PAGES = {
  200: { text: 'text/html' },
  303: {},
  400: { text: 'text/html' },
  403: { text: 'text/html' },
  409: { text: 'text/html' },
  410: { text: 'text/html' },
  429: { text: 'text/html' },
  503: { text: 'text/html' },
} as const
const LANG = { lang: z.string().max(35).optional() }

const lookOf = (ctx: Ctx, head: RequestHead, trial: Trial | null, lang: string | undefined): Look => ({
  language: languageOf(lang, head.headers['accept-language']),
  token: formToken(ctx, trial),
})

const numbersOf = ({ settings }: Ctx) => {
  const { maxPages: pages, lifetimeMinutes, maxTurnsPerSandbox: turns } = settings.previewSandbox
  return { pages, minutes: Math.round(lifetimeMinutes), turns }
}

const isReadable = (shown: ShownSandbox | null): shown is ShownSandbox =>
  shown?.status.state === 'ready' || shown?.status.state === 'crawling'

type Shown = { readonly refused?: Refused; readonly isMailed?: boolean; readonly status?: number }

/** The page as things stand for this browser. */
async function show(ctx: Ctx, look: Look, trial: Trial | null, more: Shown = {}): Promise<Answer> {
  const { refused = nothingRefused, isMailed = false, status = 200 } = more
  if (trial === null) return pageAnswer({ html: openPage(look, numbersOf(ctx), refused), status })
  const shown = await sandboxShown(ctx, trial.tenantId)
  if (!isReadable(shown)) {
    // The next form is that of somebody without a sandbox.
    const fresh = { ...look, token: formToken(ctx, null) }
    return pageAnswer({ html: overPage(fresh, shown, refused), status, cookie: noCookie(ctx) })
  }
  if (shown.status.state === 'crawling') return pageAnswer({ html: readingPage(look, shown), status })
  const minutes = Math.round(ctx.settings.signup.linkLifetimeMinutes)
  return pageAnswer({ html: readyPage(look, shown, trial.key, { isMailed, minutes, refused }), status })
}

/** Takes a form from our own page alone, and shows on that page why it did not work. */
const takeForm =
  (typed: readonly string[], take: (ctx: Ctx, look: Look, trial: Trial | null, form: Form) => Promise<Answer>) =>
  async (ctx: Ctx, { body, head }: { readonly body: Form; readonly head: RequestHead }): Promise<Answer> => {
    const trial = trialOf(ctx, head)
    const look = lookOf(ctx, head, trial, field(body, 'lang'))
    const kept = Object.fromEntries(typed.map((name) => [name, field(body, name).slice(0, 2048)]))
    if (!isOurForm(ctx, head, body, trial)) {
      return await show(ctx, look, trial, { refused: { code: 'form', typed: kept }, status: 403 })
    }
    mustBeOpen(ctx.settings)
    try {
      return await take(ctx, look, trial, body)
    } catch (error) {
      if (!(error instanceof Refusal) || ERRORS[error.code] === 404) throw error
      const { code, headers: told } = error
      const refused = { code, typed: kept, seconds: Number(told['retry-after'] ?? 0) }
      return await show(ctx, look, trial, { refused, status: ERRORS[error.code] })
    }
  }

const pages: readonly Route[] = [
  route({
    ...here,
    unlisted: false,
    lane: 'none',
    method: 'GET',
    path: '/try',
    onFrontPage: {
      order: 1,
      en: 'Try it with your own website, without an account',
      ka: 'მოსინჯეთ საკუთარ ვებგვერდზე, რეგისტრაციის გარეშე',
      isShown: ({ previewSandbox }) => previewSandbox.enabled,
    },
    headers: ['Accept-Language'],
    summary: 'The page on which a stranger tries the assistant of a website',
    query: z.object({ ...LANG, mailed: z.string().max(10).optional() }),
    answers: PAGES,
    errors: ['sandbox_disabled', 'sandbox_unavailable'],
    handle: async (ctx, { query, head }) => {
      mustBeOpen(ctx.settings)
      const trial = trialOf(ctx, head)
      return await show(ctx, lookOf(ctx, head, trial, query.lang), trial, { isMailed: query.mailed !== undefined })
    },
  }),
  route({
    ...here,
    lane: 'none',
    method: 'GET',
    path: '/try/status',
    summary: 'How far the site of this browser’s sandbox has been read',
    query: z.object(LANG),
    answers: { 200: { schema: z.object({ state: z.string(), texts: z.record(z.string(), z.string()) }) } },
    handle: async (ctx, { query, head }) => {
      const trial = trialOf(ctx, head)
      const shown = trial === null ? null : await sandboxShown(ctx, trial.tenantId)
      if (shown === null) return { status: 200, body: { state: 'none', texts: {} } }
      const { reading } = TRY_WORDS[languageOf(query.lang, head.headers['accept-language'])]
      return { status: 200, body: { state: shown.status.state, texts: progressTexts(reading, shown) } }
    },
  }),
  route({
    ...here,
    lane: 'none',
    method: 'GET',
    path: '/try/logo',
    summary: 'The logo of the site of this browser’s sandbox',
    answers: { 200: { text: 'image/*' } },
    errors: ['not_found'],
    handle: async (ctx, { head }) => {
      const trial = trialOf(ctx, head)
      const found = trial === null ? undefined : await sandboxLogo(ctx, trial.tenantId)
      if (found === undefined) throw refuse('not_found', 'There is no logo to show.')
      return { status: 200, text: { type: found.logoType, content: found.logo } }
    },
  }),
]

const forms = (rooms: PreviewRooms): readonly Route[] => {
  const post = { ...here, lane: 'control', form: true, method: 'POST', body: Fields, answers: PAGES } as const
  const errors = ['sandbox_disabled', 'sandbox_unavailable', 'signup_disabled'] as const
  return [
    route({
      ...post,
      errors,
      path: '/try',
      summary: 'Read a website',
      handle: takeForm(['siteUrl'], async (ctx, { language }, _, form) => {
        const { tenantId, opened } = await openSandbox(ctx, rooms, { siteUrl: withScheme(field(form, 'siteUrl')) })
        const cookie = cookieOf(ctx, { tenantId, key: opened.sandboxKey }, new Date(opened.expiresAt))
        return seeOther(`/try?lang=${language}`, cookie)
      }),
    }),
    route({
      ...post,
      errors,
      path: '/try/claim',
      summary: 'Keep the sandbox as a workspace',
      handle: takeForm(['email', 'name'], async (ctx, look, trial, form) => {
        if (trial === null) return seeOther(`/try?lang=${look.language}`)
        const input = { email: field(form, 'email'), name: field(form, 'name'), language: look.language }
        const shown = await sandboxShown(ctx, trial.tenantId)
        const claimed = await claimSandbox(ctx, rooms, trial.tenantId, input)
        if (claimed.kind === 'mailed') return seeOther(`/try?lang=${look.language}&mailed=1#said`)
        const kept = { ...claimed.workspace, site: shown?.site ?? null }
        return pageAnswer({ html: keptPage(look, kept), cookie: noCookie(ctx) })
      }),
    }),
    route({
      ...post,
      errors,
      path: '/try/leave',
      summary: 'Try another website',
      handle: takeForm([], async (ctx, { language }) => seeOther(`/try?lang=${language}`, noCookie(ctx))),
    }),
  ]
}

/** People write `shop.example`, or `shop.example:8080`. */
const withScheme = (written: string): string => {
  const trimmed = written.trim()
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}

const file = (name: string, type: string): Route =>
  asset(`/try/${name}`, type, () => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'))

export const tryRoutes = (rooms: PreviewRooms): readonly Route[] => [
  ...pages,
  ...forms(rooms),
  file('try.css', 'text/css'),
  file('try.js', 'text/javascript'),
]

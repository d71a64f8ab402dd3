// The console: where a business sets its workspace up and sees what it does. A client of the same verbs as the API, server-rendered,
// complete without scripts. `pages.ts` is the table of its pages, which only somebody sees who is signed in.
import { ERRORS } from '@tether/contract'
import { z } from 'zod'
import { type Html, html } from '../../kernel/html/index.ts'
import { type Answer, Refusal, type RequestHead } from '../../kernel/http/index.ts'
import {
  type Asked,
  addressOf,
  type ConsoleRooms,
  type ConsoleVerbs,
  type Outcome,
  type Page,
  type Reader,
  refusedList,
  refusedWords,
  type Take,
  type Tell,
  WORDS,
  wrongAskNote,
  wrongAskOf,
} from '../../pages/console-kit/index.ts'
import { assetRoutes, FieldMissing, Fields, type Form, framedHeaders, seeOther } from '../../pages/kit/index.ts'
import { type ConsoleSession, closeConsole, type Route, route } from '../../tenancy/access/index.ts'
import { anyParams, type Ctx, here, messagePage, PAGE, PAGES, placeOf, post, render, text, wayIn } from './answers.ts'
import { entrances } from './entrances.ts'
import { type Kept, sealKept } from './kept.ts'
import { asItComes, isReadAsItComes, type ShownOutcome, sealedOutcome } from './live.ts'
import { consolePages } from './pages.ts'
import { signUpRoutes } from './sign-up.ts'
import { isKnown, isOfEnded, isOurForm, noCookie, signedInTo, type Visit, visit } from './visit.ts'

export type ConsoleParts = {
  readonly rooms: ConsoleRooms
  readonly verbs: ConsoleVerbs
  /** Counts a request of somebody who is signed in, whom the gate does not know. Throws a refusal. */
  readonly spend: (session: Pick<ConsoleSession, 'tenantId' | 'hash'>, address: string) => Promise<void>
}

const queryOf = ({ asks = {} }: Page) => {
  const own = Object.fromEntries(Object.keys(asks).map((name) => [name, text]))
  return z.object({ lang: z.string().max(35).optional(), said: text, ...own })
}

type MakeFile = NonNullable<Page['files']>[string]

const showRoute = ({ spend }: ConsoleParts, pages: readonly Page[], page: Page): Route =>
  route({
    ...here,
    unlisted: page.path !== '/console',
    lane: 'none',
    method: 'GET',
    path: page.path,
    headers: ['Accept-Language'],
    summary: page.path === '/console' ? 'The console of a workspace' : `The console: ${page.name.en}`,
    params: anyParams,
    query: queryOf(page),
    answers: PAGES,
    handle: async (ctx, { params, query, head }) => {
      const visited = await visit(ctx, head, query.lang)
      const { reader, cookie } = visited
      const at = placeOf(page, params)
      if (reader === null) return wayIn(ctx, visited, { to: addressOf({ at, query }) })
      await spend(reader.session, ctx.asking.address)
      const asked = { at, params, query, after: null }
      const show = () => render(reader, pages, page, asked, { cookie })
      return await missing(visited, () => orRefused(reader, pages, page, asked, show))
    },
  })

/** What the address asks and the page, or a verb behind it, refuses is said on the page, and nothing is shown instead. */
async function orRefused(
  reader: Reader,
  pages: readonly Page[],
  page: Page,
  asked: Asked,
  show: () => Promise<Answer>,
): Promise<Answer> {
  const { language } = reader
  const refused = async (why: Html) => {
    const body = refusedList(language, page.name[language], asked.at, why)
    const plain = { ...page, show: async () => ({ title: page.name[language], body, status: 400 }) }
    return await render(reader, pages, plain, asked)
  }
  const wrong = wrongAskOf(page.asks ?? {}, asked.query)
  if (wrong !== null) return await refused(wrongAskNote(language, wrong))
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof Refusal) || ERRORS[error.code] !== 400) throw error
    return await refused(refusedWords(language, error))
  }
}

/** Whatever the address names may be gone, or somebody else's. */
async function missing(visited: Visit, show: () => Promise<Answer>): Promise<Answer> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof Refusal) || ERRORS[error.code] !== 404) throw error
    return messagePage(visited, WORDS[visited.language].missing, 404)
  }
}

/** The longest there is: 20,000 lines of the trail, each with a reason of 1,000 quotes. */
const MOST_FILE_BYTES = 48 * 1024 * 1024

/** Any other address below: the page that says so, and to whoever is not signed in the way in. */
const unknownRoute = ({ spend }: ConsoleParts, path: `/console/${string}`): Route =>
  route({
    ...here,
    lane: 'none',
    method: 'GET',
    path,
    summary: 'The console: no such page',
    params: anyParams,
    query: z.object({ lang: z.string().max(35).optional() }).loose(),
    answers: { 404: PAGE, 429: PAGE, 503: PAGE },
    handle: async (ctx, { query, head }) => {
      const visited = await visit(ctx, head, query.lang)
      const { reader, language } = visited
      if (reader === null) return wayIn(ctx, visited, { status: 404 })
      await spend(reader.session, ctx.asking.address)
      return messagePage(visited, WORDS[language].missing, 404)
    },
  })

/** A file of a page, such as the rows of its list. */
const fileRoute = ({ spend }: ConsoleParts, pages: readonly Page[], page: Page, name: string, make: MakeFile): Route =>
  route({
    ...here,
    lane: 'none',
    method: 'GET',
    path: `${page.path}/${name}`,
    answerBytes: MOST_FILE_BYTES,
    summary: `The console: a file of ${page.name.en}`,
    query: queryOf(page),
    answers: { ...PAGES, 200: { text: 'text/csv' } },
    handle: async (ctx, { query, head }) => {
      const visited = await visit(ctx, head, query.lang)
      if (visited.reader === null) return wayIn(ctx, visited)
      const { reader } = visited
      await spend(reader.session, ctx.asking.address)
      const asked = { at: page.path, params: {}, query, after: null }
      return await orRefused(reader, pages, page, asked, async () => {
        const { type, content, isShown = false } = await make(reader, query)
        const saved = { 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' }
        const headers = isShown ? framedHeaders : saved
        return { status: 200, headers, text: { type: `${type}; charset=utf-8`, content } }
      })
    },
  })

const withSaid = (address: string, name: string): string => `${address}${address.includes('?') ? '&' : '?'}said=${name}`

type Posted = { readonly params: Record<string, string>; readonly body: Form; readonly head: RequestHead }

type Late = Pick<Kept, 'form' | 'params' | 'typed'> & { readonly head: RequestHead }

/** Only if our page made the form for the session that has ended may what was typed stand on a page again. */
function wayBack(ctx: Ctx, visited: Visit, page: Page, { head, ...late }: Late): Answer {
  const { ended } = visited
  const isOurs = ended !== null && isOfEnded(ctx, head, late.typed, ended)
  const kept = isOurs ? sealKept(ctx, ended.tenantId, { path: page.path, ...late }, page.secrets) : null
  const refused = kept === null ? 'undone' : 'kept'
  // The cookie stays: a script may send the form once more, as the browser would.
  return wayIn(ctx, { ...visited, ended: null }, { status: 403, refused, kept, to: placeOf(page, late.params) })
}

/** Takes a form of whoever is signed in, from our own page alone. */
const formRoute = (parts: ConsoleParts, pages: readonly Page[], page: Page, name: string, take: Take): Route =>
  route({
    ...here,
    lane: 'none',
    knows: isKnown,
    form: true,
    files: true,
    method: 'POST',
    path: `${page.path}/${name}`,
    summary: `The console: a form of ${page.name.en}`,
    params: anyParams,
    body: Fields,
    bodyLimit: page.bodyLimit ?? 1024 * 1024,
    answers: PAGES,
    handle: async (ctx, { params, body, head }: Posted) => {
      const visited = await visit(ctx, head)
      const { reader } = visited
      if (reader === null) return wayBack(ctx, visited, page, { form: name, params, typed: body, head })
      await parts.spend(reader.session, ctx.asking.address)
      if (!isOurForm(ctx, head, body, reader)) return messagePage(visited, WORDS[visited.language].refusedForm, 403)
      const at = placeOf(page, params)
      const shown = ({ good, once = false, status = 200, note }: ShownOutcome) => {
        const asked = { at, params, query: {}, after: { form: name, good, note, typed: body } }
        return missing(visited, () => render(reader, pages, page, asked, { status, once }))
      }
      const tells = page.tells === name
      const before = tells ? sealedOutcome(ctx, reader, body) : null
      if (before === undefined) return messagePage(visited, WORDS[visited.language].refusedForm, 403)
      if (before !== null) return await shown(before)
      const work = (tell: Tell) => outcomeOf(reader, () => take(reader, { form: body, params, head, tell }))
      if (tells && isReadAsItComes(head)) return { status: 200, events: asItComes(ctx, reader, work) }
      const outcome = await work(() => undefined)
      if (outcome.kind === 'left') return seeOther(outcome.to)
      if (outcome.kind === 'done') return seeOther(withSaid(outcome.to ?? at, name))
      return await shown(outcome)
    },
  })

/** What a verb refuses stands above the form, in the reader's words where we have them. */
async function outcomeOf({ language }: Reader, take: () => Promise<Outcome>): Promise<Outcome & { status?: number }> {
  try {
    return await take()
  } catch (error) {
    // Where it is somebody else who is away, the reader may try again.
    const isOurs = error instanceof Refusal && ERRORS[error.code] >= 500 && error.code !== 'notification_unavailable'
    if (!(error instanceof Refusal) || isOurs) throw error
    const note =
      error instanceof FieldMissing
        ? html`<p>${WORDS[language].withoutField(error.field)} <code>${error.code}</code></p>`
        : refusedWords(language, error)
    return { kind: 'shown', good: false, note, status: ERRORS[error.code] }
  }
}

const signOut: Route = route({
  ...post,
  lane: 'none',
  knows: isKnown,
  path: '/console/sign-out',
  summary: 'Sign out of the console',
  handle: async (ctx, { body, head }) => {
    const visited = await visit(ctx, head)
    const { reader } = visited
    // Another site may send this form without our cookie, and must not have it taken away.
    if (reader === null) return wayIn(ctx, visited, { status: 403 })
    if (!isOurForm(ctx, head, body, reader)) return messagePage(visited, WORDS[visited.language].refusedForm, 403)
    await closeConsole(ctx, reader.session)
    return seeOther('/console', noCookie(ctx))
  },
})

export function consoleRoutes(parts: ConsoleParts, more: readonly Page[]): readonly Route[] {
  const pages = consolePages(parts.rooms, parts.verbs, more)
  return [
    ...pages.map((page) => showRoute(parts, pages, page)),
    ...pages.flatMap((page) =>
      Object.entries(page.files ?? {}).map(([name, make]) => fileRoute(parts, pages, page, name, make)),
    ),
    ...pages.flatMap((page) =>
      Object.entries(page.forms ?? {}).map(([name, take]) => formRoute(parts, pages, page, name, take)),
    ),
    ...entrances(pages),
    signOut,
    ...signUpRoutes(parts.rooms),
    ...assetRoutes(import.meta.url, 'console', '/console', signedInTo),
    unknownRoute(parts, '/console/:page'),
    unknownRoute(parts, '/console/:page/:part'),
    unknownRoute(parts, '/console/:page/:part/:more'),
  ]
}

// The inbox: where a person decides. A client of the same verbs as the API, server-rendered, complete without scripts.
import { z } from 'zod'
import { html } from '../../kernel/html/index.ts'
import { type Answer, Refusal, type RequestHead } from '../../kernel/http/index.ts'
import { isUuid } from '../../kernel/ids/index.ts'
import { ANYONE, closeSession, type LiveSession, type Route, route } from '../../tenancy/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../tenancy/context/index.ts'
import { sendsMail } from '../../tenancy/mail/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import { openRecords } from '../../writes/decisions/index.ts'
import { rememberLanguage } from '../../writes/notices/index.ts'
import { addressIn, askSignIn, openSession } from '../../writes/people/index.ts'
import { assetRoutes, Fields, type Form, field, seeOther } from '../kit/index.ts'
import { strangersPage } from './layout.ts'
import { openLive } from './live.ts'
import { saveMails, showMails } from './mails-page.ts'
import { decideCard, decideList, type PageParts, showCard, showHistory, showList } from './pages.ts'
import { type SignInState, signInPage } from './sign-in-page.ts'
import {
  cookieOf,
  isKnown,
  isOurForm,
  noCookie,
  type Person,
  pageAnswer,
  signedInTo,
  strangersToken,
  type Visit,
  visit,
} from './visit.ts'

export type InboxParts = {
  readonly rooms: ActionRooms & { readonly house: House }
  /** Counts a request of a signed-in person, whom the gate does not know. Throws a refusal. */
  readonly spend: (session: LiveSession, address: string) => Promise<void>
}

const here = { reach: ANYONE, group: 'Pages', unlisted: true, signedInTo } as const
const PAGE = {
  200: { text: 'text/html' },
  403: { text: 'text/html' },
  404: { text: 'text/html' },
} as const
const pageOf = { ...here, lane: 'none', method: 'GET', answers: PAGE } as const
const FORM = { ...here, form: true, method: 'POST', body: Fields, answers: { 303: {}, ...PAGE } } as const
/** A form of somebody who is signed in. */
const formHere = { ...FORM, lane: 'none', knows: isKnown } as const
const text = z.string().max(4096).optional()
const LANG = { lang: z.string().max(35).optional() }

type Ctx = Context<AnyoneAsking>

function signIn({ visitor, ended }: Visit, ctx: Ctx, more: Partial<SignInState> & { status?: number } = {}): Answer {
  const state: SignInState = {
    token: strangersToken(ctx),
    email: '',
    sendsMail: sendsMail(ctx.settings),
    refused: ended ? 'ended' : null,
    asked: false,
    ...more,
  }
  return pageAnswer({
    html: signInPage(visitor, state),
    status: more.status ?? 200,
    cookie: ended ? noCookie(ctx) : null,
  })
}

/** It came from elsewhere, or from a page that is too old. */
const refusedForm = ({ visitor }: Visit): Answer => {
  const { title, refusedForm: words, card } = visitor.words
  const body = html`<h1>${title}</h1><p class="note bad" role="alert">${words}</p><p><a href="/inbox">${card.back}</a></p>`
  return pageAnswer({ html: strangersPage(visitor, { title, body, path: '/inbox' }), status: 403 })
}

type Asked<Query> = { readonly query: Query; readonly head: RequestHead }

/** Shows a page to whoever is signed in, and the way in to everybody else. */
const signedIn =
  <Query extends { lang?: string | undefined }>(
    { spend }: InboxParts,
    show: (person: Person, asked: Asked<Query>, cookie: string | null) => Promise<Answer>,
  ) =>
  async (ctx: Ctx, asked: Asked<Query>): Promise<Answer> => {
    const visited = await visit(ctx, asked.head, asked.query)
    if (visited.person === null) return signIn(visited, ctx)
    await spend(visited.person.session, ctx.asking.address)
    return await show(visited.person, asked, visited.cookie)
  }

/** Takes a form of whoever is signed in, from our own page alone. */
const formOf =
  <Params>({ spend }: InboxParts, take: (person: Person, form: Form, params: Params) => Promise<Answer>) =>
  async (
    ctx: Ctx,
    { body, head, params }: { readonly body: Form; readonly head: RequestHead; readonly params: Params },
  ): Promise<Answer> => {
    const visited = await visit(ctx, head)
    const { person } = visited
    // Without the session nobody knows whose form it is, so none of what was typed may stand on our page.
    if (person === null) return signIn(visited, ctx, { status: 403, refused: 'undone' })
    if (!isOurForm(ctx, head, body, person)) return refusedForm(visited)
    await spend(person.session, ctx.asking.address)
    return await take(person, body, params)
  }

const ActionParams = z.object({ actionId: z.string().max(64) })

const pages = (parts: InboxParts, shown: PageParts): readonly Route[] => [
  route({
    ...pageOf,
    unlisted: false,
    path: '/inbox',
    onFrontPage: { order: 4, en: 'Where people decide what waits', ka: 'აქ წყდება ის, რაც დადასტურებას ელოდება' },
    headers: ['Accept-Language'],
    summary: 'The page on which people decide',
    query: z.object({ ...LANG, before: text, said: text, for: text, action: text }),
    answers: { 303: {}, ...PAGE },
    handle: async (ctx, { query, head }) => {
      const visited = await visit(ctx, head, query)
      if (visited.person === null) {
        return signIn(visited, ctx, { email: query.for === undefined ? '' : addressIn(ctx, query.for) })
      }
      await parts.spend(visited.person.session, ctx.asking.address)
      // The link of a notice. It only leads to a page.
      if (query.action !== undefined && isUuid(query.action))
        return seeOther(`/inbox/actions/${query.action}`, visited.cookie)
      return await showList(visited.person, shown, query, visited.cookie)
    },
  }),
  route({
    ...pageOf,
    path: '/inbox/history',
    summary: 'What was decided',
    query: z.object({ ...LANG, status: text, tool: text, before: text }),
    handle: signedIn(parts, (person, { query }, cookie) => showHistory(person, shown, query, cookie)),
  }),
  route({
    ...pageOf,
    path: '/inbox/mails',
    summary: 'Which mails somebody wants',
    query: z.object({ ...LANG, said: text }),
    handle: signedIn(parts, (person, { query }, cookie) => showMails(person, query.said, cookie)),
  }),
  route({
    ...pageOf,
    path: '/inbox/actions/:actionId',
    summary: 'One staged write',
    params: ActionParams,
    query: z.object({ ...LANG, said: text }),
    handle: async (ctx, { params, query, head }) =>
      await signedIn<{ lang?: string | undefined; said?: string | undefined }>(parts, (person, asked, cookie) =>
        showCard(person, shown, { actionId: params.actionId, said: asked.query.said }, cookie),
      )(ctx, { query, head }),
  }),
]

const forms = (parts: InboxParts, shown: PageParts): readonly Route[] => [
  route({
    ...formHere,
    path: '/inbox/actions/:actionId',
    summary: 'Decide one staged write',
    params: ActionParams,
    handle: formOf(parts, (person, form, { actionId }: { actionId: string }) =>
      decideCard(person, shown, actionId, form),
    ),
  }),
  route({
    ...formHere,
    path: '/inbox/decide',
    summary: 'Decide several staged writes',
    handle: formOf(parts, (person, form) => decideList(person, shown, form)),
  }),
  route({
    ...formHere,
    path: '/inbox/mails',
    summary: 'Choose which mails to get',
    handle: formOf(parts, saveMails),
  }),
  route({
    ...formHere,
    path: '/inbox/sign-out',
    summary: 'Sign out',
    handle: formOf(parts, async ({ ctx, session }) => {
      await closeSession(ctx, session.tenantId, session.hash)
      return seeOther('/inbox', noCookie(ctx))
    }),
  }),
]

/** The forms before a session. They count against the allowance of whoever has no credential. */
const wayIn: readonly Route[] = [
  route({
    ...FORM,
    lane: 'control',
    path: '/inbox/sign-in',
    summary: 'Ask for a link',
    answers: PAGE,
    handle: async (ctx, { body, head }) => {
      const visited = await visit(ctx, head, { lang: field(body, 'lang') || undefined })
      if (!isOurForm(ctx, head, body, null)) return signIn(visited, ctx, { refused: 'form', status: 403 })
      const email = field(body, 'email')
      try {
        await askSignIn(ctx, { tenantId: null, email, language: visited.visitor.language })
        return signIn(visited, ctx, { asked: true })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return signIn(visited, ctx, { refused: error.code === 'invalid_email' ? 'email' : null, email })
      }
    },
  }),
  route({
    ...FORM,
    lane: 'control',
    path: '/inbox/open',
    summary: 'Sign in with a mailed link',
    handle: async (ctx, { body, head }) => {
      const visited = await visit(ctx, head, { lang: field(body, 'lang') || undefined })
      if (!isOurForm(ctx, head, body, null)) return signIn(visited, ctx, { refused: 'form', status: 403 })
      try {
        const { token, tenantId, person, expiresAt } = await openSession(ctx, null, field(body, 'link'))
        const { language } = visited.visitor
        await rememberLanguage(ctx, { tenantId, personId: person.id }, language)
        // Always a new session and a new cookie, whatever cookie came along.
        return seeOther('/inbox', cookieOf(ctx, { tenantId, token, language }, expiresAt))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return signIn(visited, ctx, { refused: error.extras.reason ?? 'malformed' })
      }
    },
  }),
]

const liveRoute = (parts: InboxParts): Route => {
  const live = openLive(() => parts.rooms.house)
  return route({
    ...here,
    lane: 'none',
    method: 'GET',
    path: '/inbox/live',
    summary: 'Says that something has changed',
    answers: { 200: { text: 'text/event-stream' }, 204: {} },
    handle: async (ctx, { head }) => {
      const { person } = await visit(ctx, head)
      // A browser does not come again after this.
      if (person === null) return { status: 204, text: { type: 'text/plain', content: '' } }
      await parts.spend(person.session, ctx.asking.address)
      return { status: 200, events: live(person, head.signal) }
    },
  })
}

export function inboxRoutes(parts: InboxParts): readonly Route[] {
  const shown: PageParts = { rooms: parts.rooms, records: openRecords(parts.rooms) }
  return [
    ...pages(parts, shown),
    ...forms(parts, shown),
    ...wayIn,
    liveRoute(parts),
    ...assetRoutes(import.meta.url, 'inbox', '/inbox', signedInTo),
  ]
}

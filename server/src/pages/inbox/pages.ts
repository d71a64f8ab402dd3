// What a signed-in person sees, and what their forms do.
import { ACTION_STATES, type ActionState } from '@tether/contract'
import { html } from '../../kernel/html/index.ts'
import type { Answer } from '../../kernel/http/index.ts'
import { isUuid } from '../../kernel/ids/index.ts'
import type { ActionRooms } from '../../writes/actions/index.ts'
import { listEvents } from '../../writes/audit/index.ts'
import {
  alreadyApproved,
  changedAmong,
  inWordsOf,
  type Looked,
  latestSaid,
  listActions,
  listWaiting,
  lookAt,
  type Records,
  waitingNow,
} from '../../writes/decisions/index.ts'
import { type Form, seeOther } from '../kit/index.ts'
import { type CardState, card } from './card.ts'
import type { Unchanged } from './change.ts'
import { decideHere, decideSeveral, openTold, sealTold } from './deciding.ts'
import { personsPage } from './layout.ts'
import { historyPage, type ListedPage, listPage, type Waiting, type WaitingPage, waitingList } from './list-page.ts'
import { type Person, pageAnswer } from './visit.ts'

export type PageParts = { readonly rooms: ActionRooms; readonly records: Records }

/** So many on a page. */
const PAGE = 20
const EXCHANGES = 5
const MOST_TRAIL = 100

type Filter = {
  readonly states?: readonly ActionState[]
  readonly tool?: string | null
  readonly before?: string | undefined
}

async function listed(
  { ctx, language }: Person,
  { catalogs }: PageParts['rooms'],
  { states, tool = null, before }: Filter = {},
): Promise<ListedPage> {
  const from = before !== undefined && isUuid(before) ? before : null
  const asked = { tool, scopeId: null, before: from, limit: PAGE }
  const page = await (states === undefined ? listWaiting(ctx, asked) : listActions(ctx, { ...asked, states }))
  return { ...page, actions: await inWordsOf(ctx, catalogs, language, page.actions) }
}

async function waitingFor(person: Person, rooms: PageParts['rooms'], before?: string): Promise<WaitingPage> {
  const page = await listed(person, rooms, { before })
  const changed = await changedAmong(person.ctx, rooms, page.actions)
  const open = page.actions.filter(({ actionId }) => !changed.has(actionId))
  return { ...page, changed, approved: await alreadyApproved(person.ctx, rooms, open) }
}

/** One action, called what its reader calls it. */
async function looked({ ctx, language }: Person, { rooms }: PageParts, actionId: string) {
  const found: Looked | null = await lookAt(ctx, rooms, actionId)
  if (found === null) return null
  const [action = { ...found.action, line: '', whole: false }] = await inWordsOf(ctx, rooms.catalogs, language, [
    found.action,
  ])
  return { ...found, action }
}

type ListQuery = { readonly before?: string | undefined; readonly said?: string | undefined }

export async function showList(
  person: Person,
  parts: PageParts,
  { before, said }: ListQuery,
  cookie: string | null,
): Promise<Answer> {
  const { ctx, words } = person
  const [page, waiting] = await Promise.all([waitingFor(person, parts.rooms, before), waitingNow(ctx)])
  const results = await Promise.all(
    openTold(person, said).map(async ([actionId, outcome]) => {
      const { title = actionId, line = '' } = (await looked(person, parts, actionId))?.action ?? {}
      return { actionId, title, line, said: words.said[outcome] }
    }),
  )
  const notice = said === 'none' ? words.list.nonePicked : null
  const state = { page, waiting, now: ctx.clock.now(), results, notice, path: '/inbox' }
  return pageAnswer({ html: listPage(person, state), cookie })
}

type HistoryQuery = {
  readonly status?: string | undefined
  readonly tool?: string | undefined
  readonly before?: string | undefined
}

const PAST: readonly ActionState[] = ACTION_STATES.filter((state) => state !== 'pending' && state !== 'executing')

export async function showHistory(
  person: Person,
  { rooms }: PageParts,
  query: HistoryQuery,
  cookie: string | null,
): Promise<Answer> {
  const { before, tool = '' } = query
  const status = PAST.find((state) => state === query.status) ?? 'all'
  const [page, waiting] = await Promise.all([
    listed(person, rooms, { states: status === 'all' ? PAST : [status], tool: tool.trim() || null, before }),
    waitingNow(person.ctx),
  ])
  const path = `/inbox/history?${new URLSearchParams({ status, tool })}`
  return pageAnswer({ html: historyPage(person, { page, waiting, status, tool, path }), cookie })
}

type CardAsked = {
  readonly actionId: string
  readonly said?: string | undefined
  readonly unchanged?: Unchanged
}

export async function showCard(
  person: Person,
  parts: PageParts,
  { actionId, said, unchanged }: CardAsked,
  cookie: string | null,
): Promise<Answer> {
  const { ctx, words } = person
  const { rooms, records } = parts
  const [found, waiting] = await Promise.all([looked(person, parts, actionId), waitingNow(ctx)])
  if (found === null) return pageAnswer({ html: messagePage(person, words.card.unknown, waiting), status: 404, cookie })
  const { sessionId } = found.action
  const [list, record, conversation, trail] = await Promise.all([
    waitingFor(person, rooms),
    records.now(ctx, found),
    sessionId === null ? [] : latestSaid(ctx, sessionId, EXCHANGES),
    listEvents(ctx, ctx.asking.tenantId, { actionId: found.action.actionId }, { after: 0, limit: MOST_TRAIL }),
  ])
  const told = openTold(person, said).find(([about]) => about === found.action.actionId)
  const outcome = told === undefined ? null : words.said[told[1]]
  const at = list.actions.findIndex((one) => one.actionId === found.action.actionId)
  const next = list.actions[at + 1] ?? (at > 0 ? list.actions[0] : undefined) ?? null
  const path = `/inbox/actions/${found.action.actionId}`
  const state = {
    looked: found,
    record,
    said: conversation,
    trail: trail.events,
    outcome,
    next,
    unchanged: unchanged ?? null,
  }
  const page = cardPage(person, { ...state, list, waiting, now: ctx.clock.now(), path })
  return pageAnswer({ html: page, cookie })
}

/** One decision, then the card as it stands after it. */
export async function decideCard(person: Person, parts: PageParts, actionId: string, form: Form): Promise<Answer> {
  const { rooms } = parts
  const found = await lookAt(person.ctx, rooms, actionId)
  if (found === null) return seeOther('/inbox')
  const { actionId: about, outcome, unchanged } = await decideHere(person, rooms, found, form)
  // Nothing happened, so there is nothing to lead away from: the same page, with what was typed.
  if (unchanged !== undefined) return await showCard(person, parts, { actionId: about, unchanged }, null)
  const said = sealTold(person, [[about, outcome]])
  return seeOther(`/inbox/actions/${about}?said=${said}`)
}

export async function decideList(person: Person, { rooms }: PageParts, form: Form): Promise<Answer> {
  const results = await decideSeveral(person, rooms, form)
  if (results.length === 0) return seeOther('/inbox?said=none')
  const said = sealTold(
    person,
    results.map(({ actionId, outcome }) => [actionId, outcome]),
  )
  return seeOther(`/inbox?said=${said}`)
}

type CardPageState = CardState & {
  readonly list: WaitingPage
  readonly waiting: Waiting
  readonly now: number
  readonly path: string
}

/** The card; on a wide screen beside the list that it comes from. */
function cardPage(person: Person, { list, waiting, now, path, ...state }: CardPageState): string {
  const { words } = person
  const { action } = state.looked
  const body = html`<div class="two">
<section class="beside" aria-label="${words.list.heading}">${waitingList(person, list, now, action.actionId)}</section>
<div><p class="back"><a href="/inbox">← ${words.card.back}</a></p>
${card(person, state)}</div></div>`
  const title = `${action.title} · ${person.workspace}`
  return personsPage(person, { title, body, path, at: null, waiting: waiting.count })
}

function messagePage(person: Person, text: string, waiting: Waiting): string {
  const { words } = person
  const body = html`<h1>${words.title}</h1><p class="note bad" role="alert">${text}</p><p><a href="/inbox">${words.card.back}</a></p>`
  return personsPage(person, { title: words.title, body, path: '/inbox', at: null, waiting: waiting.count })
}

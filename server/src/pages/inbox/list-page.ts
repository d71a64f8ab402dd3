import { ACTION_STATES, type ActionState } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { cut } from '../../kernel/json/index.ts'
import type { Action } from '../../writes/actions/index.ts'
import type { ActionPage, InLine } from '../../writes/decisions/index.ts'
import { instant, seen } from '../kit/index.ts'
import { formToken, personsPage } from './layout.ts'
import { minutesUntil, riskBadge } from './parts.ts'
import type { Person } from './visit.ts'

export type Waiting = { readonly count: number; readonly soonest: Date | null }

type Listed = ActionPage['actions'][number] & InLine
export type ListedPage = { readonly actions: readonly Listed[]; readonly nextBefore: string | null }

/** A page of what waits, and for how many others those wait that the reader has approved. */
export type WaitingPage = ListedPage & {
  readonly approved: ReadonlyMap<string, number>
  /** Those that can no longer be approved. */
  readonly changed: ReadonlySet<string>
}

type ListState = {
  readonly page: WaitingPage
  readonly waiting: Waiting
  readonly now: number
  /** What became of those that were decided together. */
  readonly results: readonly {
    readonly actionId: string
    readonly title: string
    readonly line: string
    readonly said: string
  }[]
  readonly notice: string | null
  readonly path: string
}

const askedBy = ({ subject, sessionId }: Action, { words: { card } }: Person): string =>
  subject !== null ? card.customer(subject) : sessionId !== null ? card.visitor : card.overApi

const LONGEST_NAMED = 80

/** Which one is meant, among several of one tool. */
const titled = ({ title, line }: Pick<Listed, 'title' | 'line'>): string =>
  line === '' ? title : `${title} (${cut(line, LONGEST_NAMED)})`

type Row = {
  readonly person: Person
  readonly now: number
  readonly current: string | null
  readonly pick: boolean
  readonly waitsFor: number | undefined
  readonly changed: boolean
}

/** A row that cannot be shown whole, and a write that changed, are opened before they are decided. */
const canPick = ({ whole }: Listed, changed: boolean): boolean => whole && !changed

function row(action: Listed, { person, now, current, pick, waitsFor, changed }: Row): Html {
  const { words } = person
  const { actionId, title, risk, payloadHash, expiresAt, line, whole } = action
  return html`<li${actionId === current && html` class="current"`}>
${pick && canPick(action, changed) && html`<label class="pick"><input type="checkbox" name="pick" value="${actionId} ${payloadHash}"><span class="hidden">${seen(words.list.pick(titled(action)))}</span></label>`}
<a href="/inbox/actions/${actionId}"${actionId === current && html` aria-current="true"`}><strong>${seen(title)}</strong> ${riskBadge(risk, words)}
${line !== '' && html`<span class="detail">${seen(line)}</span>`}
${changed ? html`<span class="meta">${words.list.changed}</span>` : pick && !whole && html`<span class="meta">${words.list.open}</span>`}
<span class="meta">${seen(askedBy(action, person))} · ${words.timeLeft(minutesUntil(expiresAt, now))}</span>
${waitsFor !== undefined && html`<span class="meta">${words.card.youApproved(waitsFor)}</span>`}</a></li>`
}

/** The list beside a card, and under its own heading. */
export function waitingList(
  person: Person,
  { actions, approved, changed }: WaitingPage,
  now: number,
  current: string | null,
): Html {
  const around = { person, now, current, pick: current === null }
  const rows = actions.map((action) =>
    row(action, { ...around, waitsFor: approved.get(action.actionId), changed: changed.has(action.actionId) }),
  )
  return html`<ol class="list" id="waiting">${rows}</ol>`
}

function waitingHeading({ words }: Person, { count, soonest }: Waiting, now: number): Html {
  const { list } = words
  if (count === 0 || soonest === null) return html`<h1>${list.none}</h1><p class="lead">${list.noneMore}</p>`
  return html`<h1>${list.heading}</h1><p class="lead">${list.nothingDone(words.left(minutesUntil(soonest, now)))}</p>`
}

export function listPage(person: Person, { page, waiting, now, results, notice, path }: ListState): string {
  const { words } = person
  const { list } = words
  const body = html`
${waitingHeading(person, waiting, now)}
${notice !== null && html`<p class="note bad" role="alert" tabindex="-1" autofocus>${notice}</p>`}
${
  results.length > 0 &&
  html`<section class="note" aria-labelledby="decided" tabindex="-1" autofocus><h2 id="decided">${list.decided}</h2>
<ul>${results.map(({ said, ...one }) => html`<li><a href="/inbox/actions/${one.actionId}">${seen(titled(one))}</a>: ${said}</li>`)}</ul></section>`
}
${
  page.actions.length > 0 &&
  html`<form method="post" action="/inbox/decide" id="several">${formToken(person)}
${waitingList(person, page, now, null)}
${
  page.actions.some((action) => canPick(action, page.changed.has(action.actionId))) &&
  html`<p class="bar"><button name="decision" value="confirm">${list.confirmPicked}</button>
<button name="decision" value="reject" class="quiet">${list.rejectPicked}</button></p>`
}
</form>
<p class="keys">${list.keys}</p>`
}
${page.nextBefore !== null && html`<p><a href="/inbox?before=${page.nextBefore}">${list.more}</a></p>`}`
  return personsPage(person, {
    title: `${words.title} · ${person.workspace}`,
    body,
    path,
    at: 'waiting',
    waiting: waiting.count,
  })
}

type HistoryState = {
  readonly page: ListedPage
  readonly waiting: Waiting
  readonly status: ActionState | 'all'
  readonly tool: string
  readonly path: string
}

const SHOWN: readonly ActionState[] = ACTION_STATES.filter((state) => state !== 'pending' && state !== 'executing')

export function historyPage(person: Person, { page, waiting, status, tool, path }: HistoryState): string {
  const { words } = person
  const { history } = words
  const isUnknown = status === 'indeterminate'
  const more = new URLSearchParams({ status, ...(tool === '' ? {} : { tool }), before: page.nextBefore ?? '' })
  const body = html`
<h1>${isUnknown ? words.nav.unknown : history.heading}</h1>
${isUnknown && html`<p class="lead">${history.unknownLead}</p>`}
<form method="get" action="/inbox/history" class="filters">
<label>${history.state} <select name="status"><option value="all"${status === 'all' && html` selected`}>${history.all}</option>${SHOWN.map((one) => html`<option value="${one}"${one === status && html` selected`}>${words.state[one]}</option>`)}</select></label>
<label>${history.tool} <input name="tool" value="${tool}" autocomplete="off"></label>
<button class="quiet">${history.show}</button>
</form>
${page.actions.length === 0 && html`<p class="lead">${history.none}</p>`}
<ol class="list">${page.actions.map((action) => past(action, person))}</ol>
${page.nextBefore !== null && html`<p><a href="/inbox/history?${more.toString()}">${words.list.more}</a></p>`}`
  const at = isUnknown ? 'unknown' : 'history'
  return personsPage(person, {
    title: `${history.heading} · ${person.workspace}`,
    body,
    path,
    at,
    waiting: waiting.count,
  })
}

const past = (action: Listed, person: Person): Html => {
  const { words } = person
  return html`<li><a href="/inbox/actions/${action.actionId}"><strong>${seen(action.title)}</strong> <span class="state">${words.state[action.state]}</span>
<span class="detail">${seen(action.line)}</span>
<span class="meta">${seen(askedBy(action, person))} · ${instant(action.createdAt)}</span></a></li>`
}

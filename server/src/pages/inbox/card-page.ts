import { html } from '../../kernel/html/index.ts'
import { type CardState, card } from './card.ts'
import { personsPage } from './layout.ts'
import { type Waiting, type WaitingPage, waitingList } from './list-page.ts'
import type { Person } from './visit.ts'

type CardPageState = CardState & {
  readonly list: WaitingPage
  readonly waiting: Waiting
  readonly now: number
  readonly path: string
}

/** The card; on a wide screen beside the list that it comes from. */
export function cardPage(person: Person, { list, waiting, now, path, ...state }: CardPageState): string {
  const { words } = person
  const { action } = state.looked
  const body = html`<div class="two">
<section class="beside" aria-label="${words.list.heading}">${waitingList(person, list, now, action.actionId)}</section>
<div><p class="back"><a href="/inbox">← ${words.card.back}</a></p>
${card(person, state)}</div></div>`
  const title = `${action.title} · ${person.workspace}`
  return personsPage(person, { title, body, path, at: null, waiting: waiting.count })
}

export function messagePage(person: Person, text: string, waiting: Waiting): string {
  const { words } = person
  const body = html`<h1>${words.title}</h1><p class="note bad" role="alert">${text}</p><p><a href="/inbox">${words.card.back}</a></p>`
  return personsPage(person, { title: words.title, body, path: '/inbox', at: null, waiting: waiting.count })
}

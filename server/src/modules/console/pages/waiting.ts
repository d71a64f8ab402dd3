// What waits for a decision, and what nobody knows the end of. A decision is a person's, so it is made in the inbox.

import { type Html, html } from '../../../kernel/html/index.ts'
import { isUuid } from '../../../kernel/ids/index.ts'
import {
  badge,
  type ConsoleRooms,
  type Page,
  type Reader,
  sameCall,
  UUID,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { ACTION_WORDS, instant, seen } from '../../../pages/kit/index.ts'
import { inWordsOf, listActions, listWaiting } from '../../../writes/decisions/index.ts'

const EN = {
  title: 'Waiting',
  none: 'Nothing waits for a decision.',
  noneMore: 'What the assistant proposes stands here until a person has decided it.',
  some: 'Nothing here has been done yet. What runs out first comes first.',
  where: 'People decide in',
  inbox: 'the inbox',
  unknownTitle: 'Sent, with an unknown end',
  unknown:
    'These were sent, and no answer said whether they ran. Ask again under the same key: it is never sent twice.',
  unknownNone: 'There is none: of every write that was sent, it is known what became of it.',
  seeUnknown: 'Those with an unknown end',
  seeWaiting: 'Those that wait',
  runsOut: 'runs out',
  asked: { visitor: 'a visitor', customer: (id: string) => `for the customer ${id}`, api: 'over the API' },
  talk: 'the conversation',
  more: 'More',
}
const KA: typeof EN = {
  title: 'ელოდება',
  none: 'გადაწყვეტილებას არაფერი ელოდება.',
  noneMore: 'აქ გამოჩნდება, რასაც ასისტენტი შემოგთავაზებთ, სანამ ადამიანი გადაწყვეტს.',
  some: 'აქედან ჯერ არაფერი შესრულებულა. პირველია ის, რასაც ვადა ყველაზე ადრე გასდის.',
  where: 'გადაწყვეტილებას იღებენ აქ:',
  inbox: 'გადაწყვეტილებების გვერდი',
  unknownTitle: 'გაიგზავნა, შედეგი უცნობია',
  unknown:
    'ესენი გაიგზავნა, მაგრამ პასუხი, შესრულდა თუ არა, არ მოსულა. ჰკითხეთ ხელახლა იმავე გასაღებით: მეორედ არ გაიგზავნება.',
  unknownNone: 'ასეთი არ არის: ყველა გაგზავნილის შედეგი ცნობილია.',
  seeUnknown: 'უცნობი შედეგით',
  seeWaiting: 'რა ელოდება',
  runsOut: 'ვადა გადის',
  asked: { visitor: 'ვიზიტორი', customer: (id) => `მომხმარებლისთვის ${id}`, api: 'API-ით' },
  talk: 'საუბარი',
  more: 'კიდევ',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const ON_PAGE = 30

type Listed = Awaited<ReturnType<typeof inWordsOf>>[number] & { readonly expiresAt: Date; readonly createdAt: Date }

function row({ language }: Reader, action: Listed, isUnknown: boolean): Html {
  const words = WORDS[language]
  const { subject, sessionId, risk } = action
  const asked =
    subject !== null ? words.asked.customer(subject) : sessionId !== null ? words.asked.visitor : words.asked.api
  const look = risk === 'high' ? 'bad' : risk === 'elevated' ? 'warn' : 'plain'
  const talk = sessionId === null ? false : html` · <a href="/console/conversations/${sessionId}">${words.talk}</a>`
  return html`<li class="box"><p><a href="/inbox/actions/${action.actionId}"><strong>${seen(action.title)}</strong></a> ${badge(look, ACTION_WORDS[language].risk[risk])}</p>
${action.line !== '' && html`<p>${seen(action.line)}</p>`}
<p class="meta">${seen(asked)}${talk} · ${isUnknown ? instant(action.createdAt) : html`${words.runsOut} ${instant(action.expiresAt)}`}</p>
${isUnknown && sameCall({ language }, { method: 'POST', path: `/v1/actions/${action.actionId}/reconcile` })}</li>`
}

export const waitingPage = ({ catalogs }: Pick<ConsoleRooms, 'catalogs'>): Page => ({
  path: '/console/waiting',
  name: { en: EN.title, ka: KA.title },
  group: 'run',
  order: 2,
  asks: { status: ['pending', 'indeterminate'], before: UUID },
  async show(reader, { at, query }) {
    const { ctx, language } = reader
    const words = WORDS[language]
    const isUnknown = query.status === 'indeterminate'
    const before = query.before !== undefined && isUuid(query.before) ? query.before : null
    const asked = { tool: null, scopeId: null, before, limit: ON_PAGE }
    const page = await (isUnknown ? listActions(ctx, { ...asked, states: ['indeterminate'] }) : listWaiting(ctx, asked))
    const actions = await inWordsOf(ctx, catalogs, language, page.actions)
    const isEmpty = actions.length === 0
    const title = isUnknown ? words.unknownTitle : words.title
    const lead = isUnknown
      ? isEmpty
        ? words.unknownNone
        : words.unknown
      : isEmpty
        ? `${words.none} ${words.noneMore}`
        : words.some
    const next = new URLSearchParams({
      ...(isUnknown ? { status: 'indeterminate' } : {}),
      before: page.nextBefore ?? '',
    })
    const body = html`<h1>${title}</h1><p class="lead">${lead}</p>
<p>${words.where} <a href="/inbox">${words.inbox}</a>. ${isUnknown ? html`<a href="${at}">${words.seeWaiting}</a>` : html`<a href="${at}?status=indeterminate">${words.seeUnknown}</a>`}</p>
<ol class="plain">${actions.map((action) => row(reader, action, isUnknown))}</ol>
${page.nextBefore !== null && html`<p><a href="${at}?${next.toString()}">${words.more}</a></p>`}`
    return { title, body }
  },
})

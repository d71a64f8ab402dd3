// Conversations, newest first, with what one looks for them by.

import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  badge,
  choiceField,
  filtered,
  filterForm,
  given,
  type Page,
  type Reader,
  sameCall,
  table,
  textField,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant, seen } from '../../../pages/kit/index.ts'
import { conversationsOf } from '../../../talk/conversations/index.ts'

const EN = {
  title: 'Conversations',
  none: 'No conversation fits these filters.',
  noneYet: 'Nobody has talked to the assistant yet. Each conversation stands here as soon as it begins.',
  began: 'Began',
  turns: 'Turns',
  who: 'Who',
  ended: 'What became of it',
  visitor: 'a visitor',
  handed: 'handed to a person',
  up: 'rated good',
  down: 'rated bad',
  language: { ka: 'in Georgian', en: 'in English' },
  show: 'Show',
  rating: 'Rating',
  handedOff: 'Handed over',
  any: 'any',
  yes: 'yes',
  no: 'no',
  from: 'From (a day, UTC)',
  to: 'Before',
  customer: 'Customer',
  older: 'Older ones',
}
const KA: typeof EN = {
  title: 'საუბრები',
  none: 'ამ ფილტრებს არც ერთი საუბარი არ შეესაბამება.',
  noneYet: 'ასისტენტს ჯერ არავინ დალაპარაკებია. საუბარი დაწყებისთანავე აქ გამოჩნდება.',
  began: 'დაიწყო',
  turns: 'რეპლიკა',
  who: 'ვინ',
  ended: 'რით დასრულდა',
  visitor: 'ვიზიტორი',
  handed: 'ადამიანს გადაეცა',
  up: 'კარგი შეფასება',
  down: 'ცუდი შეფასება',
  language: { ka: 'ქართულად', en: 'ინგლისურად' },
  show: 'ჩვენება',
  rating: 'შეფასება',
  handedOff: 'გადაეცა ადამიანს',
  any: 'ნებისმიერი',
  yes: 'კი',
  no: 'არა',
  from: 'დღიდან (UTC)',
  to: 'ამ დღემდე',
  customer: 'მომხმარებელი',
  older: 'უფრო ძველი',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const ON_PAGE = 40

type Listed = Awaited<ReturnType<typeof conversationsOf>>['conversations'][number]

const FILTERS = ['rating', 'handedOff', 'customer', 'from', 'to'] as const

function filters({ language }: Reader, { at, query }: Asked): Html {
  const words = WORDS[language]
  const any = { value: '', label: words.any }
  const ratings = [any, { value: 'up', label: words.up }, { value: 'down', label: words.down }]
  const handed = [any, { value: 'true', label: words.yes }, { value: 'false', label: words.no }]
  const fields = [
    choiceField('rating', words.rating, ratings, query.rating ?? ''),
    choiceField('handedOff', words.handedOff, handed, query.handedOff ?? ''),
    textField({ id: 'customer', label: words.customer, value: query.customer ?? '' }),
  ]
  return filterForm(at, query, fields, words)
}

function row({ language }: Reader, one: Listed): Html {
  const words = WORDS[language]
  const who = one.customerId ?? words.visitor
  const ends = [
    one.handedOff && badge('warn', words.handed),
    one.rating === 'up' && badge('good', words.up),
    one.rating === 'down' && badge('bad', words.down),
  ].filter((end) => end !== false)
  return html`<tr><th scope="row"><a href="/console/conversations/${one.sessionId}">${instant(one.startedAt)}</a></th>
<td>${one.turns}</td><td>${seen(who)}${one.language !== null && html`<span class="meta">${words.language[one.language]}</span>`}</td><td>${ends}</td></tr>`
}

function inputOf({ rating, handedOff, customer, from, to, before }: Asked['query']) {
  return {
    from: given(from),
    to: given(to),
    handedOff: handedOff === 'true' ? true : handedOff === 'false' ? false : null,
    rating: rating === 'up' || rating === 'down' ? rating : null,
    customerId: given(customer)?.slice(0, 200) ?? null,
    before: given(before),
    limit: ON_PAGE,
  } as const
}

export const conversationsPage = (): Page => ({
  path: '/console/conversations',
  name: { en: EN.title, ka: KA.title },
  group: 'run',
  order: 3,
  asks: {
    rating: ['up', 'down'],
    handedOff: ['true', 'false'],
    customer: 'text',
    from: 'text',
    to: 'text',
    before: 'text',
  },
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const { conversations, nextBefore } = await conversationsOf(reader.ctx, inputOf(asked.query))
    const { at, query } = asked
    const isFiltered = filtered(at, query, FILTERS) !== at
    const list =
      conversations.length === 0
        ? html`<p class="lead">${isFiltered ? words.none : words.noneYet}</p>`
        : table(
            words.title,
            [words.began, words.turns, words.who, words.ended],
            conversations.map((one) => row(reader, one)),
          )
    const body = html`<h1>${words.title}</h1>${filters(reader, asked)}${list}
${nextBefore !== null && html`<p><a href="${filtered(at, query, FILTERS, { before: nextBefore })}">${words.older}</a></p>`}
${sameCall(reader, { method: 'GET', path: '/v1/conversations' })}`
    return { title: words.title, body }
  },
})

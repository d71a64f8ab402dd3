// What became of conversations and proposals, day by day: three plots, their figures in a table, and the questions without an answer.

import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  barPlot,
  count,
  type Day,
  type Page,
  type Reader,
  type Series,
  sameCall,
  table,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant, seen } from '../../../pages/kit/index.ts'
import { readDaily, readUnanswered } from '../../../talk/outcomes/index.ts'

const EN = {
  title: 'Outcomes',
  lead: (turns: string) => `${turns} turns of conversations in this period.`,
  days: (number: number) => `${number} days`,
  period: 'Period:',
  turns: 'Turns of conversations',
  answered: 'answered',
  handed: 'handed to a person',
  other: 'otherwise',
  proposals: 'Proposals',
  executed: 'executed',
  rejected: 'rejected',
  expired: 'expired',
  checks: 'Seen afterwards',
  verified: 'verified',
  unverified: 'not shown',
  ratings: 'Ratings',
  up: 'good',
  down: 'bad',
  sum: (name: string, parts: string) => `${name}, in all: ${parts}.`,
  nothing: 'Nothing in this period.',
  table: 'All figures, newest day first',
  day: 'Day',
  conversations: 'Conversations',
  turn: 'Turns',
  proposed: 'Proposed',
  unanswered: 'Questions without an answer',
  unansweredNone: 'Every question of this period found an answer.',
  question: 'Question',
  asked: 'Asked',
  last: 'Last',
}
const KA: typeof EN = {
  title: 'შედეგები',
  lead: (turns) => `ამ პერიოდში საუბრებში იყო ${turns} რეპლიკა.`,
  days: (number) => `${number} დღე`,
  period: 'პერიოდი:',
  turns: 'რეპლიკები',
  answered: 'უპასუხა',
  handed: 'ადამიანს გადაეცა',
  other: 'სხვა',
  proposals: 'შეთავაზებები',
  executed: 'შესრულდა',
  rejected: 'უარყოფილია',
  expired: 'ვადა გაუვიდა',
  checks: 'შემდგომი შემოწმება',
  verified: 'დადასტურდა',
  unverified: 'არ გამოჩნდა',
  ratings: 'შეფასებები',
  up: 'კარგი',
  down: 'ცუდი',
  sum: (name, parts) => `${name}, სულ: ${parts}.`,
  nothing: 'ამ პერიოდში არაფერი ყოფილა.',
  table: 'ყველა მონაცემი, ახალი დღიდან',
  day: 'დღე',
  conversations: 'საუბარი',
  turn: 'რეპლიკა',
  proposed: 'შეთავაზდა',
  unanswered: 'კითხვები, რომლებსაც პასუხი ვერ მოეძებნა',
  unansweredNone: 'ამ პერიოდში ყველა კითხვას მოეძებნა პასუხი.',
  question: 'კითხვა',
  asked: 'რამდენჯერ',
  last: 'ბოლოს',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const PERIODS = [14, 30, 90] as const
const DAY = 86_400_000

type Daily = Awaited<ReturnType<typeof readDaily>>['days']

type Drawn = { readonly name: string; readonly title: string; readonly series: readonly Series[] }

function plotPart({ language }: Reader, { name, title, series }: Drawn, days: readonly Day[]): Html {
  const sums = series.map(
    (one, at) =>
      `${one.name} ${count(
        days.reduce((sum, day) => sum + (day.values[at] ?? 0), 0),
        language,
      )}`,
  )
  const sentence = WORDS[language].sum(title, sums.join(', '))
  const isEmpty = days.every(({ values }) => values.every((value) => value === 0))
  if (isEmpty)
    return html`<section class="box"><h2>${title}</h2><p class="meta">${WORDS[language].nothing}</p></section>`
  return html`<section class="box"><h2>${title}</h2>${barPlot({ name, title, sentence, series, days })}<p class="meta">${sentence}</p></section>`
}

function plots(reader: Reader, days: Daily): Html {
  const words = WORDS[reader.language]
  const turns = days.map(({ date, turns: all, answered, handedOff }) => ({
    date,
    values: [answered, handedOff, Math.max(0, all - answered - handedOff)],
  }))
  const proposals = days.map(({ date, executed, rejected, expired }) => ({
    date,
    values: [executed, rejected, expired],
  }))
  const checks = days.map(({ date, verified, unverified }) => ({ date, values: [verified, unverified] }))
  const ratings = days.map(({ date, ratings: { up, down } }) => ({ date, values: [up, down] }))
  const [full, hatched, outlined] = [{ look: 'full' }, { look: 'hatched' }, { look: 'outlined' }] as const
  return html`${plotPart(
    reader,
    {
      name: 'turns',
      title: words.turns,
      series: [
        { name: words.answered, ...full },
        { name: words.handed, ...hatched },
        { name: words.other, ...outlined },
      ],
    },
    turns,
  )}
${plotPart(
  reader,
  {
    name: 'proposals',
    title: words.proposals,
    series: [
      { name: words.executed, ...full },
      { name: words.rejected, ...hatched },
      { name: words.expired, ...outlined },
    ],
  },
  proposals,
)}
${plotPart(
  reader,
  {
    name: 'checks',
    title: words.checks,
    series: [
      { name: words.verified, ...full },
      { name: words.unverified, ...hatched },
    ],
  },
  checks,
)}
${plotPart(
  reader,
  {
    name: 'ratings',
    title: words.ratings,
    series: [
      { name: words.up, ...full },
      { name: words.down, ...hatched },
    ],
  },
  ratings,
)}`
}

function figures({ language }: Reader, days: Daily): Html {
  const words = WORDS[language]
  const heads = [
    words.day,
    words.conversations,
    words.turn,
    words.answered,
    words.handed,
    words.proposed,
    words.executed,
    words.rejected,
    words.expired,
    words.verified,
    words.unverified,
    words.up,
    words.down,
  ]
  const rows = days.toReversed().map((day) => {
    const values = [
      day.conversations,
      day.turns,
      day.answered,
      day.handedOff,
      day.proposals,
      day.executed,
      day.rejected,
      day.expired,
      day.verified,
      day.unverified,
      day.ratings.up,
      day.ratings.down,
    ]
    return html`<tr><th scope="row">${day.date}</th>${values.map((value) => html`<td>${count(value, language)}</td>`)}</tr>`
  })
  return html`<details class="box" id="figures"><summary>${words.table}</summary>${table(words.table, heads, rows)}</details>`
}

const daysAsked = ({ query }: Asked): number => PERIODS.find((days) => String(days) === query.days) ?? PERIODS[0]

export const outcomesPage = (): Page => ({
  path: '/console/outcomes',
  name: { en: EN.title, ka: KA.title },
  group: 'run',
  order: 5,
  asks: { days: PERIODS.map(String) },
  async show(reader, asked) {
    const { ctx, language } = reader
    const words = WORDS[language]
    const shown = daysAsked(asked)
    const now = ctx.clock.now()
    const period = { from: new Date(Math.floor(now / DAY) * DAY - (shown - 1) * DAY), to: new Date(now) }
    const [{ days }, unanswered] = await Promise.all([readDaily(ctx, period, now), readUnanswered(ctx, period)])
    const turns = days.reduce((sum, day) => sum + day.turns, 0)
    const questions = unanswered.map(
      (one) =>
        html`<tr><th scope="row">${seen(one.question)}</th><td>${one.count}</td><td>${instant(new Date(one.lastAskedAt))}</td></tr>`,
    )
    const body = html`<h1>${words.title}</h1>
<p class="lead">${words.lead(count(turns, language))}</p>
<p>${words.period} ${PERIODS.map((days_) => html`${days_ === shown ? html`<strong>${words.days(days_)}</strong>` : html`<a href="${asked.at}?days=${days_}">${words.days(days_)}</a>`} `)}</p>
${plots(reader, days)}
${figures(reader, days)}
<section class="box"><h2>${words.unanswered}</h2>${questions.length === 0 ? html`<p>${words.unansweredNone}</p>` : table(words.unanswered, [words.question, words.asked, words.last], questions)}</section>
${sameCall(reader, { method: 'GET', path: '/v1/outcomes/daily' })}`
    return { title: words.title, body }
  },
})

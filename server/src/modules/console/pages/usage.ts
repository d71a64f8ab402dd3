// What the models cost, against the ceilings, day by day.

import { html } from '../../../kernel/html/index.ts'
import { barPlot, count, money, type Page, table, type Words } from '../../../pages/console-kit/index.ts'
import { ownCeilings, planTerms, spendByDay, spendOf, tokensByModel } from '../../../tenancy/usage/index.ts'

const EN = {
  title: 'Usage and spend',
  lead: (plan: string) => `The workspace is on the plan “${plan}”.`,
  offline: 'No model is set up here, so answers cost nothing: they come from fixed rules over words.',
  today: 'Today (UTC)',
  month: 'This month (UTC)',
  of: (cap: string) => `of ${cap}. At the ceiling, the assistant says that it cannot answer now.`,
  noCap: 'There is no ceiling.',
  rounds: (most: number) => `A turn may call tools in at most ${most} rounds.`,
  plot: 'Spent by day, in US cents',
  sentence: (sum: string) => `In the last 30 days ${sum} was spent.`,
  spent: 'spent',
  table: 'The figures, newest day first',
  day: 'Day',
  models: 'Tokens by model, in the last 30 days',
  noModels: 'No model has been asked in the last 30 days.',
  model: 'Model',
  asked: 'Asked',
  input: 'Tokens in',
  output: 'Tokens out',
}
const KA: typeof EN = {
  title: 'მოხმარება და ხარჯი',
  lead: (plan) => `სამუშაო სივრცის გეგმაა „${plan}“.`,
  offline:
    'ენობრივი მოდელი აქ ჩართული არ არის, ამიტომ პასუხები არაფერი ღირს: ისინი სიტყვებზე დაფუძნებული წესებით იქმნება.',
  today: 'დღეს (UTC)',
  month: 'ამ თვეში (UTC)',
  of: (cap) => `ზღვარი ${cap}. ზღვარზე ასისტენტი იტყვის, რომ ახლა ვერ პასუხობს.`,
  noCap: 'ზღვარი არ არის.',
  rounds: (most) => `ერთ პასუხში ინსტრუმენტების გამოძახება მაქსიმუმ ${most} რაუნდად შეიძლება.`,
  plot: 'ხარჯი დღეების მიხედვით, აშშ ცენტებში',
  sentence: (sum) => `ბოლო 30 დღეში დაიხარჯა ${sum}.`,
  spent: 'დახარჯული',
  table: 'მონაცემები, ახალი დღიდან',
  day: 'დღე',
  models: 'ტოკენები მოდელების მიხედვით, ბოლო 30 დღეში',
  noModels: 'ბოლო 30 დღეში მოდელისთვის არ მიგვიმართავს.',
  model: 'მოდელი',
  asked: 'მიმართვა',
  input: 'შემავალი',
  output: 'გამავალი',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const DAYS = 30

type Models = { of(plan: string): { readonly model: { readonly kind?: string } } }

export const usagePage = ({ models }: { readonly models: Models }): Page => ({
  path: '/console/usage',
  name: { en: EN.title, ka: KA.title },
  group: 'run',
  order: 6,
  async show({ ctx, language }) {
    const words = WORDS[language]
    const { tenantId, plan } = ctx.asking
    const [spend, days, taken] = await Promise.all([
      spendOf(ctx, tenantId),
      spendByDay(ctx, tenantId, DAYS),
      tokensByModel(ctx, tenantId, DAYS),
    ])
    const caps = ownCeilings(ctx.settings, ctx.asking)
    const figure = (name: string, spent: number, cap: number | null) =>
      html`<div class="box"><dt>${name}</dt><dd>${money(spent, language)}</dd><dd class="meta">${
        cap === null
          ? words.noCap
          : html`<meter min="0" max="${cap}" value="${Math.min(spent, cap)}" aria-label="${name}"></meter> ${words.of(money(cap, language))}`
      }</dd></div>`
    const sum = days.reduce((all, one) => all + one.spentUsd, 0)
    const rows = days
      .toReversed()
      .map(({ date, spentUsd }) => html`<tr><th scope="row">${date}</th><td>${money(spentUsd, language)}</td></tr>`)
    const tokens = taken.map(
      ({ model, rounds, inputTokens, outputTokens, costUsd }) =>
        html`<tr><th scope="row"><code>${model}</code></th>${[rounds, inputTokens, outputTokens].map((value) => html`<td>${count(value, language)}</td>`)}<td>${money(costUsd, language)}</td></tr>`,
    )
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead(plan)} ${words.rounds(planTerms(ctx.settings, plan).rounds)}</p>
${models.of(plan).model.kind === 'offline' && html`<p class="note">${words.offline}</p>`}
<dl class="figures">${figure(words.today, spend.dailyUsd, caps.daily)}${figure(words.month, spend.monthlyUsd, caps.monthly)}</dl>
<section class="box"><h2>${words.plot}</h2>${barPlot({
      name: 'spend',
      title: words.plot,
      sentence: words.sentence(money(sum, language)),
      series: [{ name: words.spent, look: 'full' }],
      days: days.map(({ date, spentUsd }) => ({ date, values: [spentUsd * 100] })),
    })}<p class="meta">${words.sentence(money(sum, language))}</p></section>
<section class="box"><h2>${words.models}</h2>${tokens.length === 0 ? html`<p>${words.noModels}</p>` : table(words.models, [words.model, words.asked, words.input, words.output, words.spent], tokens)}</section>
<details class="box"><summary>${words.table}</summary>${table(words.table, [words.day, words.spent], rows)}</details>`
    return { title: words.title, body }
  },
})

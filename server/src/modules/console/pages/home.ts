// First what is late or failing, then four figures of today, one plot, and what is missing before customers can come.
import type { Language } from '@tether/contract'
import { readOrigins } from '../../../api/embed/index.ts'
import { type Html, html } from '../../../kernel/html/index.ts'
import {
  barPlot,
  type ConsoleRooms,
  dayText,
  money,
  type Page,
  type Reader,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant } from '../../../pages/kit/index.ts'
import { listDocuments } from '../../../talk/knowledge/index.ts'
import { readDaily } from '../../../talk/outcomes/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { deliveriesOf } from '../../../tenancy/events/index.ts'
import { ownCeilings, spendOf } from '../../../tenancy/usage/index.ts'
import type { Catalog } from '../../../tools/catalog/index.ts'
import { listUsers } from '../../../writes/approvals/index.ts'
import { listActions } from '../../../writes/decisions/index.ts'

const EN = {
  fine: 'Nothing is late, and nothing has failed.',
  failing: 'The last event could not be delivered.',
  seeAttempts: 'See the attempts',
  unknown: 'At least one write was sent, and nobody knows whether it ran.',
  seeUnknown: 'See which',
  soon: 'A write that waits runs out within a quarter of an hour.',
  seeWaiting: 'See what waits',
  unconfirmed: 'The address of the workspace is not confirmed, so public pages and some mail wait.',
  confirm: 'Confirm it',
  today: (day: string) => `Today, ${day} (UTC).`,
  figures: {
    conversations: 'Conversations today',
    handedOff: (count: number) => `${count} handed to a person`,
    waiting: 'Waiting for a decision',
    none: 'none runs out',
    runsOut: 'the first runs out',
    run: 'Run today',
    verified: (seen: number, unseen: number) => `${seen} verified, ${unseen} not shown`,
    spent: 'Spent today',
    of: (cap: string) => `of ${cap}`,
    noCap: 'no ceiling',
  },
  plot: 'What became of proposals',
  plotSentence: (run: number, no: number, out: number) =>
    `In the last 14 days ${run} were executed, ${no} were rejected and ${out} expired.`,
  asTable: 'The last 14 days, day by day',
  executed: 'executed',
  rejected: 'rejected',
  expired: 'expired',
  goingLive: 'Going live',
  done: (count: number, all: number) => `${count} of ${all}`,
  steps: {
    address: 'The address is confirmed',
    catalog: 'A catalog is registered',
    catalogMore: (tools: number, writes: number) => `${tools} tools, of which ${writes} can write`,
    endpoint: 'Tools have an address',
    knowledge: 'It has something to answer from',
    documents: (count: number) => (count === 1 ? 'one document' : `${count} documents`),
    site: 'your website',
    people: 'Somebody may approve',
    peopleMore: (count: number) => `${count} active`,
    website: 'The widget may stand on your site',
    websiteMore: (count: number) => `origins: ${count}`,
    used: 'Somebody has talked to the assistant',
    model: 'A model answers',
    modelMore: 'today answers come from fixed rules over words; the operator sets a model up',
  },
  go: {
    address: 'Confirm it',
    catalog: 'Register one',
    endpoint: 'Set it',
    knowledge: 'Add a document',
    people: 'Add people',
    website: 'Register the site',
    used: 'Copy the snippet',
    model: '',
  } as Readonly<Record<Step, string>>,
  importOne: 'Import an API',
  state: { yes: 'done', no: 'missing' },
}

const KA: typeof EN = {
  fine: 'არაფერი იგვიანებს და შეცდომაც არ არის.',
  failing: 'ბოლო მოვლენა ვერ მივიდა.',
  seeAttempts: 'მცდელობების ნახვა',
  unknown: 'ერთი ცვლილება მაინც გაიგზავნა და უცნობია, შესრულდა თუ არა.',
  seeUnknown: 'ნახვა',
  soon: 'ერთ-ერთ ცვლილებას, რომელიც გადაწყვეტილებას ელოდება, ვადა 15 წუთში გაუვა.',
  seeWaiting: 'რა ელოდება',
  unconfirmed: 'სამუშაო სივრცის ელფოსტა დადასტურებული არ არის, ამიტომ საჯარო გვერდები და ზოგი წერილი იცდის.',
  confirm: 'დადასტურება',
  today: (day) => `დღეს, ${day} (UTC).`,
  figures: {
    conversations: 'საუბრები დღეს',
    handedOff: (count) => `ადამიანს გადაეცა ${count}`,
    waiting: 'ელოდება გადაწყვეტილებას',
    none: 'ვადა არაფერს გასდის',
    runsOut: 'უახლოესი ვადა',
    run: 'შესრულდა დღეს',
    verified: (seen, unseen) => `შემოწმდა ${seen}, ვერ დადასტურდა ${unseen}`,
    spent: 'დღევანდელი ხარჯი',
    of: (cap) => `ზღვარი ${cap}`,
    noCap: 'ზღვარი არ აქვს',
  },
  plot: 'რა ბედი ეწია შეთავაზებებს',
  plotSentence: (run, no, out) => `ბოლო 14 დღეში შესრულდა ${run}, უარყოფილია ${no}, ვადა გაუვიდა ${out}.`,
  asTable: 'ბოლო 14 დღე დღეების მიხედვით',
  executed: 'შესრულდა',
  rejected: 'უარყოფილია',
  expired: 'ვადა გაუვიდა',
  goingLive: 'რა უნდა გაკეთდეს გაშვებამდე',
  done: (count, all) => `${all}-დან ${count}`,
  steps: {
    address: 'ელფოსტა დადასტურებულია',
    catalog: 'კატალოგი რეგისტრირებულია',
    catalogMore: (tools, writes) => `${tools} ინსტრუმენტი, აქედან ${writes} ცვლის მონაცემებს`,
    endpoint: 'ინსტრუმენტების მისამართი მითითებულია',
    knowledge: 'ასისტენტს აქვს, რას დაეყრდნოს პასუხში',
    documents: (count) => `დოკუმენტები: ${count}`,
    site: 'თქვენი საიტი',
    people: 'დამტკიცება ვიღაცას შეუძლია',
    peopleMore: (count) => `აქტიურია ${count}`,
    website: 'ვიჯეტს თქვენს საიტზე მუშაობის უფლება აქვს',
    websiteMore: (count) => `საიტები: ${count}`,
    used: 'ასისტენტს უკვე ესაუბრნენ',
    model: 'პასუხობს ენობრივი მოდელი',
    modelMore: 'ახლა პასუხები სიტყვებზე დაფუძნებული წესებით იქმნება; მოდელს ადმინისტრატორი რთავს',
  },
  go: {
    address: 'დადასტურება',
    catalog: 'რეგისტრაცია',
    endpoint: 'მითითება',
    knowledge: 'დოკუმენტის დამატება',
    people: 'ადამიანების დამატება',
    website: 'საიტის რეგისტრაცია',
    used: 'კოდის დაკოპირება',
    model: '',
  },
  importOne: 'API-ის იმპორტი',
  state: { yes: 'მზადაა', no: 'აკლია' },
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

type Step = 'address' | 'catalog' | 'endpoint' | 'knowledge' | 'people' | 'website' | 'used' | 'model'

const WAY: Readonly<Record<Step, string>> = {
  address: '/console/keys',
  catalog: '/console/catalog',
  endpoint: '/console/endpoint',
  knowledge: '/console/knowledge',
  people: '/console/people',
  website: '/console/website',
  used: '/console/website',
  model: '/console',
}

const DAYS = 14
const DAY = 86_400_000
const SOON = 15 * 60_000

/** A module may bring it. */
const IMPORT = '/console/import'

/**
 * What an answer may rest on. The versions come with the session, so that this asks once at most: a workspace that deleted all of its
 * documents is believed to hold the site that it has read.
 */
async function restsOn(ctx: Context, pages: readonly Page[]): Promise<{ documents: number; hasSite: boolean }> {
  const { knowledgeVersion, previewVersion } = ctx.asking.wiring
  const documents = knowledgeVersion === 0 ? 0 : (await listDocuments(ctx)).count
  if (documents > 0 || previewVersion === 0 || !ctx.settings.preview.enabled) return { documents, hasSite: false }
  const asked = pages.flatMap(({ hasAnswers = [] }) => hasAnswers)
  if (asked.length === 0 || knowledgeVersion > 0) return { documents, hasSite: asked.length > 0 }
  return { documents, hasSite: (await Promise.all(asked.map((has) => has(ctx)))).includes(true) }
}

async function look(reader: Reader, rooms: ConsoleRooms, pages: readonly Page[]) {
  const { ctx } = reader
  // Before what asks for it, too: it is read once, and then kept.
  const catalog = await rooms.catalogs.of(ctx)
  const now = ctx.clock.now()
  const { tenantId } = ctx.asking
  const midnight = Math.floor(now / DAY) * DAY
  const period = { from: new Date(midnight - (DAYS - 1) * DAY), to: new Date(now) }
  const [daily, waiting, newest, unknown, spend, people, origins, restingOn] = await Promise.all([
    readDaily(ctx, period, now),
    reader.waiting(),
    deliveriesOf(ctx, { limit: 1 }, rooms.mail.deliveries),
    listActions(ctx, { states: ['indeterminate'], tool: null, scopeId: null, before: null, limit: 1 }),
    spendOf(ctx, tenantId),
    listUsers(ctx),
    readOrigins(ctx),
    restsOn(ctx, pages),
  ])
  const isOffline = rooms.models.of(ctx.asking.plan).model.kind === 'offline'
  return {
    now,
    days: daily.days,
    waiting,
    newest: newest.deliveries[0],
    unknown,
    spend,
    people,
    origins,
    catalog,
    restingOn,
    isOffline,
  }
}

type Looked = Awaited<ReturnType<typeof look>>

const alarm = (text: string, way: string, link: string): Html =>
  html`<p class="note warn alarm"><strong>${text}</strong> <a href="${way}">${link}</a></p>`

function alarms({ ctx, language }: Reader, { now, newest, unknown, waiting }: Looked): Html {
  const words = WORDS[language]
  const isSoon = waiting.soonest !== null && waiting.soonest.getTime() - now < SOON
  const found = [
    !ctx.asking.emailConfirmed && alarm(words.unconfirmed, '/console/keys', words.confirm),
    newest?.delivered === false && alarm(words.failing, '/console/events?failed=true', words.seeAttempts),
    unknown.actions.length > 0 && alarm(words.unknown, '/console/waiting?status=indeterminate', words.seeUnknown),
    isSoon && alarm(words.soon, '/console/waiting', words.seeWaiting),
  ].filter((one) => one !== false)
  return found.length === 0 ? html`<p class="lead">${words.fine}</p>` : html`${found}`
}

function figures({ ctx, language }: Reader, { days, waiting, spend }: Looked): Html {
  const { figures: words } = WORDS[language]
  const today = days.at(-1)
  const cap = ownCeilings(ctx.settings, ctx.asking).daily
  const figure = (name: string, value: string | number, more: Html | string) =>
    html`<div class="box"><dt>${name}</dt><dd>${value}</dd><dd class="meta">${more}</dd></div>`
  return html`<dl class="figures">
${figure(words.conversations, today?.conversations ?? 0, words.handedOff(today?.handedOff ?? 0))}
${figure(words.waiting, waiting.count, waiting.soonest === null ? words.none : html`${words.runsOut} ${instant(waiting.soonest)}`)}
${figure(words.run, today?.executed ?? 0, words.verified(today?.verified ?? 0, today?.unverified ?? 0))}
${figure(words.spent, money(spend.dailyUsd, language), cap === null ? words.noCap : words.of(money(cap, language)))}
</dl>`
}

function plot(language: Language, { days }: Looked): Html {
  const words = WORDS[language]
  const sum = (name: 'executed' | 'rejected' | 'expired') => days.reduce((all, day) => all + day[name], 0)
  return html`<section class="box"><h2>${words.plot}</h2>
${barPlot({
  name: 'proposals',
  title: words.plot,
  sentence: words.plotSentence(sum('executed'), sum('rejected'), sum('expired')),
  series: [
    { name: words.executed, look: 'full' },
    { name: words.rejected, look: 'hatched' },
    { name: words.expired, look: 'outlined' },
  ],
  days: days.map(({ date, executed, rejected, expired }) => ({ date, values: [executed, rejected, expired] })),
})}
<p><a href="/console/outcomes">${words.asTable}</a></p></section>`
}

const writesIn = ({ tools }: Catalog): number => tools.filter(({ isWrite }) => isWrite).length

function checklist({ ctx, language }: Reader, looked: Looked, pages: readonly Page[]): Html {
  const canImport = pages.some(({ path }) => path === IMPORT)
  const words = WORDS[language]
  const { steps } = words
  const { wiring, emailConfirmed } = ctx.asking
  const { catalog, people, origins, days, restingOn } = looked
  const { documents, hasSite } = restingOn
  const active = people.users.filter((one) => one.active).length
  const found: readonly (readonly [Step, boolean, string?])[] = [
    ['address', emailConfirmed],
    ['catalog', catalog.tools.length > 0, steps.catalogMore(catalog.tools.length, writesIn(catalog))],
    ['endpoint', wiring.endpointUrl !== null || wiring.apiUrl !== null, wiring.endpointUrl ?? wiring.apiUrl ?? ''],
    ['knowledge', documents > 0 || hasSite, hasSite ? steps.site : steps.documents(documents)],
    ['people', active > 0, steps.peopleMore(active)],
    ['website', origins.origins.length > 0, steps.websiteMore(origins.origins.length)],
    ['used', days.some(({ turns }) => turns > 0)],
    ['model', !looked.isOffline, looked.isOffline ? steps.modelMore : ''],
  ]
  const rows = found.map(([step, isDone, more = '']) => {
    const shows = more !== '' && (isDone || step === 'model')
    return html`<li><span class="tick ${isDone ? 'yes' : 'no'}" aria-hidden="true">${isDone ? '✓' : '○'}</span><span class="hidden">${isDone ? words.state.yes : words.state.no}:</span>
<span class="grow">${steps[step]}${shows && html` <span class="meta">· ${more}</span>`}</span>${!isDone && words.go[step] !== '' && html` <a href="${WAY[step]}">${words.go[step]}</a>`}${!isDone && step === 'catalog' && canImport && html` <a href="${IMPORT}">${words.importOne}</a>`}</li>`
  })
  const done = found.filter(([, isDone]) => isDone).length
  if (done === found.length) return html``
  return html`<section class="box"><h2>${words.goingLive} <span class="count">${words.done(done, found.length)}</span></h2><ul class="checklist">${rows}</ul></section>`
}

/** `pages` are all pages of the console. */
export const homePage = (rooms: ConsoleRooms, pages: () => readonly Page[]): Page => ({
  path: '/console',
  name: { en: 'Overview', ka: 'მიმოხილვა' },
  group: 'run',
  order: 1,
  async show(reader) {
    const { language } = reader
    const looked = await look(reader, rooms, pages())
    const title = { en: 'Overview', ka: 'მიმოხილვა' }[language]
    return {
      title,
      body: html`<h1>${title}</h1>
<p class="meta">${WORDS[language].today(dayText(new Date(looked.now), language))}</p>
${alarms(reader, looked)}
${figures(reader, looked)}
${checklist(reader, looked, pages())}
${plot(language, looked)}`,
    }
  },
})

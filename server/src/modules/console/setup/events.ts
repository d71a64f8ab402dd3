// Where events go, what became of them, a test, and sending again.

import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  afterOf,
  badge,
  type ConsoleRooms,
  note,
  type Page,
  PLACE,
  pageForm,
  type Reader,
  table,
  textField,
  tokenField,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant, seen, sent } from '../../../pages/kit/index.ts'
import { deliveriesOf, readWebhook, redeliver, sendTest, setWebhook } from '../../../tenancy/events/index.ts'

const EN = {
  title: 'Events',
  to: (url: string) => `Events go to ${url}.`,
  toEndpoint: (url: string) => `Events go to the address of your tools, ${url}, because no webhook is set.`,
  nowhere: 'Events go nowhere: set an address, or that of your tools.',
  webhook: 'Webhook',
  url: 'HTTPS address',
  urlHint: 'Leave it empty, and events go to the address of your tools.',
  save: 'Save',
  said: 'Saved. The next event goes there.',
  test: 'Try it',
  testLead: 'Sends one signed test.ping now.',
  send: 'Send a test',
  delivered: (ms: number, status: number | null) => `It arrived: the receiver answered ${status} after ${ms} ms.`,
  failed: 'It did not arrive:',
  answer: 'The answer',
  attempts: 'Attempts',
  failedOnly: 'Only those that failed',
  all: 'All',
  none: 'Nothing has been sent yet. An event follows each decision about a staged write.',
  noneFailed: 'None has failed.',
  event: 'Event',
  when: 'When',
  how: 'How it ended',
  ok: 'delivered',
  bad: 'failed',
  attempt: (number: number) => `attempt ${number}`,
  next: 'next attempt',
  last: 'that was the last attempt',
  timeline: 'all attempts',
  ofEvent: (id: string) => `The attempts of ${id}, newest first.`,
  again: 'Send again',
  queued: 'It is on its way again, with the same id and body.',
  more: 'Older ones',
}
const KA: typeof EN = {
  title: 'მოვლენები',
  to: (url) => `მოვლენებს ამ მისამართზე ვგზავნით: ${url}`,
  toEndpoint: (url) =>
    `ცალკე მისამართი მითითებული არ არის, ამიტომ მოვლენებს ინსტრუმენტების მისამართზე ვგზავნით: ${url}`,
  nowhere: 'მოვლენებს არსად ვგზავნით: მიუთითეთ მისამართი აქ ან ინსტრუმენტებისთვის.',
  webhook: 'ვებჰუკი',
  url: 'HTTPS მისამართი',
  urlHint: 'თუ ცარიელს დატოვებთ, მოვლენები ინსტრუმენტების მისამართზე გაიგზავნება.',
  save: 'შენახვა',
  said: 'შენახულია. შემდეგი მოვლენა იქ გაიგზავნება.',
  test: 'მოსინჯვა',
  testLead: 'ახლავე იგზავნება ერთი ხელმოწერილი test.ping.',
  send: 'საცდელის გაგზავნა',
  delivered: (ms, status) => `მივიდა: მიმღებმა ${ms} მილიწამში უპასუხა, ${status}.`,
  failed: 'არ მივიდა:',
  answer: 'პასუხი',
  attempts: 'მცდელობები',
  failedOnly: 'მხოლოდ წარუმატებელი',
  all: 'ყველა',
  none: 'ჯერ არაფერი გაგზავნილა. მოვლენა ყოველ გადაწყვეტილებას მოსდევს.',
  noneFailed: 'წარუმატებელი არ არის.',
  event: 'მოვლენა',
  when: 'როდის',
  how: 'შედეგი',
  ok: 'მივიდა',
  bad: 'ვერ მივიდა',
  attempt: (number) => `მცდელობა ${number}`,
  next: 'შემდეგი მცდელობა',
  last: 'ეს ბოლო მცდელობა იყო',
  timeline: 'ყველა მცდელობა',
  ofEvent: (id) => `${id}: მცდელობები, ახლებიდან ძველებისკენ.`,
  again: 'ხელახლა გაგზავნა',
  queued: 'ისევ იგზავნება, იმავე ნომრითა და შინაარსით.',
  more: 'უფრო ძველი',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const ON_PAGE = 30

type Page_ = Awaited<ReturnType<typeof deliveriesOf>>
type Delivery = Page_['deliveries'][number]

function againForm(reader: Reader, { at }: Asked, { eventId }: Delivery): Html {
  const words = WORDS[reader.language]
  return html`<form method="post" action="${at}/again">${tokenField(reader.formToken)}<input type="hidden" name="eventId" value="${eventId}"><button class="plain">${words.again}</button></form>`
}

function deliveryRow(reader: Reader, asked: Asked, one: Delivery): Html {
  const words = WORDS[reader.language]
  const ending = one.delivered
    ? badge('good', words.ok)
    : html`${badge('bad', words.bad)} <span lang="en">${seen(one.error ?? '')}</span><span class="meta">${one.retryAt === null ? words.last : html`${words.next}: ${instant(new Date(one.retryAt))}`}</span>`
  const isMail = one.destination === 'mail'
  // A test is sent once, and nothing of it is kept.
  const mayGoAgain = !one.delivered && !isMail && one.event !== 'test.ping'
  return html`<tr><th scope="row"><code>${one.event}</code><span class="meta">${words.attempt(one.attempt)}</span></th>
<td>${instant(new Date(one.attemptedAt))}</td>
<td>${ending}${!isMail && html`<span class="meta"><a href="${asked.at}?event=${one.eventId}">${words.timeline}</a></span>`}
${mayGoAgain && againForm(reader, asked, one)}</td></tr>`
}

const numberOf = (text: string | undefined): number | undefined =>
  /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : undefined

async function attemptsPart(reader: Reader, asked: Asked, { mail }: ConsoleRooms): Promise<Html> {
  const words = WORDS[reader.language]
  const { failed, event, before } = asked.query
  const isFailed = failed === 'true'
  const page = await deliveriesOf(
    reader.ctx,
    {
      limit: ON_PAGE,
      ...(isFailed ? { failed: 'true' as const } : {}),
      ...(event === undefined || event === '' ? {} : { eventId: event.slice(0, 200) }),
      ...(numberOf(before) === undefined ? {} : { before: numberOf(before) }),
    },
    mail.deliveries,
  )
  const older = new URLSearchParams({ ...(isFailed ? { failed: 'true' } : {}), before: String(page.nextBefore) })
  const after = afterOf(asked, 'again')
  return html`<section class="box" id="form-again"><h2>${words.attempts}</h2>
${after !== null && note(after.good, after.note)}${asked.query.said === 'again' && note(true, words.queued)}
<p>${event === undefined ? (isFailed ? html`<a href="${asked.at}">${words.all}</a>` : html`<a href="${asked.at}?failed=true">${words.failedOnly}</a>`) : html`${words.ofEvent(event)} <a href="${asked.at}">${words.all}</a>`}</p>
${
  page.count === 0
    ? html`<p class="lead">${isFailed ? words.noneFailed : words.none}</p>`
    : table(
        words.attempts,
        [words.event, words.when, words.how],
        page.deliveries.map((one) => deliveryRow(reader, asked, one)),
      )
}
${page.nextBefore !== null && html`<p><a href="${asked.at}?${older.toString()}">${words.more}</a></p>`}</section>`
}

export const eventsPage = (rooms: ConsoleRooms): Page => ({
  path: '/console/events',
  name: { en: EN.title, ka: KA.title },
  group: 'setup',
  order: 3,
  asks: { failed: ['true', 'false'], event: 'text', before: PLACE },
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const [webhook, attempts] = await Promise.all([readWebhook(reader.ctx), attemptsPart(reader, asked, rooms)])
    const { effectiveUrl, effectiveSource } = webhook
    const goes =
      effectiveUrl === null
        ? words.nowhere
        : effectiveSource === 'tool_endpoint'
          ? words.toEndpoint(effectiveUrl)
          : words.to(effectiveUrl)
    const now = typedOr(asked, 'save', 'url', webhook.url ?? '')
    const body = html`<h1>${words.title}</h1><p class="lead">${goes}</p>
<section class="box"><h2>${words.webhook}</h2>
${pageForm(reader, asked, {
  name: 'save',
  fields: textField({
    id: 'url',
    label: words.url,
    hint: words.urlHint,
    type: 'url',
    value: now,
    placeholder: 'https://shop.example/assistant/events',
  }),
  button: words.save,
  said: words.said,
  same: { method: 'PUT', path: '/v1/events/webhook', body: { url: now || 'https://shop.example/assistant/events' } },
})}</section>
<section class="box"><h2>${words.test}</h2><p>${words.testLead}</p>
${pageForm(reader, asked, { name: 'test', button: words.send, quiet: true, same: { method: 'POST', path: '/v1/events/test' } })}</section>
${attempts}`
    return { title: words.title, body }
  },
  forms: {
    async save({ ctx }, { form }) {
      await setWebhook(ctx, sent(form, 'url') || null)
      return { kind: 'done' }
    },
    async test({ ctx, language }) {
      const words = WORDS[language]
      const { delivery, answer } = await sendTest(ctx, rooms.sign)
      const text = delivery.delivered
        ? html`<p>${words.delivered(delivery.durationMs, delivery.statusCode)}</p>`
        : html`<p>${words.failed} <span lang="en">${delivery.error}</span></p>`
      const more =
        answer !== null && html`<p>${words.answer}: ${answer.status}</p><pre tabindex="0">${seen(answer.body)}</pre>`
      return { kind: 'shown', good: delivery.delivered, note: html`${text}${more}` }
    },
    async again({ ctx }, { form }) {
      await redeliver(ctx, sent(form, 'eventId').slice(0, 200))
      return { kind: 'done' }
    },
  },
})

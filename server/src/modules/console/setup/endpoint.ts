// Where the tools are called, and a signed call to try it: both sides byte by byte.

import { type Html, html } from '../../../kernel/html/index.ts'
import { cut } from '../../../kernel/json/index.ts'
import {
  badge,
  type ConsoleRooms,
  type Page,
  pageForm,
  type Reader,
  textField,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { seen, sent } from '../../../pages/kit/index.ts'
import { readEndpoint, setEndpoint, testEndpoint } from '../../../tools/calls/index.ts'

const EN = {
  title: 'Endpoint',
  set: (url: string) => `Tools are called at ${url}.`,
  unset: 'Tools have no address yet, so the assistant can look nothing up.',
  imported: (url: string) => `Imported operations are called at ${url}, without an endpoint of your own.`,
  address: 'Address of your tools',
  url: 'HTTPS address',
  urlHint: 'Every call is a signed POST to it. Leave it empty to take it away.',
  save: 'Save',
  said: 'Saved. The next call goes there.',
  test: 'A signed test call',
  testLead: 'One request of no effect. You see exactly what we sent and what came back.',
  send: 'Send it',
  ok: (ms: number) => `It works. The answer took ${ms} ms.`,
  notOk: (ms: number) => `It does not work yet. It took ${ms} ms.`,
  signature: { accepted: 'signature accepted', refused: 'signature refused', unknown: 'signature not known' },
  hints: 'Why the signature may have failed, likeliest first',
  sent: 'What we sent',
  came: 'What came back',
  nothing: 'Nothing came back.',
  cut: 'Only the beginning is shown.',
}
const KA: typeof EN = {
  title: 'ინსტრუმენტების მისამართი',
  set: (url) => `ინსტრუმენტებს ამ მისამართზე ვიძახებთ: ${url}`,
  unset: 'ინსტრუმენტებს მისამართი ჯერ არ აქვს, ამიტომ ასისტენტი ვერაფერს შეამოწმებს.',
  imported: (url) => `იმპორტირებულ ოპერაციებს პირდაპირ ვიძახებთ: ${url}`,
  address: 'თქვენი ინსტრუმენტების მისამართი',
  url: 'HTTPS მისამართი',
  urlHint: 'ყოველი გამოძახება ხელმოწერილი POST მოთხოვნაა. მისამართის მოსახსნელად ველი ცარიელი დატოვეთ.',
  save: 'შენახვა',
  said: 'შენახულია. შემდეგი გამოძახება იქ გაიგზავნება.',
  test: 'ხელმოწერილი საცდელი გამოძახება',
  testLead: 'ერთი მოთხოვნა, რომელიც არაფერს ცვლის. ზუსტად ნახავთ, რა გავგზავნეთ და რა დაგვიბრუნდა.',
  send: 'გაგზავნა',
  ok: (ms) => `მუშაობს. პასუხს ${ms} მილიწამი დასჭირდა.`,
  notOk: (ms) => `ჯერ არ მუშაობს. მცდელობას ${ms} მილიწამი დასჭირდა.`,
  signature: { accepted: 'ხელმოწერა მიიღო', refused: 'ხელმოწერა უარყო', unknown: 'ხელმოწერაზე არაფერი ვიცით' },
  hints: 'რატომ შეიძლება არ მიეღო ხელმოწერა; ყველაზე სავარაუდო პირველია',
  sent: 'რა გავგზავნეთ',
  came: 'რა დაბრუნდა',
  nothing: 'პასუხი არ მოსულა.',
  cut: 'ნაჩვენებია მხოლოდ დასაწყისი.',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

type Tested = Awaited<ReturnType<typeof testEndpoint>>

const LONGEST = 16_000

const bytes = (
  firstLine: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { cut: words }: typeof EN,
): Html => {
  const text = [
    firstLine,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    cut(body, LONGEST),
  ]
  return html`<pre tabindex="0">${seen(text.join('\n'))}</pre>${body.length > LONGEST && html`<p class="meta">${words}</p>`}`
}

function testedNote(
  { language }: Reader,
  { ok, message, signature, signatureHints, request, answer, durationMs }: Tested,
): Html {
  const words = WORDS[language]
  const look = signature === 'accepted' ? 'good' : signature === 'refused' ? 'bad' : 'plain'
  return html`<p><strong>${ok ? words.ok(durationMs) : words.notOk(durationMs)}</strong> ${badge(look, words.signature[signature])}</p>
<p lang="en">${message}</p>
${signatureHints.length > 0 && html`<p>${words.hints}:</p><ol lang="en">${signatureHints.map((hint) => html`<li>${hint}</li>`)}</ol>`}
${request !== null && html`<h3>${words.sent}</h3>${bytes(`POST ${request.url}`, request.headers, request.body, words)}`}
<h3>${words.came}</h3>${answer === null ? html`<p>${words.nothing}</p>` : bytes(String(answer.status), answer.headers, answer.body, words)}`
}

function standing({ ctx, language }: Reader): Html {
  const words = WORDS[language]
  const { url } = readEndpoint(ctx)
  const { apiUrl } = ctx.asking.wiring
  return html`<p class="lead">${url === null ? (apiUrl === null ? words.unset : words.imported(apiUrl)) : words.set(url)}</p>`
}

export const endpointPage = ({ sign }: ConsoleRooms): Page => ({
  path: '/console/endpoint',
  name: { en: EN.title, ka: KA.title },
  group: 'setup',
  order: 2,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const { url } = readEndpoint(reader.ctx)
    const now = typedOr(asked, 'save', 'url', url ?? '')
    const body = html`<h1>${words.title}</h1>${standing(reader)}
<section class="box"><h2>${words.address}</h2>
${pageForm(reader, asked, {
  name: 'save',
  fields: textField({
    id: 'url',
    label: words.url,
    hint: words.urlHint,
    type: 'url',
    value: now,
    placeholder: 'https://shop.example/assistant/tools',
  }),
  button: words.save,
  said: words.said,
  same: { method: 'PUT', path: '/v1/endpoint', body: { url: now || 'https://shop.example/assistant/tools' } },
})}</section>
<section class="box"><h2>${words.test}</h2><p>${words.testLead}</p>
${pageForm(reader, asked, { name: 'test', button: words.send, quiet: true, same: { method: 'POST', path: '/v1/endpoint/test' } })}</section>`
    return { title: words.title, body }
  },
  forms: {
    async save({ ctx }, { form }) {
      await setEndpoint(ctx, sent(form, 'url') || null)
      return { kind: 'done' }
    },
    async test(reader) {
      const tested = await testEndpoint(reader.ctx, sign)
      return { kind: 'shown', good: tested.ok, note: testedNote(reader, tested) }
    },
  },
})

// Slack and Teams: where what waits is posted, who decides there, a message to see it arrive, and why one does not. What was set is
// never shown again.

import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  badge,
  type Outcome,
  type Page,
  pageForm,
  type Reader,
  table,
  textField,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { type Form, instant, seen, sent } from '../../../pages/kit/index.ts'
import { listUsers } from '../../../writes/approvals/index.ts'
import { readSlack, readTeams, removeSlack, removeTeams, setSlack, setTeams, testSlack, testTeams } from '../index.ts'

const EN = {
  title: 'Channels',
  lead: 'What waits for a decision is mailed to those who may approve it. It can be posted in Slack, where a click decides, and in Teams, whose cards lead to the inbox.',
  slack: 'Slack',
  teams: 'Teams',
  unset: 'It is not set.',
  setIn: (place: string) => `It is posted in ${place}.`,
  since: 'since',
  fault: 'Nothing gets through now:',
  address: 'The address for the interactivity of your Slack app. It answers Slack alone.',
  how: 'How the app is made, step by step',
  token: 'Bot token (xoxb-…)',
  secret: 'Signing secret',
  kept: 'Set, and never shown again. Leave it empty to keep it.',
  channel: 'Channel, by its id (C…)',
  saveSlack: 'Try the token and save',
  saidSlack: 'Saved: Slack accepted the token. The next write that waits is posted there.',
  url: 'Address of the workflow',
  urlHint:
    'Of “When a Teams webhook request is received”. It is a credential: it is sealed, and only its host is shown.',
  saveTeams: 'Save',
  saidTeams: 'Saved. The next write that waits is posted there.',
  test: 'Send a test message',
  arrived: 'It arrived. Look into the channel.',
  failed: 'It did not arrive.',
  remove: 'Post nothing more here',
  removed: 'Nothing more is posted there. Messages that stand there decide nothing from now on.',
  people: 'Who decides in Slack',
  peopleLead:
    'Whoever clicks is known by the address that Slack has confirmed of them. It must be that of one active person.',
  person: 'Person',
  mail: 'Address',
  may: 'A click of theirs',
  counts: 'counts',
  noAddress: 'is nobody’s: no address is registered',
  shared: 'decides nothing: two people have this address',
  inactive: 'decides nothing: inactive',
  nobody: 'Nobody is registered yet.',
  register: 'Register people, or give them their address',
  more: (count: number) => `${count} more are not shown here.`,
  mails: 'Mails that did not arrive',
  mailsLead: 'Each mail to those who may approve is an attempt under Events, too.',
  seeMails: 'See what failed',
}
const KA: typeof EN = {
  title: 'არხები',
  lead: 'რაც გადაწყვეტილებას ელოდება, მათ ეგზავნებათ, ვისაც დამტკიცება შეუძლია. იგივე შეიძლება გამოჩნდეს Slack-ში, სადაც ღილაკით წყვეტენ, და Teams-ში, საიდანაც ბარათი გადაწყვეტილებების გვერდზე მიდის.',
  slack: 'Slack',
  teams: 'Teams',
  unset: 'მითითებული არ არის.',
  setIn: (place) => `შეტყობინება იგზავნება აქ: ${place}.`,
  since: 'დაყენდა',
  fault: 'ახლა ვერაფერი მიდის:',
  address: 'მისამართი თქვენი Slack-აპის ინტერაქტიულობისთვის. მხოლოდ Slack-ს პასუხობს.',
  how: 'როგორ იქმნება აპი, ნაბიჯ-ნაბიჯ',
  token: 'ბოტის ტოკენი (xoxb-…)',
  secret: 'ხელმოწერის საიდუმლო',
  kept: 'უკვე შენახულია და აღარ გამოჩნდება. რომ დარჩეს, ველი ცარიელი დატოვეთ.',
  channel: 'არხის იდენტიფიკატორი (C…)',
  saveSlack: 'ტოკენის შემოწმება და შენახვა',
  saidSlack: 'შენახულია: Slack-მა ტოკენი მიიღო. შემდეგი მომლოდინე ცვლილება იქ გამოჩნდება.',
  url: 'სამუშაო პროცესის (workflow) მისამართი',
  urlHint:
    'ტრიგერიდან „When a Teams webhook request is received“. ის საიდუმლოა: დაშიფრული ინახება და მხოლოდ ჰოსტი ჩანს.',
  saveTeams: 'შენახვა',
  saidTeams: 'შენახულია. შემდეგი მომლოდინე ცვლილება იქ გამოჩნდება.',
  test: 'საცდელი შეტყობინების გაგზავნა',
  arrived: 'მივიდა. შეამოწმეთ არხი.',
  failed: 'არ მივიდა.',
  remove: 'აქ აღარაფერი გაიგზავნოს',
  removed: 'იქ აღარაფერი გაიგზავნება. იქ დარჩენილი შეტყობინებები ამიერიდან ვეღარაფერს წყვეტს.',
  people: 'ვინ წყვეტს Slack-ში',
  peopleLead:
    'ვინც ღილაკს აჭერს, იმ ელფოსტით იცნობა, რომელიც Slack-მა დაუდასტურა. ის ერთი აქტიური ადამიანის უნდა იყოს.',
  person: 'ადამიანი',
  mail: 'ელფოსტა',
  may: 'მისი ღილაკი',
  counts: 'ითვლება',
  noAddress: 'არავისია: ელფოსტა მითითებული არ არის',
  shared: 'ვერაფერს წყვეტს: ეს ელფოსტა ორ ადამიანს აქვს',
  inactive: 'ვერაფერს წყვეტს: გათიშულია',
  nobody: 'ჯერ არავინ არის რეგისტრირებული.',
  register: 'დაარეგისტრირეთ ადამიანები ან მიუთითეთ მათი ელფოსტა',
  more: (count) => `კიდევ ${count} აქ არ ჩანს.`,
  mails: 'წერილები, რომლებიც ვერ მივიდა',
  mailsLead: 'ყოველი წერილი მათთვის, ვისაც დამტკიცება შეუძლია, მოვლენებშიც ჩანს.',
  seeMails: 'რა ვერ მივიდა',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

const MOST_SHOWN = 50

type Channel = {
  readonly place: string | null
  readonly setAt: string | null
  readonly fault: { readonly code: string; readonly message: string; readonly at: string } | null
}

function standing({ language }: Reader, { place, setAt, fault }: Channel): Html {
  const words = WORDS[language]
  if (place === null || setAt === null) return html`<p>${words.unset}</p>`
  return html`<p>${seen(words.setIn(place))} <span class="meta">${words.since} ${instant(new Date(setAt))}</span></p>
${fault !== null && html`<p class="note warn">${words.fault} <span lang="en">${fault.message}</span> <code>${fault.code}</code> ${instant(new Date(fault.at))}</p>`}`
}

/** What is done with a channel that is set. */
const afterwards = (reader: Reader, asked: Asked, kind: 'slack' | 'teams'): Html => {
  const words = WORDS[reader.language]
  const path = `/v1/notifications/${kind}`
  return html`${pageForm(reader, asked, { name: `test-${kind}`, button: words.test, quiet: true, same: { method: 'POST', path: `${path}/test` } })}
${pageForm(reader, asked, { name: `remove-${kind}`, button: words.remove, danger: true, same: { method: 'DELETE', path } })}`
}

type Slack = Awaited<ReturnType<typeof readSlack>>

function slackPart(reader: Reader, asked: Asked, { configured, channel, interactionsUrl, setAt, fault }: Slack): Html {
  const words = WORDS[reader.language]
  const hint = configured ? { hint: words.kept } : { required: true }
  const now = typedOr(asked, 'slack', 'channel', channel ?? '')
  const body = configured
    ? { channel: now || 'C0123456789' }
    : { botToken: 'xoxb-…', signingSecret: '…', channel: now || 'C0123456789' }
  return html`<section class="box"><h2>${words.slack}</h2>${standing(reader, { place: channel, setAt, fault })}
<p>${words.address}</p><pre tabindex="0">${interactionsUrl}</pre><p><a href="/docs/slack">${words.how}</a></p>
${pageForm(reader, asked, {
  name: 'slack',
  fields: html`${textField({ id: 'botToken', label: words.token, type: 'password', ...hint })}${textField({ id: 'signingSecret', label: words.secret, type: 'password', ...hint })}${textField({ id: 'channel', label: words.channel, value: now, required: true, placeholder: 'C0123456789' })}`,
  button: words.saveSlack,
  said: words.saidSlack,
  same: { method: 'PUT', path: '/v1/notifications/slack', body },
})}
${configured ? afterwards(reader, asked, 'slack') : removedNote(reader, asked, 'slack')}</section>`
}

const removedNote = ({ language }: Reader, { query }: Asked, kind: string): Html | false =>
  query.said === `remove-${kind}` && html`<p class="note good" role="status">${WORDS[language].removed}</p>`

type Teams = Awaited<ReturnType<typeof readTeams>>

function teamsPart(reader: Reader, asked: Asked, { configured, host, setAt, fault }: Teams): Html {
  const words = WORDS[reader.language]
  return html`<section class="box"><h2>${words.teams}</h2>${standing(reader, { place: host, setAt, fault })}
${pageForm(reader, asked, {
  name: 'teams',
  fields: textField({ id: 'url', label: words.url, hint: words.urlHint, type: 'password', required: true }),
  button: words.saveTeams,
  said: words.saidTeams,
  same: { method: 'PUT', path: '/v1/notifications/teams', body: { url: 'https://…' } },
})}
${configured ? afterwards(reader, asked, 'teams') : removedNote(reader, asked, 'teams')}</section>`
}

type Person = Awaited<ReturnType<typeof listUsers>>['users'][number]

function peoplePart({ language }: Reader, people: readonly Person[]): Html {
  const words = WORDS[language]
  const folded = (email: string) => email.toLowerCase()
  const having = (email: string) => people.filter((one) => one.email !== null && folded(one.email) === folded(email))
  const whyNot = ({ email, active }: Person): string | null =>
    !active ? words.inactive : email === null ? words.noAddress : having(email).length > 1 ? words.shared : null
  const rows = people.slice(0, MOST_SHOWN).map((one) => {
    const why = whyNot(one)
    return html`<tr><th scope="row">${seen(one.displayName)}</th><td>${one.email ?? '—'}</td><td>${badge(why === null ? 'good' : 'warn', why ?? words.counts)}</td></tr>`
  })
  const rest = people.length - MOST_SHOWN
  return html`<section class="box"><h2>${words.people}</h2><p>${words.peopleLead}</p>
${people.length === 0 ? html`<p>${words.nobody}</p>` : table(words.people, [words.person, words.mail, words.may], rows)}
${rest > 0 && html`<p class="meta">${words.more(rest)}</p>`}<p><a href="/console/people">${words.register}</a></p></section>`
}

/** What a field leaves empty stays as it is. */
const given = (form: Form, name: string) => {
  const value = sent(form, name).trim()
  return value === '' ? {} : { [name]: value }
}

type Tested = Awaited<ReturnType<typeof testSlack>>

function testedOutcome({ language }: Reader, { sent, fault }: Tested): Outcome {
  const words = WORDS[language]
  if (sent || fault === null)
    return { kind: 'shown', good: sent, note: html`<p>${sent ? words.arrived : words.failed}</p>` }
  return {
    kind: 'shown',
    good: false,
    note: html`<p>${words.failed} <span lang="en">${fault.message}</span> <code>${fault.code}</code></p>`,
  }
}

export const channelsPage = (): Page => ({
  path: '/console/channels',
  secrets: ['botToken', 'signingSecret', 'url'],
  name: { en: EN.title, ka: KA.title },
  group: 'people',
  order: 2,
  async show(reader, asked) {
    const { ctx, language } = reader
    const words = WORDS[language]
    const [slack, teams, { users }] = await Promise.all([readSlack(ctx), readTeams(ctx), listUsers(ctx)])
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
${slackPart(reader, asked, slack)}${peoplePart(reader, users)}${teamsPart(reader, asked, teams)}
<section class="box"><h2>${words.mails}</h2><p>${words.mailsLead} <a href="/console/events?failed=true">${words.seeMails}</a></p></section>`
    return { title: words.title, body }
  },
  forms: {
    async slack({ ctx }, { form }) {
      await setSlack(ctx, { ...given(form, 'botToken'), ...given(form, 'signingSecret'), ...given(form, 'channel') })
      return { kind: 'done' }
    },
    'test-slack': async (reader) => testedOutcome(reader, await testSlack(reader.ctx)),
    async 'remove-slack'({ ctx }) {
      await removeSlack(ctx)
      return { kind: 'done' }
    },
    async teams({ ctx }, { form }) {
      await setTeams(ctx, sent(form, 'url'))
      return { kind: 'done' }
    },
    'test-teams': async (reader) => testedOutcome(reader, await testTeams(reader.ctx)),
    async 'remove-teams'({ ctx }) {
      await removeTeams(ctx)
      return { kind: 'done' }
    },
  },
})

// The channels: where what waits is posted, who decides there, a message to see it arrive, and why one does not. What was set is
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
import { clicksPath, type Driver, type DriverField, hasClicks } from '../driver.ts'
import { DRIVERS } from '../drivers.ts'
import type { ChannelRow } from '../queries.ts'
import { faultOf, loadChannel, removeChannel, setChannel, testChannel } from '../settings.ts'

const EN = {
  title: 'Channels',
  lead: 'What waits for a decision is mailed to those who may approve it. It can also be posted in these channels.',
  unset: 'It is not set.',
  setIn: (place: string) => `It is posted in ${place}.`,
  since: 'since',
  fault: 'Nothing gets through now:',
  address: (name: string) => `The address for the interactivity of your ${name} app. It answers ${name} alone.`,
  kept: 'Set, and never shown again. Leave it empty to keep it.',
  test: 'Send a test message',
  arrived: 'It arrived. Look into the channel.',
  failed: 'It did not arrive.',
  remove: 'Post nothing more here',
  removed: 'Nothing more is posted there. Messages that stand there decide nothing from now on.',
  people: (name: string) => `Who decides in ${name}`,
  peopleLead: (name: string) =>
    `Whoever clicks is known by the address that ${name} has confirmed of them. It must be that of one active person.`,
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
  lead: 'რაც გადაწყვეტილებას ელოდება, მათ ეგზავნებათ, ვისაც დამტკიცება შეუძლია. იგივე შეიძლება ამ არხებშიც გამოჩნდეს.',
  unset: 'მითითებული არ არის.',
  setIn: (place) => `შეტყობინება იგზავნება აქ: ${place}.`,
  since: 'დაყენდა',
  fault: 'ახლა ვერაფერი მიდის:',
  address: (name) => `მისამართი თქვენი ${name}-აპის ინტერაქტიულობისთვის. მხოლოდ ${name}-ს პასუხობს.`,
  kept: 'უკვე შენახულია და აღარ გამოჩნდება. რომ დარჩეს, ველი ცარიელი დატოვეთ.',
  test: 'საცდელი შეტყობინების გაგზავნა',
  arrived: 'მივიდა. შეამოწმეთ არხი.',
  failed: 'არ მივიდა.',
  remove: 'აქ აღარაფერი გაიგზავნოს',
  removed: 'იქ აღარაფერი გაიგზავნება. იქ დარჩენილი შეტყობინებები ამიერიდან ვეღარაფერს წყვეტს.',
  people: (name) => `ვინ წყვეტს ${name}-ში`,
  peopleLead: (name) =>
    `ვინც ღილაკს აჭერს, იმ ელფოსტით იცნობა, რომელიც ${name}-მა დაუდასტურა. ის ერთი აქტიური ადამიანის უნდა იყოს.`,
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

type ChannelState = { readonly driver: Driver; readonly row: ChannelRow | undefined }

function standing({ language }: Reader, { driver, row }: ChannelState): Html {
  const words = WORDS[language]
  if (row === undefined) return html`<p>${words.unset}</p>`
  const fault = faultOf(driver, row)
  return html`<p>${seen(words.setIn(row.place))} <span class="meta">${words.since} ${instant(row.setAt)}</span></p>
${fault !== null && html`<p class="note warn">${words.fault} <span lang="en">${fault.message}</span> <code>${fault.code}</code> ${instant(new Date(fault.at))}</p>`}`
}

/** What is done with a channel that is set. */
const afterwards = (reader: Reader, asked: Asked, kind: string): Html => {
  const words = WORDS[reader.language]
  const path = `/v1/notifications/${kind}`
  return html`${pageForm(reader, asked, { name: `test-${kind}`, button: words.test, quiet: true, same: { method: 'POST', path: `${path}/test` } })}
${pageForm(reader, asked, { name: `remove-${kind}`, button: words.remove, danger: true, same: { method: 'DELETE', path } })}`
}

const removedNote = ({ language }: Reader, { query }: Asked, kind: string): Html | false =>
  query.said === `remove-${kind}` && html`<p class="note good" role="status">${WORDS[language].removed}</p>`

/** For the app at the other side. */
function appPart({ ctx, language }: Reader, { kind, name, form: { guide }, clicks }: Driver): Html {
  const address = `${ctx.settings.http.publicUrl}${clicksPath(kind, ctx.asking.tenantId)}`
  return html`${clicks !== undefined && html`<p>${WORDS[language].address(name)}</p><pre tabindex="0">${address}</pre>`}
${guide !== undefined && html`<p><a href="${guide.href}">${guide.label[language]}</a></p>`}`
}

function channelPart(reader: Reader, asked: Asked, { driver, row }: ChannelState): Html {
  const { language } = reader
  const { kind, name, form } = driver
  const now = ({ name: field }: DriverField) => typedOr(asked, kind, field, row?.place ?? '')
  const isStored = ({ isSecret, isKept }: DriverField) => row !== undefined && isSecret === true && isKept === true
  const fields = form.fields.map((field) =>
    textField({
      id: `${kind}-${field.name}`,
      name: field.name,
      label: field.label[language],
      ...(isStored(field) ? { hint: WORDS[language].kept } : { required: true }),
      ...(field.hint !== undefined && { hint: field.hint[language] }),
      ...(field.isSecret === true ? { type: 'password' } : { value: now(field), placeholder: field.example }),
    }),
  )
  const sent = form.fields.filter((field) => !isStored(field))
  const body = sent.map((field) => [field.name, field.isSecret === true ? field.example : now(field) || field.example])
  return html`<section class="box"><h2>${name}</h2><p>${form.lead[language]}</p>${standing(reader, { driver, row })}
${appPart(reader, driver)}
${pageForm(reader, asked, {
  name: kind,
  fields: html`${fields}`,
  button: form.save[language],
  said: form.saved[language],
  same: { method: 'PUT', path: `/v1/notifications/${kind}`, body: Object.fromEntries(body) },
})}
${row === undefined ? removedNote(reader, asked, kind) : afterwards(reader, asked, kind)}</section>`
}

type Person = Awaited<ReturnType<typeof listUsers>>['users'][number]

function peoplePart({ language }: Reader, name: string, people: readonly Person[]): Html {
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
  return html`<section class="box"><h2>${words.people(name)}</h2><p>${words.peopleLead(name)}</p>
${people.length === 0 ? html`<p>${words.nobody}</p>` : table(words.people(name), [words.person, words.mail, words.may], rows)}
${rest > 0 && html`<p class="meta">${words.more(rest)}</p>`}<p><a href="/console/people">${words.register}</a></p></section>`
}

/** The request that the form stands for. */
const requestIn = (form: Form, fields: readonly DriverField[]) =>
  Object.fromEntries(
    fields.flatMap(({ name, isKept }) => {
      const value = sent(form, name).trim()
      return isKept === true && value === '' ? [] : [[name, value]]
    }),
  )

type Tested = Awaited<ReturnType<typeof testChannel>>

function testedOutcome({ language }: Reader, { sent, fault }: Tested): Outcome {
  const words = WORDS[language]
  const why = fault !== null && html` <span lang="en">${fault.message}</span> <code>${fault.code}</code>`
  return { kind: 'shown', good: sent, note: html`<p>${sent ? words.arrived : words.failed}${why}</p>` }
}

const formsOf = (driver: Driver): Page['forms'] => ({
  async [driver.kind]({ ctx }, { form }) {
    await setChannel(ctx, driver, requestIn(form, driver.form.fields))
    return { kind: 'done' }
  },
  [`test-${driver.kind}`]: async (reader) => testedOutcome(reader, await testChannel(reader.ctx, driver)),
  async [`remove-${driver.kind}`]({ ctx }) {
    await removeChannel(ctx, driver)
    return { kind: 'done' }
  },
})

export const channelsPage = (): Page => ({
  path: '/console/channels',
  secrets: DRIVERS.flatMap(({ form }) => form.fields.filter(({ isSecret }) => isSecret)).map(({ name }) => name),
  name: { en: EN.title, ka: KA.title },
  group: 'people',
  order: 2,
  async show(reader, asked) {
    const { ctx, language } = reader
    const words = WORDS[language]
    const { users } = await listUsers(ctx)
    const rows = await Promise.all(DRIVERS.map((driver) => loadChannel(ctx, driver)))
    const parts = DRIVERS.map(
      (driver, at) => html`${channelPart(reader, asked, { driver, row: rows[at] })}
${hasClicks(driver) && peoplePart(reader, driver.name, users)}`,
    )
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
${parts}
<section class="box"><h2>${words.mails}</h2><p>${words.mailsLead} <a href="/console/events?failed=true">${words.seeMails}</a></p></section>`
    return { title: words.title, body }
  },
  forms: Object.assign({}, ...DRIVERS.map(formsOf)),
})

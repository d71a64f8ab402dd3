// The keys of the workspace, its address, its two secrets, and what happened to all of them. What is issued is shown once.
import { type AccountEventType, ISSUABLE_KINDS, type KeyKind } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import {
  type Asked,
  afterOf,
  badge,
  choiceField,
  note,
  type Outcome,
  type Page,
  pageForm,
  type Reader,
  table,
  textField,
  tokenField,
  typedOr,
  type Words,
} from '../../../pages/console-kit/index.ts'
import { instant, seen, sent } from '../../../pages/kit/index.ts'
import { askerOf } from '../../../tenancy/access/index.ts'
import {
  issueAccountKey,
  listAccountKeys,
  revokeAccountKey,
  rotateAccountKey,
} from '../../../tenancy/accounts/index.ts'
import { askConfirmation, readConfirmation } from '../../../tenancy/signup/index.ts'
import { listAccountEvents, rotateSigningSecret, setCustomerTokenKey } from '../../../tenancy/tenants/index.ts'

const EN = {
  title: 'Keys and account',
  lead: (count: number) => (count === 1 ? 'One key is live.' : `${count} keys are live.`),
  keys: 'Keys',
  key: 'Key',
  kind: 'For',
  used: 'Last used',
  never: 'never',
  made: 'Issued',
  change: 'Change',
  thisOne: 'you signed in with this one',
  kinds: {
    secret: 'your server',
    publishable: 'pages (publishable)',
    agent: 'an agent',
    inbox: 'a server that signs people in',
    ci: 'a pipeline',
    ci_replace: 'a pipeline that may replace',
    provider: 'its provider',
    provider_inbox: 'the inbox of its provider',
  } as Readonly<Partial<Record<KeyKind, string>>>,
  revoked: 'revoked',
  revoke: 'Revoke',
  rotate: 'Replace',
  revokedSaid: 'Revoked. It is refused from the next request on.',
  olderRevoked: 'Revoked keys',
  issue: 'Issue a key',
  issueKind: 'What for',
  label: 'Label, so that you know it again',
  issueButton: 'Issue it',
  once: 'Copy it now. It is not shown again.',
  replaced: (prefix: string) => `It takes the place of ${prefix}, which stopped at this moment.`,
  sessionEnds: 'You signed in with that key, so this session has ended. Sign in with the new one.',
  address: 'Address',
  confirmed: (email: string) => `${email} is confirmed.`,
  unconfirmed: (email: string) => `${email} is not confirmed. We mailed it a link.`,
  noAddress: 'This workspace has no address.',
  confirmButton: 'Mail the link again',
  confirmSaid: 'A link is on its way.',
  secrets: 'Secrets',
  secretsLead:
    'With the signing secret we sign calls and events; with the customer-token key your server says who is signed in.',
  rotateSecret: 'Replace the signing secret',
  rotateSecretSaid: 'For 24 hours we also sign with the old one in the Standard Webhooks header.',
  tokenKey: 'Issue a customer-token key',
  tokenKeySaid: 'Tokens that were signed with an older one are refused at once.',
  events: 'What happened to the account',
  event: {
    'key.issued': 'A key was issued',
    'key.rotated': 'A key was replaced',
    'key.revoked': 'A key was revoked',
    'account.compromise': 'Everything was revoked after a leak',
    'signing_secret.rotated': 'The signing secret was replaced',
    'customer_token_key.issued': 'A customer-token key was issued',
    'intent.changed': 'It was said what the workspace is for',
    'recovery.requested': 'A link to a new key was asked for',
    'recovery.redeemed': 'A link to a new key was used',
  } as Readonly<Record<AccountEventType, string>>,
  what: 'What',
  when: 'When',
}
const KA: typeof EN = {
  title: 'გასაღებები და ანგარიში',
  lead: (count) => `მოქმედი გასაღებების რაოდენობა: ${count}.`,
  keys: 'გასაღებები',
  key: 'გასაღები',
  kind: 'ვისთვის',
  used: 'ბოლოს გამოიყენეს',
  never: 'არასოდეს',
  made: 'გაიცა',
  change: 'მოქმედება',
  thisOne: 'ამით ხართ შესული',
  kinds: {
    secret: 'თქვენი სერვერი',
    publishable: 'გვერდები (საჯარო)',
    agent: 'აგენტი',
    inbox: 'სერვერი, რომელსაც ხალხი შეჰყავს',
    ci: 'CI',
    ci_replace: 'CI, შეცვლის უფლებით',
    provider: 'პროვაიდერი',
    provider_inbox: 'პროვაიდერის გადაწყვეტილებები',
  },
  revoked: 'გაუქმებულია',
  revoke: 'გაუქმება',
  rotate: 'შეცვლა ახლით',
  revokedSaid: 'გაუქმდა. შემდეგი მოთხოვნიდან აღარ მიიღება.',
  olderRevoked: 'გაუქმებული გასაღებები',
  issue: 'გასაღების გაცემა',
  issueKind: 'რისთვის',
  label: 'იარლიყი, რომ მერე იცნოთ',
  issueButton: 'გაცემა',
  once: 'ახლავე დააკოპირეთ. მეორედ აღარ გამოჩნდება.',
  replaced: (prefix) => `მან ${prefix} ჩაანაცვლა; ძველი ამ წამიდან აღარ მოქმედებს.`,
  sessionEnds: 'სწორედ იმ გასაღებით იყავით შესული, ამიტომ სეანსი დასრულდა. შედით ახლით.',
  address: 'ელფოსტა',
  confirmed: (email) => `${email} დადასტურებულია.`,
  unconfirmed: (email) => `${email} დადასტურებული არ არის. ბმული გამოგზავნილია.`,
  noAddress: 'ამ სამუშაო სივრცეს ელფოსტა არ აქვს.',
  confirmButton: 'ბმულის ხელახლა გაგზავნა',
  confirmSaid: 'ბმული გზაშია.',
  secrets: 'საიდუმლოები',
  secretsLead:
    'ხელმოწერის საიდუმლოთი ვაწერთ ხელს გამოძახებებსა და მოვლენებს; მომხმარებლის ტოკენის გასაღებით თქვენი სერვერი გვეუბნება, ვინ არის შესული.',
  rotateSecret: 'ხელმოწერის საიდუმლოს შეცვლა',
  rotateSecretSaid: '24 საათის განმავლობაში Standard Webhooks-ის სათაურში ძველითაც ვაწერთ ხელს.',
  tokenKey: 'მომხმარებლის ტოკენის გასაღების გაცემა',
  tokenKeySaid: 'ძველით ხელმოწერილი ტოკენები მაშინვე აღარ მიიღება.',
  events: 'რა მოხდა ანგარიშზე',
  event: {
    'key.issued': 'გასაღები გაიცა',
    'key.rotated': 'გასაღები შეიცვალა',
    'key.revoked': 'გასაღები გაუქმდა',
    'account.compromise': 'გაჟონვის გამო ყველაფერი გაუქმდა',
    'signing_secret.rotated': 'ხელმოწერის საიდუმლო შეიცვალა',
    'customer_token_key.issued': 'გაიცა მომხმარებლის ტოკენის გასაღები',
    'intent.changed': 'მიეთითა, რისთვისაა სამუშაო სივრცე',
    'recovery.requested': 'მოითხოვეს ახალი გასაღების ბმული',
    'recovery.redeemed': 'გამოიყენეს ახალი გასაღების ბმული',
  },
  what: 'რა',
  when: 'როდის',
}
const WORDS: Words<typeof EN> = { en: EN, ka: KA }

type Key = Awaited<ReturnType<typeof listAccountKeys>>['keys'][number]

const MOST_REVOKED = 20
const MOST_EVENTS = 30

/** A small form of one key. */
const keyForm = (reader: Reader, { at }: Asked, form: 'revoke' | 'rotate', { prefix }: Key): Html =>
  html`<form method="post" action="${at}/${form}">${tokenField(reader.formToken)}<input type="hidden" name="prefix" value="${prefix}"><button class="plain">${WORDS[reader.language][form]}<span class="hidden"> ${prefix}</span></button></form>`

function keyRow(reader: Reader, asked: Asked, key: Key): Html {
  const words = WORDS[reader.language]
  const isOwn = key.prefix === reader.ctx.asking.keyPrefix
  const isRotatable = key.kind !== 'provider' && key.kind !== 'provider_inbox'
  return html`<tr><th scope="row"><code>${key.prefix}…</code>${key.label !== null && html`<span class="meta">${seen(key.label)}</span>`}${isOwn && html`<span class="meta">${words.thisOne}</span>`}</th>
<td>${words.kinds[key.kind] ?? key.kind}</td><td>${key.lastUsedAt === null ? words.never : instant(new Date(key.lastUsedAt))}</td><td>${instant(new Date(key.createdAt))}</td>
<td>${key.revokedAt === null ? html`${isRotatable && keyForm(reader, asked, 'rotate', key)}${keyForm(reader, asked, 'revoke', key)}` : badge('plain', words.revoked)}</td></tr>`
}

function keysPart(reader: Reader, asked: Asked, keys: readonly Key[]): Html {
  const words = WORDS[reader.language]
  const [live, revoked] = [keys.filter((one) => one.revokedAt === null), keys.filter((one) => one.revokedAt !== null)]
  const heads = [words.key, words.kind, words.used, words.made, words.change]
  const rows = (list: readonly Key[]) => list.map((one) => keyRow(reader, asked, one))
  const after = afterOf(asked, 'revoke') ?? afterOf(asked, 'rotate')
  return html`<section class="box" id="form-revoke"><h2>${words.keys}</h2>
${after !== null && note(after.good, after.note)}${asked.query.said === 'revoke' && note(true, words.revokedSaid)}
${table(words.keys, heads, rows(live))}
${revoked.length > 0 && html`<details><summary>${words.olderRevoked}</summary>${table(words.olderRevoked, heads, rows(revoked.slice(0, MOST_REVOKED)))}</details>`}</section>`
}

function issuePart(reader: Reader, asked: Asked): Html {
  const words = WORDS[reader.language]
  const choices = ISSUABLE_KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] ?? kind }))
  const [kind, label] = [typedOr(asked, 'issue', 'kind', 'agent'), typedOr(asked, 'issue', 'label', '')]
  return html`<section class="box"><h2>${words.issue}</h2>${pageForm(reader, asked, {
    name: 'issue',
    fields: html`${choiceField('kind', words.issueKind, choices, kind)}${textField({ id: 'label', label: words.label, value: label })}`,
    button: words.issueButton,
    same: { method: 'POST', path: '/v1/account/keys', body: { kind, ...(label === '' ? {} : { label }) } },
  })}</section>`
}

type Confirmation = Awaited<ReturnType<typeof readConfirmation>>

function addressPart(reader: Reader, asked: Asked, { email, confirmed }: Confirmation): Html {
  const words = WORDS[reader.language]
  const says = email === null ? words.noAddress : confirmed ? words.confirmed(email) : words.unconfirmed(email)
  const form = pageForm(reader, asked, {
    name: 'confirm',
    button: words.confirmButton,
    said: words.confirmSaid,
    quiet: true,
    same: { method: 'POST', path: '/v1/account/confirmation' },
  })
  return html`<section class="box"><h2>${words.address}</h2><p>${says}</p>${!confirmed && email !== null && form}</section>`
}

function secretsPart(reader: Reader, asked: Asked): Html {
  const words = WORDS[reader.language]
  const form = (name: string, button: string, path: string) =>
    pageForm(reader, asked, { name, button, quiet: true, same: { method: 'POST', path } })
  return html`<section class="box"><h2>${words.secrets}</h2><p>${words.secretsLead}</p>
${form('signing', words.rotateSecret, '/v1/account/signing-secret/rotate')}
${form('customer', words.tokenKey, '/v1/account/customer-token-key')}</section>`
}

async function eventsPart({ ctx, language }: Reader): Promise<Html> {
  const words = WORDS[language]
  const rows = await listAccountEvents(ctx, ctx.asking.tenantId, MOST_EVENTS)
  const shown = rows.map(
    ({ type, at, keyPrefix, detail }) =>
      html`<tr><th scope="row">${words.event[type]}${keyPrefix !== null && html` <code>${keyPrefix}…</code>`}${detail !== null && html`<span class="meta" lang="en">${seen(detail)}</span>`}</th><td>${instant(at)}</td></tr>`,
  )
  return html`<section class="box"><h2>${words.events}</h2>${table(words.events, [words.what, words.when], shown)}</section>`
}

/** Shows once what was just issued. */
const once = ({ language }: Reader, secret: string, more: Html | string = ''): Outcome => ({
  kind: 'shown',
  good: true,
  once: true,
  note: html`<p>${WORDS[language].once}</p><pre tabindex="0">${secret}</pre>${more !== '' && html`<p>${more}</p>`}`,
})

export const keysPage = (): Page => ({
  path: '/console/keys',
  name: { en: EN.title, ka: KA.title },
  group: 'people',
  order: 3,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const [{ keys }, confirmation, events] = await Promise.all([
      listAccountKeys(reader.ctx),
      readConfirmation(reader.ctx),
      eventsPart(reader),
    ])
    const live = keys.filter((one) => one.revokedAt === null).length
    const body = html`<h1>${words.title}</h1><p class="lead">${words.lead(live)}</p>
${keysPart(reader, asked, keys)}${issuePart(reader, asked)}${addressPart(reader, asked, confirmation)}${secretsPart(reader, asked)}${events}`
    return { title: words.title, body }
  },
  forms: {
    async issue(reader, { form }) {
      const label = sent(form, 'label').trim().slice(0, 120)
      const { key } = await issueAccountKey(reader.ctx, {
        kind: sent(form, 'kind'),
        ...(label === '' ? {} : { label }),
      })
      return once(reader, key)
    },
    async rotate(reader, { form }) {
      const prefix = sent(form, 'prefix')
      const words = WORDS[reader.language]
      const { key } = await rotateAccountKey(reader.ctx, prefix)
      const ends = prefix === reader.ctx.asking.keyPrefix && html` ${words.sessionEnds}`
      return once(reader, key, html`${words.replaced(prefix)}${ends}`)
    },
    async revoke({ ctx }, { form }) {
      await revokeAccountKey(ctx, sent(form, 'prefix'))
      return { kind: 'done' }
    },
    async confirm({ ctx, language }) {
      await askConfirmation(ctx, { language })
      return { kind: 'done' }
    },
    async signing(reader) {
      const secret = await rotateSigningSecret(reader.ctx, askerOf(reader.ctx.asking))
      return once(reader, secret, WORDS[reader.language].rotateSecretSaid)
    },
    async customer(reader) {
      const key = await setCustomerTokenKey(reader.ctx, askerOf(reader.ctx.asking))
      return once(reader, key, WORDS[reader.language].tokenKeySaid)
    },
  },
})

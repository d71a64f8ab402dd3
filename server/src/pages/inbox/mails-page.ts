import { Language } from '@tether/contract'
import { html } from '../../kernel/html/index.ts'
import type { Answer } from '../../kernel/http/index.ts'
import { sendsMail } from '../../tenancy/mail/index.ts'
import { waitingNow } from '../../writes/decisions/index.ts'
import { choicesOf, choose, type NoticeChoices, WANTED } from '../../writes/notices/index.ts'
import { type Form, field, seeOther } from '../kit/index.ts'
import { formToken, personsPage } from './layout.ts'
import { type Person, pageAnswer } from './visit.ts'

const PATH = '/inbox/mails'
const NAMES: Readonly<Record<Language, string>> = { ka: 'ქართული', en: 'English' }

const who = ({ session }: Person) => ({ tenantId: session.tenantId, personId: session.person.id })

export async function showMails(person: Person, said: string | undefined, cookie: string | null): Promise<Answer> {
  const [choices, waiting] = await Promise.all([choicesOf(person.ctx, who(person)), waitingNow(person.ctx)])
  const { mails } = person.words
  const body = html`<h1>${mails.heading}</h1>
<p class="lead">${mails.lead}</p>
${said === 'saved' && html`<p class="note good" role="status" tabindex="-1" autofocus id="outcome">${mails.saved}</p>`}
${!sendsMail(person.ctx.settings) && html`<p class="note">${mails.noMail}</p>`}
${choicesForm(person, choices)}`
  return pageAnswer({
    html: personsPage(person, { title: mails.heading, body, path: PATH, at: 'mails', waiting: waiting.count }),
    cookie,
  })
}

function choicesForm(person: Person, { wanted, language }: NoticeChoices) {
  const { mails } = person.words
  const reads = language ?? person.language
  return html`<form method="post" action="${PATH}" class="choices">${formToken(person)}
<fieldset><legend>${mails.which}</legend>
${WANTED.map((one) => html`<label class="check"><input type="radio" name="wanted" value="${one}"${one === wanted && html` checked`}> <span>${mails.wanted[one]}</span></label>`)}
</fieldset>
<label for="language">${mails.language}</label>
<select id="language" name="language">${Language.options.map((one) => html`<option value="${one}"${one === reads && html` selected`}>${NAMES[one]}</option>`)}</select>
<p class="bar"><button>${mails.save}</button></p>
</form>`
}

export async function saveMails(person: Person, form: Form): Promise<Answer> {
  const wanted = WANTED.find((one) => one === field(form, 'wanted'))
  const language = Language.options.find((one) => one === field(form, 'language'))
  if (wanted === undefined || language === undefined) return seeOther(PATH)
  await choose(person.ctx, who(person), { wanted, language })
  return seeOther(`${PATH}?said=saved`)
}

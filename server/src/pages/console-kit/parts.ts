// What several pages of the console are made of.

import type { Block, Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { seen } from '../kit/index.ts'
import { tokenField } from './frame.ts'
import type { After, Asked, Reader } from './page.ts'
import { WORDS } from './words.ts'

/** A call of the API that does what a form does. A body that is a text is what stands on the line, such as `@file`. */
export type SameCall = { readonly method: string; readonly path: string; readonly body?: unknown }

type FormParts = {
  readonly name: string
  readonly fields?: Html
  readonly button: string
  /** A second thing that its fields are sent to, which is a form of the page, too. */
  readonly also?: { readonly name: string; readonly button: string }
  readonly same?: SameCall
  /** What stands above it after it worked. */
  readonly said?: string
  readonly quiet?: boolean
  readonly danger?: boolean
  /** It has a field for a file. */
  readonly files?: boolean
  /** Where the script of the page shows what the form tells while it is at work: the id of a part of the page. */
  readonly tellsIn?: string
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function curl({ method, path, body }: SameCall): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const text = typeof body === 'string' ? body : shellQuoted(JSON.stringify(body ?? {}))
  const sent = body === undefined ? '' : ` \\\n  -d ${text}`
  return `curl${verb} "$TETHER_BASE_URL${path}" -H "X-Api-Key: $TETHER_API_KEY"${sent}`
}

export const sameCall = ({ language }: Pick<Reader, 'language'>, call: SameCall): Html =>
  html`<details class="same"><summary>${WORDS[language].same}</summary><pre tabindex="0">${curl(call)}</pre></details>`

/** The focus goes to what changed. */
export const note = (good: boolean, content: Html | string): Html =>
  html`<div class="note ${good ? 'good' : 'bad'}" role="${good ? 'status' : 'alert'}" tabindex="-1" autofocus>${content}</div>`

export const afterOf = ({ after }: Asked, name: string): After | null => (after?.form === name ? after : null)

/** What stands above the form that was sent last. */
function outcomeOf(reader: Reader, asked: Asked, { name, also, said }: FormParts): Html | false {
  const after = afterOf(asked, name) ?? (also === undefined ? null : afterOf(asked, also.name))
  if (after !== null) return note(after.good, after.note)
  return asked.query.said === name && note(true, said ?? WORDS[reader.language].saved)
}

/** A form that is sent to the page that shows it. */
export function pageForm(reader: Reader, asked: Asked, form: FormParts): Html {
  const { name, fields, button, also, same, quiet = false, danger = false, files = false, tellsIn } = form
  const look = danger ? html` class="danger"` : quiet && html` class="quiet"`
  return html`<form method="post" action="${asked.at}/${name}" id="form-${name}"${files && html` enctype="multipart/form-data"`}${tellsIn !== undefined && html` data-tells-in="${tellsIn}"`}>${tokenField(reader.formToken)}
${outcomeOf(reader, asked, form)}
${fields}
<p class="bar"><button${look}>${button}</button>${also !== undefined && html` <button class="quiet" formaction="${asked.at}/${also.name}">${also.button}</button>`}</p>
</form>
${same !== undefined && sameCall(reader, same)}`
}

/** What was typed into the form that was sent, or else, and where it came without that field, what is so now. */
export function typedOr(asked: Asked, form: string, name: string, now: string): string {
  const typed = afterOf(asked, form)?.typed ?? {}
  return member(typed, name)?.at(-1) ?? now
}

type TextField = {
  readonly id: string
  /** Where two forms of a page have a field of one name. */
  readonly name?: string
  readonly label: string
  readonly value?: string
  readonly hint?: string
  readonly type?: string
  readonly required?: boolean
  readonly placeholder?: string
}

export const textField = ({ id, name = id, label, value = '', hint, type = 'text', ...more }: TextField): Html =>
  html`<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${more.required === true && html` required`}${more.placeholder !== undefined && html` placeholder="${more.placeholder}"`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>`

type AreaField = Pick<TextField, 'id' | 'label' | 'value' | 'hint' | 'required'> & { readonly rows?: number }

export const areaField = ({ id, label, value = '', hint, required, rows = 12 }: AreaField): Html =>
  html`<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<textarea id="${id}" name="${id}" rows="${rows}" autocapitalize="none" spellcheck="false"${required === true && html` required`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
${value}</textarea>`

type FileField = Pick<TextField, 'id' | 'label' | 'hint'> & { readonly accept: string }

export const fileField = ({ id, label, hint, accept }: FileField): Html =>
  html`<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${id}" type="file" accept="${accept}"${hint !== undefined && html` aria-describedby="${id}-hint"`}>`

/** A box that is not ticked is left out by browsers. This says in its place that it was there. */
const unticked = (name: string): Html => html`<input type="hidden" name="${name}" value="no">`

type Box = { readonly isChecked?: boolean; readonly required?: boolean }

export const box = (name: string, { isChecked = false, required = false }: Box = {}): Html =>
  html`${unticked(name)}<input type="checkbox" name="${name}" value="yes"${isChecked && html` checked`}${required && html` required`}>`

export const checkField = (name: string, label: string, about: Box = {}): Html =>
  html`<label class="check">${box(name, about)} <span>${label}</span></label>`

type Choice = { readonly value: string; readonly label: string }

export const choiceField = (id: string, label: string, choices: readonly Choice[], chosen: string): Html =>
  html`<label for="${id}">${label}</label>
<select id="${id}" name="${id}">${choices.map((one) => html`<option value="${one.value}"${one.value === chosen && html` selected`}>${one.label}</option>`)}</select>`

/** A table that scrolls within itself where the screen is narrow. */
export const table = (caption: string, heads: readonly (Html | string)[], rows: readonly Html[]): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

export const badge = (sort: 'good' | 'warn' | 'bad' | 'plain', text: string): Html =>
  html`<span class="badge ${sort}">${text}</span>`

// The parts of an answer as somebody reads them afterwards. What a model wrote is text, and nothing else.

const text = (value: unknown): readonly (Html | string)[] =>
  seen(value === null || value === undefined ? '' : String(value))

const heading = (title: string | undefined): Html | false =>
  title !== undefined && html`<p><strong>${text(title)}</strong></p>`

export function blockPart(block: Block): Html {
  switch (block.type) {
    case 'text':
      return html`<p class="said">${text(block.markdown)}</p>`
    case 'kpi':
      return html`<p>${text(block.label)}: <strong>${text(block.value)} ${text(block.unit)}</strong></p>`
    case 'table':
      return html`${heading(block.title)}<table><tbody>${block.rows.map((row) => html`<tr>${block.columns.map(({ key }) => html`<td>${text(member(row, key))}</td>`)}</tr>`)}</tbody></table>`
    case 'ranked_list':
      return html`${heading(block.title)}<ol>${block.items.map(({ label, value, detail }) => html`<li>${text(label)} ${text(value)} <span class="meta">${text(detail)}</span></li>`)}</ol>`
    case 'stacked_bar':
      return html`${heading(block.title)}<ul>${block.categories.map((name, at) => html`<li>${text(name)}: ${block.series.map((one) => html`${text(one.name)} ${text(one.values[at])} `)}</li>`)}</ul>`
    case 'quick_replies':
      return html`<p class="meta">${block.replies.map(({ label }) => html`[${text(label)}] `)}</p>`
    case 'footnote':
      return html`<p class="meta">${text(block.text)} ${block.url !== undefined && html`<code>${text(block.url)}</code>`}</p>`
  }
}

// Days and amounts as a reader of each language writes them. The server knows the Georgian ones; many browsers do not.

const DAYS = {
  en: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
  ka: new Intl.DateTimeFormat('ka-GE', { day: 'numeric', month: 'long', timeZone: 'UTC' }),
}
export const dayText = (day: Date, language: Language): string => DAYS[language].format(day)

const NUMBERS = { en: new Intl.NumberFormat('en-GB'), ka: new Intl.NumberFormat('ka-GE') }
export const count = (number: number, language: Language): string => NUMBERS[language].format(number)

const MONEY = {
  en: new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
  ka: new Intl.NumberFormat('ka-GE', { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
}
/** In US dollars, which models are paid in. */
export const money = (usd: number, language: Language): string =>
  language === 'ka' ? `${MONEY.ka.format(usd)} $` : `$${MONEY.en.format(usd)}`

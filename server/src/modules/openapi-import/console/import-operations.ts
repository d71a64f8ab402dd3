// The operations of a draft, some at a time: each is declared by hand, or many of them at once. Nothing is chosen beforehand.

import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, member } from '../../../kernel/json/index.ts'
import {
  type Asked,
  badge,
  box,
  choiceField,
  count,
  note,
  pageForm,
  type Reader,
  textField,
} from '../../../pages/console-kit/index.ts'
import { type Form, seen, sent } from '../../../pages/kit/index.ts'
import { type Choice, type DraftOverview, operationsOf, type Said } from '../drafts/index.ts'
import { WORDS } from './import-words.ts'

const ON_PAGE = 25
const LONGEST_PATH = 160
const LONGEST_TEXT = 220
const FILTERS = ['state', 'method', 'section', 'words'] as const
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

/** What is asked for, or else what is still to be declared. */
export function filtersOf({ query }: Pick<Asked, 'query'>, { methods }: DraftOverview): Filters {
  const isOpen = methods.some(({ open }) => open > 0)
  const { method = '', section = '', words = '' } = query
  return { state: query.state ?? (isOpen ? 'open' : 'all'), method, section, words: words.trim().slice(0, 100) }
}

const addressOf = (at: string, filters: Filters, more: Record<string, string> = {}): string =>
  `${at}?${new URLSearchParams({ ...given(filters), ...more })}`

const given = (filters: Filters) =>
  Object.fromEntries(FILTERS.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])))

/** The filters that stood beside a form, as it was sent. */
export const backTo = (form: Form): string => {
  const [state, method, section, words] = FILTERS.map((name) => sent(form, name).slice(0, 200))
  return addressOf('/console/import', {
    state: state ?? '',
    method: method ?? '',
    section: section ?? '',
    words: words ?? '',
  })
}

export const hiddenDraft = ({ draftId }: Pick<DraftOverview, 'draftId'>): Html =>
  html`<input type="hidden" name="draft" value="${draftId}">`

const hiddenFilters = (filters: Filters): Html =>
  html`${Object.entries(filters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

type Operation = Awaited<ReturnType<typeof operationsOf>>['operations'][number]

const CHOICES = ['read', 'low', 'elevated', 'high', 'skip'] as const

/** A write is chosen by its risk. */
const chosenOf = ({ choice, risk }: Operation): string | null => (choice === 'write' ? (risk ?? 'low') : choice)

function operationItem({ language }: Reader, operation: Operation): Html {
  const words = WORDS[language]
  const { place, name, method, path, description, inputs, change, deprecated, fault, requiresCustomer } = operation
  const chosen = chosenOf(operation)
  const choices = change === 'same' ? [...CHOICES, 'keep'] : CHOICES
  const badges = [change === 'added' && 'added', change === 'changed' && 'changed', deprecated && 'deprecated'].filter(
    (one) => one !== false,
  )
  return html`<li class="box"><fieldset><legend><code>${method} ${cut(path, LONGEST_PATH)}</code> <span class="meta">${name}</span>${badges.map((one) => html` ${badge(one === 'deprecated' ? 'plain' : 'warn', member(words.badges, one) ?? one)}`)}</legend>
${description !== '' && html`<p>${seen(cut(description, LONGEST_TEXT))}</p>`}
${inputs !== '' && html`<p class="meta">${words.inputs}: ${cut(inputs, LONGEST_TEXT)}</p>`}
${fault !== null && html`<p class="fault" lang="en">${seen(cut(fault, 600))}</p>`}
<p class="choices">${choices.map((one) => html`<label><input type="radio" name="c${place}" value="${one}"${one === chosen && html` checked`}> ${member(words.choices, one)}</label>`)}
<label>${box(`u${place}`, { isChecked: requiresCustomer })} ${words.customer}</label></p></fieldset></li>`
}

const isChoice = (value: string): boolean => value === 'keep' || CHOICES.some((one) => one === value)

/** What one of the choices says. */
export function saidBy(value: string): Pick<Said, 'choice' | 'risk'> | null {
  if (!isChoice(value)) return null
  return value === 'low' || value === 'elevated' || value === 'high'
    ? { choice: 'write', risk: value }
    : { choice: value as Choice, risk: null }
}

/** Whatever is not chosen is not declared. */
export function saidIn(form: Form): Said[] {
  return Object.keys(form).flatMap((name) => {
    const place = /^c(\d{1,5})$/.exec(name)?.[1]
    const said = place === undefined ? null : saidBy(sent(form, name))
    return said === null ? [] : [{ ...said, place: Number(place), customer: sent(form, `u${place}`) === 'yes' }]
  })
}

const anyOr = (label: string, choices: readonly { value: string; label: string }[]) => [
  { value: '', label },
  ...choices,
]

function methodChoices({ language }: Reader, { methods }: DraftOverview) {
  const words = WORDS[language]
  return anyOr(
    words.any,
    methods.map(({ method, open }) => ({ value: method, label: words.methodOpen(method, count(open, language)) })),
  )
}

const sectionChoices = ({ language }: Reader, { sections }: DraftOverview) =>
  anyOr(
    WORDS[language].any,
    sections.map(({ section, open }) => ({
      value: section,
      label: WORDS[language].methodOpen(cut(section, 60), count(open, language)),
    })),
  )

export function bulkPart(reader: Reader, asked: Asked, draft: DraftOverview): Html {
  const { language } = reader
  const words = WORDS[language]
  const open = draft.methods.reduce((sum, one) => sum + one.open, 0)
  const same = draft.methods.reduce((sum, one) => sum + one.sameOpen, 0)
  if (open === 0) return html``
  const says = anyOr(
    words.choose,
    CHOICES.map((value) => ({ value, label: words.choices[value] ?? value })),
  )
  const fields = html`${hiddenDraft(draft)}<div class="filters">
<div>${choiceField('bulkMethod', words.method, methodChoices(reader, draft), '')}</div>
${draft.sections.length > 1 ? html`<div>${choiceField('bulkSection', words.section, sectionChoices(reader, draft), '')}</div>` : html`<input type="hidden" name="bulkSection" value="">`}
<div>${choiceField('say', words.say, says, '')}</div></div>`
  return html`<section class="box"><h2>${words.bulk}</h2><p>${words.bulkLead}</p>
${pageForm(reader, asked, { name: 'bulk', fields, button: words.declareMany, quiet: true })}
${same > 0 && pageForm(reader, asked, { name: 'keep', fields: hiddenDraft(draft), button: words.unchanged(count(same, language)), quiet: true })}</section>`
}

function filterForm(reader: Reader, asked: Asked, draft: DraftOverview, filters: Filters): Html {
  const words = WORDS[reader.language]
  const states = Object.entries(words.states).map(([value, label]) => ({ value, label }))
  return html`<form method="get" action="${asked.at}" class="filters">
<div>${choiceField('state', words.state, states, filters.state)}</div>
<div>${choiceField('method', words.method, methodChoices(reader, draft), filters.method)}</div>
${draft.sections.length > 1 && html`<div>${choiceField('section', words.section, sectionChoices(reader, draft), filters.section)}</div>`}
<div>${textField({ id: 'words', label: words.words, value: filters.words })}</div>
<button class="quiet">${words.find}</button></form>`
}

const STATES = ['open', 'declared', 'faults', 'changed'] as const

export async function operationsPart(reader: Reader, asked: Asked, draft: DraftOverview): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const filters = filtersOf(asked, draft)
  const page = /^[1-9]\d{0,3}$/.test(asked.query.page ?? '') ? Number(asked.query.page) : 1
  const skipped = (page - 1) * ON_PAGE
  const { operations, fitting } = await operationsOf(ctx, {
    draftId: draft.draftId,
    state: STATES.find((one) => one === filters.state) ?? null,
    method: filters.method || null,
    section: filters.section || null,
    words: filters.words || null,
    most: ON_PAGE,
    skipped,
  })
  const link = (to: number, label: string) =>
    html` <a href="${addressOf(asked.at, filters, { page: String(to) })}">${label}</a>`
  const pages = html`<p>${words.page(count(skipped + 1, language), count(skipped + operations.length, language), count(fitting, language))}${page > 1 && link(page - 1, words.earlier)}${skipped + operations.length < fitting && link(page + 1, words.later)}</p>`
  const list = html`${hiddenDraft(draft)}${hiddenFilters(filters)}<ol class="plain operations">${operations.map((one) => operationItem(reader, one))}</ol>`
  const { after, query } = asked
  // Without operations there is no form that would say it.
  const said =
    after?.form === 'declare' ? note(after.good, after.note) : query.said === 'declare' && note(true, words.saved)
  return html`<section id="operations"><h2>${words.operations}</h2>
${filterForm(reader, asked, draft, filters)}
${operations.length === 0 ? html`${said}<p class="lead">${words.none}</p>` : html`${pages}${pageForm(reader, asked, { name: 'declare', fields: list, button: words.declare, said: words.saved })}`}</section>`
}

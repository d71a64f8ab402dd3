// An API from its OpenAPI document, in the steps of the interface: the draft, what a person declares of it, the import, the registration.
import type { Language } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import { cut } from '../../../kernel/json/index.ts'
import {
  type Asked,
  type ConsoleVerbs,
  checkField,
  count,
  note,
  type Outcome,
  type Page,
  type Posted,
  pageForm,
  type Reader,
  type Take,
} from '../../../pages/console-kit/index.ts'
import { type Form, instant, seen, sent } from '../../../pages/kit/index.ts'
import {
  type DraftMoved,
  type DraftOverview,
  declareOpen,
  declareOperations,
  forgetDraft,
  importDraft,
  readDraft,
  registerDraft,
} from '../drafts/index.ts'
import { backTo, bulkPart, hiddenDraft, operationsPart, saidBy, saidIn } from './import-operations.ts'
import {
  BODY_LIMIT,
  credentialFields,
  credentialIn,
  type ImportRooms,
  sourcePart,
  takeApi,
  takeDocument,
} from './import-source.ts'
import { WORDS } from './import-words.ts'

const MOST_LISTED = 20
const LONGEST_LINE = 400

const sumOf = (
  { methods }: DraftOverview,
  name: 'open' | 'reads' | 'writes' | 'same' | 'sameOpen' | 'changed',
): number => methods.reduce((sum, one) => sum + one[name], 0)

/** The first of them, and how many more there are. */
function listed({ language }: Pick<Reader, 'language'>, lines: readonly Html[]): Html {
  const rest = lines.length - MOST_LISTED
  return html`<ul>${lines.slice(0, MOST_LISTED).map((line) => html`<li>${line}</li>`)}</ul>${rest > 0 && html`<p class="meta">${WORDS[language].more(count(rest, language))}</p>`}`
}

type Said = { readonly operation: string | null; readonly message: string }
const saidLine = ({ operation, message }: Said): Html =>
  html`${operation !== null && html`<code>${cut(operation, 100)}</code> `}<span lang="en">${seen(cut(message, LONGEST_LINE))}</span>`

/** What a form came to that no longer stands on the page: nothing is left for it to do. */
function strayNote(asked: Asked, forms: readonly string[]): Html | false {
  const { after } = asked
  return after !== null && !forms.includes(after.form) && note(after.good, after.note)
}

/** The forms that stand on the page of a draft as it is now. */
function formsOf(draft: DraftOverview): readonly string[] {
  const isOpen = sumOf(draft, 'open') > 0
  const isAlike = sumOf(draft, 'sameOpen') > 0
  return [
    'declare',
    'import',
    'forget',
    ...(isOpen ? ['bulk'] : []),
    ...(isAlike ? ['keep'] : []),
    ...(draft.importedAt === null ? [] : ['register']),
  ]
}

function standing(reader: Reader, asked: Asked, draft: DraftOverview): Html {
  const { language } = reader
  const words = WORDS[language]
  const [open, reads, writes] = [sumOf(draft, 'open'), sumOf(draft, 'reads'), sumOf(draft, 'writes')]
  const [same, changed] = [sumOf(draft, 'same'), sumOf(draft, 'changed')]
  const { total, removed, notes, baseUrl, keptUntil } = draft
  const rest = total - open - reads - writes
  const number = (value: number) => count(value, language)
  return html`<p class="lead">${open > 0 ? words.open(number(open), number(total)) : words.allDeclared(number(total))}</p>
${asked.query.said === 'draft' && note(true, words.drafted)}${strayNote(asked, formsOf(draft))}
<section class="box"><progress max="${total}" value="${total - open}" aria-label="${words.operations}"></progress>
<p>${words.counts(number(reads), number(writes), number(rest))} ${words.calledAt(baseUrl)}</p>
<p class="meta">${words.keptUntil} ${instant(keptUntil)}</p>
${same + changed > 0 && html`<p>${words.changes(number(changed), number(same))}</p>`}
${
  removed.length > 0 &&
  html`<p>${words.removed}</p>${listed(
    reader,
    removed.map(
      ({ name, method, path }) => html`<code>${name}</code> <span class="meta">${method} ${cut(path, 160)}</span>`,
    ),
  )}`
}
${notes.length > 0 && html`<details><summary>${words.notes(number(notes.length))}</summary>${listed(reader, notes.map(saidLine))}</details>`}</section>`
}

function importPart(reader: Reader, asked: Asked, draft: DraftOverview): Html {
  const { language } = reader
  const words = WORDS[language]
  const open = sumOf(draft, 'open')
  const fields = html`${hiddenDraft(draft)}${open > 0 ? checkField('skipUndeclared', words.skipUndeclared(count(open, language))) : html`<input type="hidden" name="skipUndeclared" value="no">`}<details><summary>${words.api}</summary>${credentialFields(reader)}</details>`
  return html`<section class="box"><h2>${words.import}</h2><p>${words.importLead}</p>
${pageForm(reader, asked, { name: 'import', fields, button: words.importButton, same: { method: 'POST', path: '/v1/tools/import', body: '@import.json' } })}</section>
${
  draft.importedAt !== null &&
  html`<section class="box"><h2>${words.register}</h2><p>${words.registerLead}</p>
${pageForm(reader, asked, { name: 'register', fields: html`${hiddenDraft(draft)}<input type="hidden" name="seen" value="${reader.ctx.asking.wiring.catalogVersion}">`, button: words.registerButton, same: { method: 'PUT', path: '/v1/tools', body: '@catalog.json' } })}</section>`
}
${pageForm(reader, asked, { name: 'forget', fields: hiddenDraft(draft), button: words.forget, danger: true })}`
}

const draftIn = (form: Form): string => {
  const id = sent(form, 'draft')
  return /^[0-9a-f-]{36}$/.test(id) ? id : '00000000-0000-0000-0000-000000000000'
}

type Refused = { readonly error: string; readonly faults: readonly Said[] }

/** Where each fault is, too: they are found by their state. */
function refusedNote(reader: Reader, { error, faults }: Refused): Outcome {
  const words = WORDS[reader.language]
  const isPlaced = faults.some(({ operation }) => operation !== null)
  const lines =
    faults.length === 0 ? html`<p lang="en">${seen(cut(error, 2_000))}</p>` : listed(reader, faults.map(saidLine))
  const link = isPlaced && html`<p><a href="/console/import?state=faults">${words.seeFaults}</a></p>`
  return { kind: 'shown', good: false, note: html`<p>${words.refused}</p>${lines}${link}` }
}

/** Which tools somebody else has registered, changed or taken away in between. */
function movedNote({ language }: Reader, { from, to, difference }: DraftMoved): Outcome {
  const words = WORDS[language]
  const { added = [], changed = [], removed = [] } = difference ?? {}
  const line = (heading: string, names: readonly string[]) => {
    const rest = names.length - MOST_LISTED
    return (
      names.length > 0 &&
      html`<p>${heading}: ${names.slice(0, MOST_LISTED).map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}${rest > 0 && ` ${words.more(count(rest, language))}`}</p>`
    )
  }
  const tools = changed.map(({ tool }) => tool)
  const link = html`<p><a href="/console/catalog?from=${from}&to=${to}">${words.seeDifference}</a></p>`
  const note = html`<p>${words.moved(from, to)}</p>${line(words.movedAdded, added)}${line(words.movedChanged, tools)}${line(words.movedRemoved, removed)}${from > 0 && link}<p>${words.movedAgain}</p>`
  return { kind: 'shown', good: false, note }
}

async function takeImport(reader: Reader, { form }: Posted, rooms: ImportRooms): Promise<Outcome> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const skipUndeclared = sent(form, 'skipUndeclared') === 'yes'
  const made = await importDraft(ctx, { draftId: draftIn(form), skipUndeclared, ...credentialIn(form) }, rooms)
  if (made.kind === 'refused') return refusedNote(reader, made)
  const { toolCount, writeToolCount, estimatedTokens, warnings, notes } = made.answer
  const [tools, writes, tokens] = [toolCount, writeToolCount, estimatedTokens].map((one) => count(one, language))
  const lines = warnings.map(({ operation, parameter, message }) =>
    saidLine({ operation: parameter === null ? operation : `${operation}.${parameter}`, message }),
  )
  const more = html`${lines.length > 0 && html`<p>${words.warnings}</p>${listed(reader, lines)}`}${notes.length > 0 && html`<p>${words.notes(count(notes.length, language))}</p>${listed(reader, notes.map(saidLine))}`}`
  const text = html`<p>${words.imported(tools ?? '', writes ?? '', tokens ?? '')}</p>${more}`
  return { kind: 'shown', good: true, note: text }
}

async function takeRegister(reader: Reader, { form }: Posted, parts: ImportRooms & ConsoleVerbs): Promise<Outcome> {
  const [draftId, seen] = [draftIn(form), sent(form, 'seen')]
  const made = await registerDraft(reader.ctx, { draftId, seen: /^\d{1,9}$/.test(seen) ? Number(seen) : 0 }, parts)
  if (made.kind === 'moved') return movedNote(reader, made)
  return made.kind === 'registered' ? { kind: 'done' } : refusedNote(reader, made)
}

async function takeBulk({ ctx, language }: Reader, { form }: Posted): Promise<Outcome> {
  const words = WORDS[language]
  const [draftId, said] = [draftIn(form), saidBy(sent(form, 'say'))]
  const [method, section] = [sent(form, 'bulkMethod') || null, sent(form, 'bulkSection') || null]
  if (said === null) return { kind: 'shown', good: false, note: html`<p>${words.say}: ${words.choose}.</p>` }
  const declared = await declareOpen(ctx, { draftId, method, section, ...said })
  return declaredMany(language, declared)
}

const declaredMany = (language: Language, declared: number): Outcome => ({
  kind: 'shown',
  good: true,
  note: html`<p>${WORDS[language].declaredMany(count(declared, language))}</p>`,
})

const draftForms = (rooms: ImportRooms, verbs: ConsoleVerbs): Readonly<Record<string, Take>> => ({
  draft: (reader, posted) => takeDocument(reader, posted, rooms),
  api: takeApi,
  bulk: takeBulk,
  async keep({ ctx, language }, { form }) {
    const kept = { choice: 'keep', risk: null, method: null, section: null } as const
    return declaredMany(language, await declareOpen(ctx, { draftId: draftIn(form), ...kept }))
  },
  async declare({ ctx }, { form }) {
    const to = backTo(form)
    await declareOperations(ctx, { draftId: draftIn(form), said: saidIn(form) })
    return { kind: 'done', to }
  },
  import: (reader, posted) => takeImport(reader, posted, rooms),
  register: (reader, posted) => takeRegister(reader, posted, { ...rooms, ...verbs }),
  async forget({ ctx }, { form }) {
    await forgetDraft(ctx, draftIn(form))
    return { kind: 'done' }
  },
})

export const importPage = (rooms: ImportRooms, verbs: ConsoleVerbs): Page => ({
  path: '/console/import',
  secrets: ['secret'],
  name: { en: WORDS.en.title, ka: WORDS.ka.title },
  group: 'setup',
  order: 5,
  asks: { state: Object.keys(WORDS.en.states), method: 'text', section: 'text', words: 'text', page: /^[1-9]\d{0,3}$/ },
  bodyLimit: BODY_LIMIT,
  async show(reader, asked) {
    const { title } = WORDS[reader.language]
    const draft = await readDraft(reader.ctx)
    const body =
      draft === null
        ? html`${strayNote(asked, ['draft', 'api'])}${await sourcePart(reader, asked, verbs)}`
        : html`${standing(reader, asked, draft)}${bulkPart(reader, asked, draft)}${await operationsPart(reader, asked, draft)}${importPart(reader, asked, draft)}`
    return { title, body: html`<h1>${title}</h1>${body}` }
  },
  forms: draftForms(rooms, verbs),
})

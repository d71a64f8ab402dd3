// What the business wrote for its assistant: the documents, a new one, and a question to try them with.

import { type Html, html } from '../../../kernel/html/index.ts'
import { Refusal } from '../../../kernel/http/index.ts'
import { cut } from '../../../kernel/json/index.ts'
import {
  type Asked,
  afterOf,
  areaField,
  badge,
  type ConsoleRooms,
  checkField,
  choiceField,
  count,
  fileField,
  note,
  type Outcome,
  type Page,
  pageForm,
  type Reader,
  sameCall,
  table,
  textField,
  tokenField,
  typedOr,
} from '../../../pages/console-kit/index.ts'
import { type Form, field, instant, seen, sent } from '../../../pages/kit/index.ts'
import type { Passage } from '../../../talk/chat/index.ts'
import {
  deleteDocument,
  LEAST,
  listDocuments,
  mustBeEnabled,
  putDocument,
  readDocumentNamed,
  searchDocuments,
} from '../../../talk/knowledge/index.ts'
import { WORDS } from './knowledge-words.ts'

/** A page holds 60 KB, and a letter of Georgian takes three bytes. */
const LONGEST_SHOWN = 6_000
const LONGEST_QUESTION = 1_000
const LONGEST_PASSAGE = 900
const LONGEST_NEAR = 150
const MOST_NEAR = 10
/** As many as a turn is given. */
const MOST_GIVEN = 5
/** What a search waits for is bounded elsewhere. */
const NOBODY_LEAVES = new AbortController().signal
const MEBIBYTE = 1_048_576

type Documents = Awaited<ReturnType<typeof listDocuments>>['documents']
type Opened = Awaited<ReturnType<typeof readDocumentNamed>> | null

/** A name holds nothing that would end it, and a browser encodes its letters where they take a third of the room. */
const addressOf = (asked: Asked, name: string): string => `${asked.at}?document=${name}`

function documentRow(reader: Reader, asked: Asked, one: Documents[number], at: number): Html {
  const { language } = reader
  const words = WORDS[language]
  const { source } = one
  const from =
    source === null
      ? words.here
      : html`<code>${seen(source.path)}</code><span class="meta"><code>${source.commit.slice(0, 12)}</code></span>`
  return html`<tr><th scope="row" id="d${at}"><a href="${addressOf(asked, one.name)}">${one.name}</a></th>
<td>${words.chars(count(one.chars, language))}<span class="meta">${words.pieces(one.chunks)}</span></td>
<td>${from}</td><td>${instant(new Date(one.updatedAt))}</td>
<td><form method="post" action="${asked.at}/remove">${tokenField(reader.formToken)}<input type="hidden" name="name" value="${one.name}"><button class="plain" aria-describedby="d${at}">${words.remove}</button></form></td></tr>`
}

function documentsPart(reader: Reader, asked: Asked, documents: Documents): Html {
  const words = WORDS[reader.language]
  const after = afterOf(asked, 'remove')
  const said =
    after !== null ? note(after.good, after.note) : asked.query.said === 'remove' && note(true, words.removed)
  if (documents.length === 0) return html`${said}`
  return html`<section class="box" id="form-remove"><h2>${words.documents}</h2>${said}
${table(
  words.documents,
  [words.name, words.size, words.from, words.changed, words.change],
  documents.map((one, at) => documentRow(reader, asked, one, at)),
)}</section>`
}

function documentForm(reader: Reader, asked: Asked, opened: Opened): Html {
  const { language, ctx } = reader
  const words = WORDS[language]
  const isLong = opened !== null && opened.text.length > LONGEST_SHOWN
  const now = (name: string, preset: string) => typedOr(asked, 'save', name, preset)
  const formats = Object.entries(words.formats).map(([value, label]) => ({ value, label }))
  const fields = html`${textField({ id: 'name', label: words.nameLabel, hint: words.nameHint, value: now('name', opened?.name ?? ''), placeholder: 'returns.md' })}
${choiceField('format', words.format, formats, now('format', opened?.format ?? ''))}
${areaField({ id: 'text', label: words.text, hint: words.textHint(count(ctx.settings.knowledge.maxDocumentChars, language)), value: now('text', isLong ? '' : (opened?.text ?? '')), rows: 10 })}
${fileField({ id: 'file', label: words.file, hint: words.fileHint, accept: '.md,.markdown,.txt,text/plain,text/markdown' })}
${checkField('replace', words.replace, { isChecked: now('replace', opened === null ? '' : 'yes') === 'yes' })}`
  return html`<section class="box" id="document"${opened !== null && html` tabindex="-1" autofocus`}><h2>${opened === null ? words.add : words.edit(opened.name)}</h2>
${
  isLong &&
  html`<p>${words.tooLong(count(LONGEST_SHOWN, language))}</p><pre tabindex="0">${seen(cut(opened.text, LONGEST_SHOWN))}</pre>`
}
${pageForm(reader, asked, { name: 'save', fields, button: words.save, said: words.saved, files: true, same: { method: 'POST', path: '/v1/knowledge', body: '@document.json' } })}
${opened !== null && sameCall(reader, { method: 'GET', path: `/v1/knowledge/${encodeURIComponent(opened.name)}` })}</section>`
}

const scoreText = (score: number): string => score.toFixed(2)

type Shown = { readonly title: Html | string; readonly heading: string | null | undefined; readonly text: string }

const passageItem = ({ title, heading, text }: Shown, longest: number, end: Html): Html =>
  html`<li><p><strong>${title}</strong>${typeof heading === 'string' && heading !== '' && html` <span class="meta">${seen(cut(heading, 200))}</span>`} ${end}</p><p class="said answer">${seen(cut(text, longest))}</p></li>`

function givenItem({ language }: Reader, { source, heading, text, score }: Passage): Html {
  const words = WORDS[language]
  const from = source.kind === 'knowledge' ? '' : source.kind === 'feed' ? words.feed : words.site
  const title = html`${seen(cut(source.title, 120))}${from !== '' && html` <span class="meta">${from}</span>`}`
  const end = score === undefined ? html`` : badge('good', scoreText(score))
  return passageItem({ title, heading, text }, LONGEST_PASSAGE, end)
}

async function trialResult(reader: Reader, rooms: ConsoleRooms, question: string): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  // What a turn is given, by what gives it to a turn; and what the search of the API finds besides.
  const [given, found] = await Promise.all([
    rooms.retrieval.find(ctx, { text: question, language }, NOBODY_LEAVES),
    searchDocuments(ctx, rooms, { q: question, limit: MOST_GIVEN + MOST_NEAR }),
  ])
  const keys = new Set(given.map(({ source, text }) => `${source.title}\n${text}`))
  const near = found.filter(({ document, text }) => !keys.has(`${document}\n${text.trim()}`)).slice(0, MOST_NEAR)
  const nearItems = near.map(({ document, heading, score, text }) =>
    passageItem(
      { title: document, heading, text },
      LONGEST_NEAR,
      html`${badge('plain', scoreText(score))} <span class="meta">${score < LEAST.answer ? words.tooLoose : words.tooMany}</span>`,
    ),
  )
  return html`<div id="found" tabindex="-1" autofocus>
<p class="lead">${given.length === 0 ? words.nothing : words.given(given.length)}</p>
${given.length > 0 && html`<ol>${given.map((one) => givenItem(reader, one))}</ol>`}
${near.length > 0 && html`<h3>${words.below}</h3><ul>${nearItems}</ul>`}
<p class="meta">${words.gate(String(LEAST.answer), String(MOST_GIVEN))}</p></div>`
}

async function trialPart(reader: Reader, asked: Asked, rooms: ConsoleRooms): Promise<Html> {
  const words = WORDS[reader.language]
  const question = (asked.query.q ?? '').trim().slice(0, LONGEST_QUESTION)
  return html`<section class="box"><h2>${words.trial}</h2><p>${words.trialLead}</p>
<form method="get" action="${asked.at}" class="filters"><div>${textField({ id: 'q', label: words.question, value: question, required: true })}</div><button class="quiet">${words.look}</button></form>
${question !== '' && (await trialResult(reader, rooms, question))}
${sameCall(reader, { method: 'GET', path: `/v1/knowledge/search?q=${encodeURIComponent(question || 'delivery')}` })}</section>`
}

/** Null where it is gone. */
async function openedDocument({ ctx }: Reader, name: string): Promise<Opened> {
  try {
    return await readDocumentNamed(ctx, name)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'knowledge_document_not_found') return null
    throw error
  }
}

/** A file brings its text and its name, unless another one is typed. */
function documentIn(form: Form) {
  const [file, typed] = [sent(form, 'file'), sent(form, 'text')]
  const name = sent(form, 'name').trim() || field(form, 'file.name').trim().replace(/\s+/g, '-')
  const text = file === '' ? typed.replaceAll('\r\n', '\n') : file
  const chosen = sent(form, 'format')
  const format = chosen === '' ? (/\.(?:md|markdown)$/i.test(name) ? 'markdown' : 'text') : chosen
  return { name, text, format, replace: sent(form, 'replace') === 'yes' }
}

async function show(reader: Reader, asked: Asked, rooms: ConsoleRooms): Promise<Html> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const named = asked.query.document ?? ''
  const opened = named === '' ? null : await openedDocument(reader, named)
  if (opened !== null) return html`<p><a href="${asked.at}">${words.all}</a></p>${documentForm(reader, asked, opened)}`
  const [{ documents, limit }, trial] = await Promise.all([listDocuments(ctx), trialPart(reader, asked, rooms)])
  const lead =
    documents.length === 0 ? words.none : words.some(count(documents.length, language), count(limit, language))
  return html`<p class="lead">${lead}</p>
${named !== '' && note(false, words.missing)}
${documentsPart(reader, asked, documents)}
${trial}
${documentForm(reader, asked, null)}`
}

export const knowledgePage = (rooms: ConsoleRooms): Page => ({
  path: '/console/knowledge',
  name: { en: WORDS.en.title, ka: WORDS.ka.title },
  group: 'setup',
  order: 6,
  asks: { document: 'text', q: 'text' },
  bodyLimit: 2 * MEBIBYTE,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    const isOn = reader.ctx.settings.knowledge.enabled
    const body = isOn ? await show(reader, asked, rooms) : html`<p class="lead">${words.off}</p>`
    return { title: words.title, body: html`<h1>${words.title}</h1>${body}` }
  },
  forms: {
    async save({ ctx }, { form }): Promise<Outcome> {
      mustBeEnabled(ctx)
      await putDocument(ctx, documentIn(form))
      return { kind: 'done' }
    },
    async remove({ ctx }, { form }): Promise<Outcome> {
      mustBeEnabled(ctx)
      await deleteDocument(ctx, sent(form, 'name'))
      return { kind: 'done' }
    },
  },
})

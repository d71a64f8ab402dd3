// The words of the domains: what there is, and what is suggested, as a difference that a person accepts or leaves out.

import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, JsonFault, parseSentJson } from '../../../kernel/json/index.ts'
import {
  type Asked,
  areaField,
  badge,
  choiceField,
  count,
  note,
  type Outcome,
  type Page,
  type Posted,
  pageForm,
  type Reader,
  sameCall,
  table,
  tokenField,
  typedOr,
} from '../../../pages/console-kit/index.ts'
import { instant, seen, sent } from '../../../pages/kit/index.ts'
import {
  acceptSuggestion,
  type DomainDifference,
  differenceOf,
  dismissSuggestion,
  lexiconBytes,
  listSuggestions,
  readPack,
  readSuggestion,
  replacePack,
} from '../../../talk/vocabulary/index.ts'
import { WORDS } from './vocabulary-words.ts'

const ON_PAGE = 8
const LONGEST_LINE = 180
const LONGEST_PREFILLED = 4_000
/** In bytes, of the words of one difference: a page holds 60 KB. */
const MOST_BYTES = 36_000
const BYTES_OF_MARKS = 20

type Pack = Awaited<ReturnType<typeof readPack>>
type Suggestion = Awaited<ReturnType<typeof readSuggestion>>

const lineOf = (words: readonly string[]): string => cut(words.slice(0, LONGEST_LINE).join(', '), LONGEST_LINE)

function packPart(reader: Reader, asked: Asked, pack: Pack): Html {
  const { language } = reader
  const words = WORDS[language]
  const domains = Object.entries(pack.lexicon)
  const all = domains.reduce((sum, [, list]) => sum + list.length, 0)
  if (domains.length === 0) return html`<p class="lead">${words.none}</p>`
  const rows = domains.map(
    ([domain, list]) =>
      html`<tr><th scope="row"><a href="${asked.at}?domain=${domain}">${domain}</a></th><td>${count(list.length, language)}<span class="meta">${seen(lineOf(list))}</span></td></tr>`,
  )
  return html`<p class="lead">${words.some(domains.length, all, pack.version)}</p>
<section class="box"><h2>${words.domains}</h2>${table(words.domains, [words.domain, words.words], rows)}</section>`
}

function domainPart({ language }: Reader, { at }: Asked, { lexicon }: Pack, domain: string): Html {
  const words = WORDS[language]
  const list = Object.hasOwn(lexicon, domain) ? (lexicon[domain] ?? []) : []
  return html`<p><a href="${at}">${words.title}</a></p><section class="box"><h2>${domain}</h2><p class="words">${seen(list.join(', '))}</p></section>`
}

const addedBy = (difference: readonly DomainDifference[]) => difference.filter(({ added }) => added.length > 0)

function whence({ language }: Reader, { source, createdAt, note: said }: Suggestion): Html {
  const words = WORDS[language]
  const from =
    source === null
      ? words.byKey
      : html`${words.from} <code>${seen(cut(source.path, 120))}</code> <code>${source.commit.slice(0, 12)}</code>${source.dirty && html` ${words.dirty}`}`
  return html`<p class="meta">${instant(new Date(createdAt))}, ${from}</p>${said !== null && said !== '' && html`<p>${seen(cut(said, LONGEST_LINE))}</p>`}`
}

const LOOKS = { pending: 'warn', accepted: 'good', dismissed: 'plain', superseded: 'plain' } as const

const decideForm = (reader: Reader, { at }: Asked, form: 'accept' | 'dismiss', id: string): Html =>
  html`<form method="post" action="${at}/${form}">${tokenField(reader.formToken)}<input type="hidden" name="id" value="${id}"><button class="quiet" aria-describedby="${id}">${WORDS[reader.language][form]}</button></form>`

function suggestionItem(reader: Reader, asked: Asked, pack: Pack, suggestion: Suggestion): Html {
  const words = WORDS[reader.language]
  const { id, status } = suggestion
  const difference = addedBy(differenceOf(pack.lexicon, suggestion.lexicon))
  const added = difference.flatMap((one) => one.added)
  const isPending = status === 'pending'
  const sums = added.length === 0 ? words.addsNothing : words.adds(added.length, difference.length)
  return html`<li class="box"><p id="${id}">${badge(LOOKS[status], words.statuses[status] ?? status)}${isPending && html` <strong>${sums}</strong>`}</p>
${whence(reader, suggestion)}
${isPending && added.length > 0 && html`<p><ins>${seen(lineOf(added))}</ins></p>`}
<p><a href="${asked.at}?suggestion=${id}" aria-describedby="${id}">${words.each}</a></p>
${isPending && html`<div class="row">${decideForm(reader, asked, 'accept', id)}${decideForm(reader, asked, 'dismiss', id)}</div>`}</li>`
}

/** What a form came to, wherever it stood. */
function outcome({ language }: Reader, { after, query }: Asked): Html | false {
  const words = WORDS[language]
  if (after !== null && after.form !== 'save') return note(after.good, after.note)
  if (query.said === 'accept' || query.said === 'replace') return note(true, words.accepted)
  return query.said === 'dismiss' && note(true, words.dismissed)
}

async function suggestionsPart(reader: Reader, asked: Asked, pack: Pack): Promise<Html> {
  const words = WORDS[reader.language]
  const { status = 'pending', before } = asked.query
  const known = Object.hasOwn(words.statuses, status) ? status : 'pending'
  const page = await listSuggestions(reader.ctx, { status: known, before: before || null, limit: ON_PAGE })
  const choices = Object.entries(words.statuses).map(([value, label]) => ({ value, label }))
  const older = new URLSearchParams({ status: known, before: page.nextBefore ?? '' })
  return html`<section><h2>${words.suggestions}</h2><p>${words.lead}</p>
<form method="get" action="${asked.at}" class="filters"><div>${choiceField('status', words.status, choices, known)}</div><button class="quiet">${words.show}</button></form>
${
  page.count === 0
    ? html`<p class="lead">${words.nothing}</p>`
    : html`<ol class="plain">${page.suggestions.map((one) => suggestionItem(reader, asked, pack, one))}</ol>`
}
${page.nextBefore !== null && html`<p><a href="${asked.at}?${older.toString()}">${words.older}</a></p>`}
${sameCall(reader, { method: 'GET', path: `/v1/domain-pack/suggestions?status=${known}` })}</section>`
}

/** Takes words while there is room for them on the page. */
function roomFor(bytes: number) {
  let left = bytes
  return (list: readonly string[]): readonly string[] => {
    const fits = list.findIndex((word) => {
      left -= Buffer.byteLength(word) + BYTES_OF_MARKS
      return left < 0
    })
    return fits === -1 ? list : list.slice(0, fits)
  }
}

function differencePart(reader: Reader, difference: readonly DomainDifference[]): Html {
  const { language } = reader
  const words = WORDS[language]
  const take = roomFor(MOST_BYTES)
  const line = (name: string, list: readonly string[], mark: (word: readonly (Html | string)[]) => Html) => {
    const taken = take(list)
    const rest = list.length - taken.length
    return (
      list.length > 0 &&
      html`<dt>${name}</dt><dd>${taken.map((word, at) => html`${at > 0 && ', '}${mark(seen(word))}`)}${rest > 0 && html` <span class="meta">${words.more(count(rest, language))}</span>`}</dd>`
    )
  }
  return html`${difference.map(
    ({ domain, isNew, added, known, missing }) =>
      html`<h2>${domain}${isNew && html` ${badge('good', words.isNew)}`}</h2><dl>${line(words.added, added, (word) => html`<ins>${word}</ins>`)}${line(words.known, known, (word) => html`${word}`)}${line(words.missing, missing, (word) => html`<del>${word}</del>`)}</dl>`,
  )}`
}

async function suggestionPart(reader: Reader, asked: Asked, pack: Pack, id: string): Promise<Html> {
  const words = WORDS[reader.language]
  const suggestion = await readSuggestion(reader.ctx, id)
  const { status, lexicon } = suggestion
  const path = `/v1/domain-pack/suggestions/${suggestion.id}`
  const hidden = html`<input type="hidden" name="id" value="${suggestion.id}">`
  const form = (name: 'accept' | 'replace' | 'dismiss', body?: object) =>
    pageForm(
      reader,
      { ...asked, after: null, query: {} },
      {
        name,
        fields: hidden,
        button: words[name],
        quiet: name === 'dismiss',
        danger: name === 'replace',
        same: {
          method: 'POST',
          path: `${path}/${name === 'dismiss' ? 'dismiss' : 'accept'}`,
          ...(body === undefined ? {} : { body }),
        },
      },
    )
  return html`<p><a href="${asked.at}">${words.back}</a></p>
<section class="box"><p>${badge(LOOKS[status], words.statuses[status] ?? status)}</p>${whence(reader, suggestion)}
${differencePart(reader, differenceOf(pack.lexicon, lexicon))}</section>
${
  status === 'pending' &&
  html`<section class="box"><p>${words.acceptMore}</p>${form('accept', { mode: 'merge' })}${form('dismiss')}</section>
<section class="box"><p>${words.replaceMore}</p>${form('replace', { mode: 'replace' })}</section>`
}`
}

function writePart(reader: Reader, asked: Asked, { lexicon }: Pack): Html {
  const words = WORDS[reader.language]
  const present = JSON.stringify(lexicon, null, 1)
  const isLong = present.length > LONGEST_PREFILLED
  return html`<section class="box"><h2>${words.write}</h2>
${isLong && html`<p class="meta">${words.tooLong}</p>`}
${pageForm(reader, asked, {
  name: 'save',
  fields: areaField({
    id: 'lexicon',
    label: words.label,
    hint: words.writeHint,
    value: typedOr(asked, 'save', 'lexicon', isLong ? '' : present),
    required: true,
  }),
  button: words.save,
  said: words.saved,
  quiet: true,
  same: { method: 'PUT', path: '/v1/domain-pack', body: '@vocabulary.json' },
})}</section>`
}

async function takeLexicon({ ctx, language }: Reader, { form }: Posted): Promise<Outcome> {
  try {
    await replacePack(ctx, { lexicon: parseSentJson(sent(form, 'lexicon'), { maxLength: lexiconBytes }) })
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return {
      kind: 'shown',
      good: false,
      note: html`<p>${WORDS[language].notJson} <span lang="en">${error.message}</span></p>`,
    }
  }
}

const idIn = ({ form }: Posted): string => sent(form, 'id').slice(0, 100)

export const vocabularyPage = (): Page => ({
  path: '/console/vocabulary',
  name: { en: WORDS.en.title, ka: WORDS.ka.title },
  group: 'setup',
  order: 7,
  asks: { status: Object.keys(WORDS.en.statuses), before: 'text', suggestion: 'text', domain: 'text' },
  bodyLimit: lexiconBytes,
  async show(reader, asked) {
    const { title } = WORDS[reader.language]
    const { suggestion = '', domain = '' } = asked.query
    const pack = await readPack(reader.ctx)
    const body =
      suggestion !== ''
        ? await suggestionPart(reader, asked, pack, suggestion)
        : domain !== ''
          ? domainPart(reader, asked, pack, domain)
          : html`${packPart(reader, asked, pack)}${await suggestionsPart(reader, asked, pack)}${writePart(reader, asked, pack)}`
    return { title, body: html`<h1>${title}</h1>${outcome(reader, asked)}${body}` }
  },
  forms: {
    save: takeLexicon,
    async accept({ ctx }, posted) {
      await acceptSuggestion(ctx, idIn(posted), 'merge')
      return { kind: 'done' }
    },
    async replace({ ctx }, posted) {
      await acceptSuggestion(ctx, idIn(posted), 'replace')
      return { kind: 'done' }
    },
    async dismiss({ ctx }, posted) {
      await dismissSuggestion(ctx, idIn(posted))
      return { kind: 'done' }
    },
  },
})

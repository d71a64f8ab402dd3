// The public website as the first source: reading it, how far that is, what it brought, and forgetting it.
import type { Language } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, member } from '../../../kernel/json/index.ts'
import {
  type Asked,
  count,
  note,
  type Page,
  type PageFile,
  pageForm,
  type Reader,
  type Shown,
  textField,
  typedOr,
} from '../../../pages/console-kit/index.ts'
import { instant, seen, sent } from '../../../pages/kit/index.ts'
import {
  type CrawlProgress,
  deletePreview,
  type PreviewRooms,
  readPreview,
  readProgress,
  startPreview,
} from '../index.ts'
import { WORDS } from './preview-words.ts'

const PATH = '/console/preview'
const PROGRESS = 'progress.json'
const LONGEST_LINE = 200
const MEBIBYTE = 1_048_576

type Held = NonNullable<Awaited<ReturnType<typeof readPreview>>['preview']>

const isRunning = (progress: CrawlProgress | null): progress is CrawlProgress =>
  progress !== null && progress.failure === null

const megabytes = (bytes: number, language: Language): string =>
  count(Math.round(bytes / (MEBIBYTE / 10)) / 10, language)

/** The numbers of a crawl are those of its limits. */
function textsOf(language: Language, progress: CrawlProgress) {
  const words = WORDS[language]
  const number = (value: number) => count(value, language)
  return {
    pages: words.of(number(progress.pages), number(progress.mostPages)),
    size: words.of(megabytes(progress.bytes, language), words.megabytes(megabytes(progress.mostBytes, language))),
    seconds: words.of(number(progress.seconds), number(progress.mostSeconds)),
    refused: number(progress.refused),
  }
}

function readingPart({ language }: Reader, progress: CrawlProgress): Html {
  const words = WORDS[language]
  const texts = textsOf(language, progress)
  const row = (name: keyof typeof texts) =>
    html`<div class="box"><dt>${words[name]}</dt><dd data-fill="${name}">${texts[name]}</dd></div>`
  const what = progress.siteUrl === null ? words.readingAgain : words.reading(cut(progress.siteUrl, LONGEST_LINE))
  return html`<section aria-busy="true"><p class="lead">${what}</p>
<dl class="figures">${row('pages')}${row('size')}${row('seconds')}${row('refused')}</dl><p class="meta">${words.waits}</p></section>`
}

function failurePart({ language }: Reader, { failure, siteUrl }: CrawlProgress): Html {
  const words = WORDS[language]
  if (failure === null) return html``
  const { at, message, reason } = failure
  const own = reason === null ? undefined : member(words.reasons, reason)
  return html`<div class="note warn alarm"><p><strong>${words.failed}</strong> ${instant(at)}</p>
<p>${siteUrl !== null && html`<code>${seen(cut(siteUrl, LONGEST_LINE))}</code> `}${own} <span lang="en">${seen(message)}</span></p></div>`
}

function heldPart({ language }: Reader, held: Held): Html {
  const words = WORDS[language]
  const number = (value: number) => count(value, language)
  const row = (name: string, value: Html | string | false) => value !== false && html`<dt>${name}</dt><dd>${value}</dd>`
  const text = (value: string) => html`${seen(cut(value, LONGEST_LINE))}`
  const { name, site, brand, topics, refresh } = held
  return html`<section class="box"><h2>${words.held}</h2><dl>
${row(words.name, name !== null && text(name))}${row(words.origin, text(site))}
${row(words.readAt, instant(new Date(held.crawledAt)))}
${row(words.pages, number(held.pages))}${row(words.entries, number(held.feedItems))}${row(words.items, number(held.items))}${row(words.chunks, number(held.chunks))}
${row(words.refused, held.pagesRefusedByRobots > 0 && number(held.pagesRefusedByRobots))}
${row(words.topics, topics.length > 0 && html`${topics.map((one, at) => html`${at > 0 && '; '}${text(one)}`)}`)}
${row(words.color, brand?.color != null && html`<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="${brand.color}"/></svg> ${brand.color}`)}
${row(words.logo, brand?.logo != null && text(brand.logo))}
${row(words.refresh, refresh !== null && html`${instant(new Date(refresh.at))}: ${words.outcomes[refresh.outcome]}`)}</dl>
${held.stoppedAtPageLimit && html`<p>${words.limit}</p>`}
<p><a href="/console/knowledge">${words.trial}</a></p></section>`
}

function startForm(reader: Reader, asked: Asked, held: Held | null): Html {
  const words = WORDS[reader.language]
  const siteUrl = typedOr(asked, 'start', 'siteUrl', held?.site ?? '')
  return html`<section class="box"><h2>${held === null ? words.start : words.again}</h2><p>${words.startLead}</p>
${pageForm(
  reader,
  { ...asked, query: {} },
  {
    name: 'start',
    fields: html`${textField({ id: 'siteUrl', label: words.site, value: siteUrl, required: true, placeholder: 'https://shop.example' })}${textField({ id: 'feedUrl', label: words.feed, hint: words.feedHint, value: typedOr(asked, 'start', 'feedUrl', '') })}`,
    button: words.button,
    same: { method: 'POST', path: '/v1/preview', body: { siteUrl: siteUrl || 'https://shop.example' } },
  },
)}</section>`
}

function forgetForm(reader: Reader, asked: Asked): Html {
  const words = WORDS[reader.language]
  return html`<section class="box"><h2>${words.forget}</h2><p>${words.forgetLead}</p>
${pageForm(reader, asked, { name: 'forget', button: words.forget, danger: true, same: { method: 'DELETE', path: '/v1/preview' } })}</section>`
}

async function show(reader: Reader, asked: Asked, rooms: PreviewRooms): Promise<Shown> {
  const { ctx, language } = reader
  const words = WORDS[language]
  const [progress, { preview, previewOnly }] = await Promise.all([readProgress(ctx), readPreview(ctx, rooms)])
  const runs = isRunning(progress)
  const { after, query } = asked
  // While a site is read there is no form that would say it.
  const said =
    after !== null && (runs || after.form === 'forget')
      ? note(after.good, after.note)
      : query.said === 'forget' && note(true, words.forgotten)
  const body = html`<h1>${words.title}</h1><p class="lead">${words.lead}${preview !== null && previewOnly && html` ${words.only}`}</p>${said}
${runs ? readingPart(reader, progress) : progress !== null && failurePart(reader, progress)}
${preview !== null && heldPart(reader, preview)}
${!runs && startForm(reader, asked, preview)}
${preview !== null && !runs && forgetForm(reader, asked)}`
  return { title: words.title, body, ...(runs ? { watch: `${PATH}/${PROGRESS}` } : {}) }
}

/** What the script of the page asks while a site is read. */
async function progressFile({ ctx, language }: Reader): Promise<PageFile> {
  const progress = await readProgress(ctx)
  const told = isRunning(progress) ? { isDone: false, texts: textsOf(language, progress) } : { isDone: true, texts: {} }
  return { type: 'application/json', content: JSON.stringify(told) }
}

/** People write `shop.example`. */
const withScheme = (written: string): string =>
  written === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`

export const previewPage = (rooms: PreviewRooms): Page => ({
  path: PATH,
  hasAnswers: async (ctx) => (await readPreview(ctx, rooms)).preview !== null,
  name: { en: WORDS.en.title, ka: WORDS.ka.title },
  group: 'setup',
  order: 8,
  async show(reader, asked) {
    const words = WORDS[reader.language]
    if (reader.ctx.settings.preview.enabled) return await show(reader, asked, rooms)
    return { title: words.title, body: html`<h1>${words.title}</h1><p class="lead">${words.off}</p>` }
  },
  files: { [PROGRESS]: progressFile },
  forms: {
    async start({ ctx }, { form }) {
      const [siteUrl, feedUrl] = [sent(form, 'siteUrl'), sent(form, 'feedUrl')].map((one) => withScheme(one.trim()))
      await startPreview(ctx, rooms, { siteUrl: siteUrl ?? '', feedUrl: feedUrl || null })
      return { kind: 'done' }
    },
    async forget({ ctx }) {
      await deletePreview(ctx)
      return { kind: 'done' }
    },
  },
})

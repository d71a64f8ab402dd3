// Markdown to HTML. The package reads the text into tokens; every sign of HTML is written by our own template, which escapes what it
// is given, so that nothing of a page can become markup. It is loaded with the first page that somebody opens.
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { type Html, html } from '../../kernel/html/index.ts'

export type Heading = { readonly depth: number; readonly id: string; readonly text: string }
/** What a search finds: a heading with the text below it, or a row of a table that is about one name. */
export type Entry = { readonly id: string; readonly heading: string; readonly text: string; readonly isRow: boolean }
export type Rendered = {
  readonly title: string
  /** The first paragraph, in words alone. */
  readonly lead: string
  /** The first heading, and all that follows it. */
  readonly head: Html
  readonly body: Html
  readonly headings: readonly Heading[]
  readonly ids: ReadonlySet<string>
  readonly entries: readonly Entry[]
}

type State = {
  readonly hrefOf: HrefOf
  readonly ids: Set<string>
  readonly headings: Heading[]
  readonly entries: { id: string; heading: string; text: string; isRow: boolean }[]
}

/** The package's own list of tokens is closed. Its wider type is for extensions, of which we use none. */
const known = (tokens: readonly Token[] = []): readonly MarkedToken[] => tokens as readonly MarkedToken[]

/** Null for what is not there: a deployment has the pages, and not the code that they speak of. */
type HrefOf = (href: string) => string | null

export function renderMarkdown(text: string, hrefOf: HrefOf): Rendered {
  const state: State = { hrefOf, ids: new Set(), headings: [], entries: [] }
  const tokens = known(Lexer.lex(text))
  const start = tokens.findIndex(({ type }) => type === 'heading') + 1
  const [head, body] = [tokens.slice(0, start), tokens.slice(start)].map(
    (part) => html`${part.map((token) => block(token, state))}`,
  ) as [Html, Html]
  const first = tokens.find(({ type }) => type === 'paragraph')
  const lead = first === undefined ? '' : plain([first])
  const title = state.headings.find(({ depth }) => depth === 1)?.text ?? ''
  return { title, lead, head, body, headings: state.headings, ids: state.ids, entries: state.entries }
}

function block(token: MarkedToken, state: State): Html {
  if (token.type === 'paragraph' || token.type === 'code' || token.type === 'list') write(state, plain([token]))
  switch (token.type) {
    case 'heading':
      return heading(token, state)
    case 'paragraph':
      return html`<p>${inline(token.tokens, state)}</p>`
    case 'code':
      return code(token)
    case 'list':
      return list(token, state)
    case 'table':
      return table(token, state)
    case 'blockquote':
      return html`<blockquote>${known(token.tokens).map((one) => block(one, state))}</blockquote>`
    case 'hr':
      return html`<hr>`
    case 'space':
    case 'def':
      return html``
    case 'html':
      return raw(token.text)
    default:
      return html`${inline([token], state)}`
  }
}

/** What is behind the language in a fence: that it is printed, that it runs beside the rest, or the name of a file (CONTRIBUTING.md). */
function code({ lang = '', text }: Tokens.Code): Html {
  const [language, as = ''] = lang.split(/\s+/)
  const isPrinted = language === 'text' || as === 'answer'
  const said =
    as === 'answer'
      ? 'You should see'
      : as === 'second'
        ? isPrinted
          ? 'The other terminal says'
          : 'In another terminal'
        : as
  const caption = said !== '' && html`<p class="said">${said}</p>`
  return html`${caption}<div class="${isPrinted ? 'drawn' : 'code'}"><pre tabindex="0" role="group" aria-label="${said === '' ? 'Code' : said}"><code>${text}</code></pre></div>`
}

/** A comment is for those who write the page. Anything else that looks like HTML is shown as it was written. */
const raw = (text: string): Html => (text.trimStart().startsWith('<!--') ? html`` : html`${text}`)

function inline(tokens: readonly Token[] | undefined, state: State): readonly Html[] {
  return known(tokens).map((token) => {
    switch (token.type) {
      case 'codespan':
        return html`<code>${breakable(token.text)}</code>`
      case 'strong':
        return html`<strong>${inline(token.tokens, state)}</strong>`
      case 'em':
        return html`<em>${inline(token.tokens, state)}</em>`
      case 'del':
        return html`<del>${inline(token.tokens, state)}</del>`
      case 'link': {
        const [href, words] = [state.hrefOf(token.href), inline(token.tokens, state)]
        return href === null ? html`${words}` : html`<a href="${href}">${words}</a>`
      }
      case 'image': {
        const src = state.hrefOf(token.href)
        return src === null ? html`${token.text}` : html`<img src="${src}" alt="${token.text}" loading="lazy">`
      }
      case 'br':
        return html`<br>`
      case 'html':
        return raw(token.text)
      case 'checkbox':
        return html`${token.checked ? '☑ ' : '☐ '}`
      case 'text':
        return token.tokens === undefined ? html`${token.text}` : html`${inline(token.tokens, state)}`
      case 'escape':
        return html`${token.text}`
      default:
        throw new Error(`A page has "${token.type}" where words are expected: ${token.raw.slice(0, 80)}`)
    }
  })
}

/** Long names break where a reader would break them. */
const breakable = (text: string): readonly Html[] =>
  text.split(/(?<=[/:_.])(?=\w)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)

/** GitHub's own form, so that a link to a heading works there as well as here. */
function idOf(text: string, { ids }: State): string {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  for (let count = 0; ; count++) {
    const free = count === 0 ? id : `${id}-${count}`
    if (!ids.has(free)) {
      ids.add(free)
      return free
    }
  }
}

function heading({ depth, tokens }: Tokens.Heading, state: State): Html {
  const text = plain(tokens)
  const id = idOf(text, state)
  state.headings.push({ depth, id, text })
  state.entries.push({ id, heading: text, text: '', isRow: false })
  const words = inline(tokens, state)
  const anchor = depth > 1 && html` <a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>`
  if (depth === 1) return html`<h1 id="${id}">${words}</h1>`
  if (depth === 2) return html`<h2 id="${id}">${words}${anchor}</h2>`
  if (depth === 3) return html`<h3 id="${id}">${words}${anchor}</h3>`
  return html`<h4 id="${id}">${words}${anchor}</h4>`
}

function list({ ordered, start, items, loose }: Tokens.List, state: State): Html {
  // The words of the items have been written down with the list.
  const quiet: State = { ...state, entries: [] }
  const written = items.map(
    ({ tokens }) =>
      html`<li>${known(tokens).map((one) => (one.type === 'text' && !loose ? html`${inline([one], quiet)}` : block(one, quiet)))}</li>`,
  )
  return ordered ? html`<ol start="${start === '' ? 1 : start}">${written}</ol>` : html`<ul>${written}</ul>`
}

const NAME = /^`([A-Za-z][\w:.-]*)`$/

/** The first row that is about a name can be linked to by it: a code of an error, a setting, a header. */
function table({ header, rows }: Tokens.Table, state: State): Html {
  write(state, header.map(({ tokens }) => plain(tokens)).join(' · '))
  const section = state.entries.at(-1)?.heading ?? ''
  const written = rows.map((cells) => {
    const words = cells.map(({ tokens }) => plain(tokens)).join(' · ')
    const name = cells.map(({ text }) => NAME.exec(text)?.[1]).find((one) => one !== undefined && !state.ids.has(one))
    if (name === undefined) write(state, words)
    else {
      state.ids.add(name)
      state.entries.splice(-1, 0, { id: name, heading: name, text: `${section}: ${words}`, isRow: true })
    }
    // HTML does without their end tags, and a wide table weighs a fifth less.
    const inner = cells.map(({ tokens }) => html`<td>${inline(tokens, state)}`)
    return name === undefined ? html`<tr>${inner}` : html`<tr id="${name}">${inner}`
  })
  const heads = header.map(({ tokens }) => {
    const words = inline(tokens, state)
    return words.length === 0 ? html`<td></td>` : html`<th scope="col">${words}</th>`
  })
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${heads}</tr></thead><tbody>${written}</tbody></table></div>`
}

function write({ entries }: State, words: string): void {
  const last = entries.at(-1)
  if (last !== undefined) last.text = last.text === '' ? words : `${last.text} ${words}`
}

/** The words alone, as a search reads them. */
function plain(tokens: readonly Token[] | undefined): string {
  return known(tokens)
    .map((token): string => {
      if (token.type === 'list') return token.items.map(({ tokens: inner }) => plain(inner)).join(' ')
      if (token.type === 'html' || token.type === 'checkbox') return ''
      if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens)
      return 'text' in token ? token.text : ' '
    })
    .join('')
    .replace(/\s+/g, ' ')
}

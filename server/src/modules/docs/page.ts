import { type Html, html } from '../../kernel/html/index.ts'
import { relative } from './links.ts'
import type { Heading, Rendered } from './render.ts'
import { MOST_FOUND, type Search } from './search.ts'
import type { Page } from './shelf.ts'

export type DocPage = Page & { readonly title: string }
export type ReadPage = DocPage & { readonly markdown: string; readonly rendered: Rendered }

type Frame = {
  readonly address: string
  readonly title: string
  readonly asked?: string
  readonly markdown?: string
  readonly main: Html
}

/** The list of pages stands behind the page in the order of reading, and beside it on a wide screen. */
function frame({ address, title, asked = '', markdown, main }: Frame, list: Html): Html {
  const to = (place: string) => relative(address, place)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tether</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('/docs/docs.css')}">
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${to(markdown)}">`}
<script src="${to('/docs/docs.js')}" defer></script>
</head>
<body>
<header>
<a class="skip" href="#page">Skip to the page</a>
<a class="brand" href="${to('/docs')}">Tether</a>
<form role="search" action="${to(SEARCH)}">
<label class="hidden" for="q">Search these pages</label>
<input id="q" type="search" name="q" value="${asked}" maxlength="200" placeholder="An error code, a setting, a word" autocomplete="off">
<button>Search</button>
</form>
<a class="list" href="#pages">All pages</a>
<div class="found" hidden></div>
<p class="hidden" role="status"></p>
</header>
<main id="page" tabindex="-1">
${main}
</main>
${list}
</body>
</html>
`
}

/** The list of all pages, with links as they are from this address. */
export const pageList = (address: string, pages: readonly DocPage[]): Html =>
  html`<nav id="pages" aria-label="All pages" tabindex="-1">
${[...Map.groupBy(pages, ({ group }) => group)].map(
  ([group, some]) =>
    html`<h2>${group}</h2><ul>${some.map(
      (one) =>
        html`<li><a href="${relative(address, one.address)}"${one.address === address && html` aria-current="page"`}>${nameOf(one)}</a></li>`,
    )}${group === 'Reference' && html`<li><a href="${relative(address, '/swagger')}">The whole API</a></li>`}</ul>`,
)}
</nav>`

const nameOf = ({ address, title }: DocPage): string => (address === '/docs' ? 'What Tether is' : title)

export function pageOf({ address, title, rendered }: ReadPage, pages: readonly DocPage[]): Html {
  const main = html`${rendered.head}
<p class="as"><a href="${relative(address, `${address}.md`)}">This page as Markdown</a></p>
${contents(rendered.headings)}
${rendered.body}`
  return frame({ address, title, markdown: `${address}.md`, main }, pageList(address, pages))
}

function contents(headings: readonly Heading[]): Html | false {
  const parts = headings.filter(({ depth }) => depth === 2)
  if (parts.length < 3) return false
  return html`<details class="contents"><summary>On this page</summary><ul>${parts.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></details>`
}

export const SEARCH = '/docs/search'

export function searchPage(asked: string, { found, isWhole }: Search, list: Html): Html {
  const address = SEARCH
  const lead =
    asked.trim() === ''
      ? html`<p>Type an error code, the name of a setting or a header, or a word.</p>`
      : found.length === 0
        ? html`<p>No page has all of these words. Try fewer of them, or look through the list of all pages.</p>`
        : !isWhole
          ? html`<p>No place has all of these words. These have all but one.</p>`
          : html`<p>${found.length === MOST_FOUND ? `The first ${MOST_FOUND} places` : found.length === 1 ? 'One place' : `${found.length} places`}, the best first.</p>`
  const main = html`<h1>${asked.trim() === '' ? 'Search' : `Search: ${asked.trim()}`}</h1>
${lead}
<ol class="results">${found.map(
    ({ page, heading, address: place, excerpt }) =>
      html`<li><a href="${relative(address, place)}">${heading}</a>${page !== heading && html` <span class="of">${page}</span>`}<p>${excerpt}</p></li>`,
  )}</ol>`
  return frame({ address, title: 'Search', asked, main }, list)
}

/** `address` is any that is as deep as the one that has no page: the links are relative. */
export function notFoundPage(address: string, pages: readonly DocPage[]): Html {
  const main = html`<h1>There is no such page</h1>
<p>Search for what you came for, or look through the list of all pages.</p>`
  return frame({ address, title: 'No such page', main }, pageList(address, pages))
}

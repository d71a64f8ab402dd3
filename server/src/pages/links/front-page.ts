import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import type { Route } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'

type FrontWords = {
  readonly lead: string
  readonly addresses: string
  readonly other: readonly [Language, string]
}

const FRONT_WORDS: Readonly<Record<Language, FrontWords>> = {
  en: {
    lead: 'This service stands between a language model and a production system: reads run at once, writes wait for a person.',
    addresses: 'Where to go from here',
    other: ['ka', 'ქართული'],
  },
  ka: {
    lead: 'ეს სერვისი დგას ენობრივ მოდელსა და თქვენს სისტემას შორის: კითხვას მაშინვე ასრულებს, ცვლილება კი ადამიანის თანხმობას ელოდება.',
    addresses: 'საით წავიდეთ აქედან',
    other: ['en', 'English'],
  },
}

type FrontLink = { readonly path: string; readonly words: string }

/** The lines that the routes of this deployment declare for the front page, in their order. */
export const frontLinks = (routes: readonly Route[], settings: House['settings'], language: Language): FrontLink[] =>
  routes
    .flatMap(({ path, onFrontPage }) => (onFrontPage === undefined ? [] : [{ path, ...onFrontPage }]))
    .filter(({ isShown }) => isShown?.(settings) ?? true)
    .sort((a, b) => a.order - b.order)
    .map(({ path, [language]: words }) => ({ path, words }))

/** What a person sees who opens the bare address in a browser. Links are relative, so that the page works under any path. */
export function frontPage(language: Language, links: readonly FrontLink[]): Html {
  const words = FRONT_WORDS[language]
  const [other, name] = words.other
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tether</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="account/link.css">
</head>
<body>
<header><p class="brand">Tether</p><a class="language" href="?lang=${other}" lang="${other}" hreflang="${other}">${name}</a></header>
<main>
<h1>Tether</h1>
<p>${words.lead}</p>
<h2>${words.addresses}</h2>
<ul>${links.map((link) => html`<li><a href="${link.path.slice(1)}">${link.words}</a> <code>${link.path}</code></li>`)}</ul>
</main>
</body>
</html>
`
}

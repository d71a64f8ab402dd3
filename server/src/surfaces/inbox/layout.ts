import { type Html, html } from '../../foundation/html/index.ts'
import type { Person, Visitor } from './visit.ts'

type Framed = {
  readonly title: string
  readonly body: Html
  /** Where the other language is: the same page. */
  readonly path: string
}

type Place = 'waiting' | 'unknown' | 'history' | 'mails'

const head = ({ language }: Visitor, title: string): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox/inbox.css">
<script src="/inbox/inbox.js" defer></script>
</head>`

const otherLanguage = ({ words: { other } }: Visitor, path: string): Html => {
  const [code, name] = other
  const address = `${path}${path.includes('?') ? '&' : '?'}lang=${code}`
  return html`<a href="${address}" lang="${code}" hreflang="${code}">${name}</a>`
}

/** The page of somebody who is not signed in. */
export const strangersPage = (visitor: Visitor, { title, body, path }: Framed): string =>
  html`${head(visitor, title)}
<body class="alone">
<header><p class="brand">Tether</p>${otherLanguage(visitor, path)}</header>
<main>${body}</main>
</body>
</html>
`.text

export const formToken = ({ formToken }: Pick<Person, 'formToken'>): Html =>
  html`<input type="hidden" name="token" value="${formToken}">`

export function personsPage(
  person: Person,
  { title, body, path, at, waiting }: Framed & { readonly at: Place | null; readonly waiting: number },
): string {
  const { nav, live } = person.words
  const link = (place: Place, href: string, name: string, count?: number) =>
    html`<li><a href="${href}"${place === at && html` aria-current="page"`}>${name}${count !== undefined && html` <span class="count">${count}</span>`}</a></li>`
  return html`${head(person, title)}
<body data-live="/inbox/live" data-away="${live.away}">
<header class="side">
<p class="brand">${person.workspace}</p>
<nav aria-label="${person.words.title}"><ul>
${link('waiting', '/inbox', nav.waiting, waiting)}
${link('unknown', '/inbox/history?status=indeterminate', nav.unknown)}
${link('history', '/inbox/history', nav.history)}
${link('mails', '/inbox/mails', nav.mails)}
</ul></nav>
<div class="you"><p>${person.session.person.displayName}</p>
${otherLanguage(person, path)}
<form method="post" action="/inbox/sign-out">${formToken(person)}<button class="plain">${nav.signOut}</button></form></div>
</header>
<main>
<p id="live" role="status"><a href="${path}" hidden data-changed>${live.changed}</a></p>
${body}
</main>
</body>
</html>
`.text
}

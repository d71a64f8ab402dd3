import { type Html, html } from '../../kernel/html/index.ts'
import * as sites from '../kit/index.ts'
import type { Person, Visitor } from './visit.ts'

type Framed = {
  readonly title: string
  readonly body: Html
  /** Where the other language is: the same page. */
  readonly path: string
}

type Place = 'waiting' | 'unknown' | 'history' | 'mails'

const titled = ({ language }: Visitor, title: string) => ({
  language,
  title,
  css: '/inbox/inbox.css',
  js: '/inbox/inbox.js',
})

/** The page of somebody who is not signed in. */
export const strangersPage = (visitor: Visitor, { title, ...framed }: Framed): string =>
  sites.strangersPage(titled(visitor, title), framed)

export const formToken = ({ formToken }: Pick<Person, 'formToken'>): Html =>
  html`<input type="hidden" name="token" value="${formToken}">`

export function personsPage(
  person: Person,
  { title, body, path, at, waiting }: Framed & { readonly at: Place | null; readonly waiting: number },
): string {
  const { nav, live } = person.words
  const link = (place: Place, href: string, name: string, count?: number) =>
    html`<li><a href="${href}"${place === at && html` aria-current="page"`}>${name}${count !== undefined && html` <span class="count">${count}</span>`}</a></li>`
  return html`${sites.documentHead(titled(person, title))}
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
${sites.otherLanguage(person.language, path)}
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

// The frame of every page: the menu beside it on a wide screen, folded above it on a narrow one.

import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { documentHead, otherLanguage, strangersPage } from '../kit/index.ts'
import type { Asked, Group, Page, Reader, Shown } from './page.ts'
import { WORDS } from './words.ts'

const ASSETS = { css: '/console/console.css', js: '/console/console.js' } as const

export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`

const LOADS_AGAIN = html`<noscript><meta http-equiv="refresh" content="2"></noscript>
`

type Menu = { readonly pages: readonly Page[]; readonly counts: Readonly<Record<string, number>> }

const GROUPS: readonly Group[] = ['run', 'setup', 'people', 'try']

/** The address of this page with what it was asked, for the other language. */
export function addressOf({ at, query }: Pick<Asked, 'at' | 'query'>): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'lang' && name !== 'said') asked.set(name, value)
  }
  return asked.size === 0 ? at : `${at}?${asked}`
}

export function framed(reader: Reader, page: Page, asked: Asked, { title, body, watch }: Shown, menu: Menu): string {
  const { language, ctx } = reader
  const words = WORDS[language]
  const { tenantName } = ctx.asking
  const link = ({ path, name }: Page) => {
    const count = member(menu.counts, path) ?? 0
    return html`<li><a href="${path}"${path === page.path && html` aria-current="page"`}>${name[language]}${count > 0 && html` <span class="count">${count}</span>`}</a></li>`
  }
  const groups = GROUPS.map((group) => {
    const listed = menu.pages
      .filter((one) => one.group === group)
      .toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0))
    return listed.length > 0 && html`<h2>${words.groups[group]}</h2><ul>${listed.map(link)}</ul>`
  })
  return html`${documentHead({ ...ASSETS, language, title: `${title} · ${tenantName}`, more: watch === undefined ? undefined : LOADS_AGAIN })}
<body${watch !== undefined && html` data-watch="${watch}"`}>
<header class="side">
<p class="brand">${tenantName}</p>
<details class="menu" data-wide-open><summary>${words.menu}</summary>
<nav aria-label="${words.console}">${groups}</nav>
<div class="you">${otherLanguage(language, addressOf(asked))}
<form method="post" action="/console/sign-out">${tokenField(reader.formToken)}<button class="plain">${words.signOut}</button></form></div>
</details>
</header>
<main>
${body}
</main>
</body>
</html>
`.text
}

export const alone = (language: Language, title: string, body: Html, path: string): string =>
  strangersPage({ ...ASSETS, language, title: `${title} · Tether` }, { body, path })

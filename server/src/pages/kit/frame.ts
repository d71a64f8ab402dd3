import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'

type Titled = {
  readonly language: Language
  readonly title: string
  readonly css: string
  readonly js: string
  readonly more?: Html | undefined
}

export const documentHead = ({ language, title, css, js, more }: Titled): Html => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${css}">
<script src="${js}" defer></script>
${more}</head>`

const NAMES: Readonly<Record<Language, string>> = { ka: 'ქართული', en: 'English' }

/** The same page in the other language. */
export function otherLanguage(language: Language, path: string): Html {
  const code = language === 'ka' ? 'en' : 'ka'
  const address = `${path}${path.includes('?') ? '&' : '?'}lang=${code}`
  return html`<a href="${address}" lang="${code}" hreflang="${code}">${NAMES[code]}</a>`
}

/** The page of somebody who is not signed in. */
export const strangersPage = (titled: Titled, { body, path }: { readonly body: Html; readonly path: string }): string =>
  html`${documentHead(titled)}
<body class="alone">
<header><p class="brand">Tether</p>${otherLanguage(titled.language, path)}</header>
<main>${body}</main>
</body>
</html>
`.text

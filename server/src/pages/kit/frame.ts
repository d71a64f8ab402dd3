import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { codeOfSign, unseenIn, withSignsTold } from '../../kernel/text/index.ts'

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

/** The language that was asked for or, without one, the first of the two that the browser names. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  if (asked !== undefined && asked !== '') return /^ka\b/i.test(asked) ? 'ka' : 'en'
  const first = (accepted ?? '').slice(0, 200).match(/\b(ka|en)\b/i)?.[1]
  return first?.toLowerCase() === 'ka' ? 'ka' : 'en'
}

// Small parts that several pages show.

/** The server says the time in UTC; the script of the page says it in the reader's own. */
export const instant = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

/** Whoever writes a text must not make the page heavy: so many are set apart, and the others stand in brackets. */
const MOST_APART = 200

/** A text from outside, with every sign that would not be seen, or would turn the order of the others, shown as such. */
export function seen(text: string): readonly (Html | string)[] {
  const parts: (Html | string)[] = []
  let from = 0
  for (const { run, sign, index } of unseenIn(text)) {
    if (parts.length >= 2 * MOST_APART) break
    parts.push(text.slice(from, index), html`<span class="sign">${codeOfSign(sign, run)}</span>`)
    from = index + run.length
  }
  return [...parts, withSignsTold(text.slice(from))]
}

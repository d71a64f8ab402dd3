// Writes the letter as HTML. Mail programs understand only the HTML of long ago: tables, inline styles, nothing loaded.
import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { type Letter, legible, orCopy, subjectOf } from './letter.ts'

const FONT = 'font-family:system-ui,Segoe UI,Roboto,Helvetica,Arial,Noto Sans Georgian,Noto Sans,sans-serif'
const INK = `${FONT};color:#1c2430`
const QUIET = `${FONT};color:#5a6675`
// Georgian letters are taller, so a little more space between the lines reads better.
const TEXT = 'font-size:16px;line-height:26px'

// Some programs ignore it, so everything must look right without it.
const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#12161c !important}
.card{background:#1b222c !important;border-color:#2a323d !important}
.ink{color:#e6e9ee !important}
.quiet{color:#9aa6b5 !important}
.link{color:#7db8f5 !important}
.code{background:#12161c !important;color:#e6e9ee !important;border-color:#2a323d !important}
}
@media (max-width:480px){.card-pad{padding:28px 22px !important}}`

export function letterHtml(written: Letter, language: Language): string {
  const letter = legible(written)
  const { heading, paragraphs, small } = letter
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subjectOf(letter)}</title>
<style>${raw(DARK)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f5f6f8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${paragraphs[0]}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f5f6f8">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="quiet" style="${QUIET};font-size:15px;font-weight:600;padding:0 4px 14px">Tether</td></tr>
<tr><td class="card card-pad" style="background:#ffffff;border:1px solid #dfe3e8;border-radius:10px;padding:36px 40px">
<h1 class="ink" style="${INK};font-size:22px;line-height:30px;font-weight:650;margin:0 0 16px">${heading}</h1>
${paragraphs.map((text) => html`<p class="ink" style="${INK};${TEXT};margin:0 0 16px">${text}</p>`)}
${factsOf(letter)}${codeBlock(letter)}${buttonOf(letter, language)}${linksOf(letter)}
</td></tr>
<tr><td style="padding:18px 4px 0">
${small.map((text) => html`<p class="quiet" style="${QUIET};font-size:13px;line-height:20px;margin:0 0 8px">${text}</p>`)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text
}

const raw = (css: string): Html => html(Object.assign([css], { raw: [css] }))

function factsOf({ facts = [] }: Letter): Html | false {
  if (facts.length === 0) return false
  const rows = facts.map(
    ([name, value]) =>
      html`<tr><td class="quiet" valign="top" style="${QUIET};font-size:15px;line-height:24px;padding:0 16px 6px 0">${name}</td>
<td class="ink" valign="top" style="${INK};font-size:15px;line-height:24px;padding:0 0 6px;word-break:break-word">${value}</td></tr>`,
  )
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 12px">${rows}</table>`
}

const codeBlock = ({ code }: Letter): Html | false =>
  code !== undefined &&
  html`<pre class="code" style="background:#f5f6f8;border:1px solid #dfe3e8;border-radius:6px;color:#1c2430;font-family:ui-monospace,Consolas,Menlo,monospace;font-size:13px;line-height:20px;margin:4px 0 16px;padding:12px 14px;white-space:pre-wrap;word-break:break-all">${code}</pre>`

const linksOf = ({ links = [] }: Letter): Html[] =>
  links.map(
    ({ label, url }) => html`<p class="ink" style="${INK};${TEXT};margin:0 0 16px">${label}<br>
<a class="link" href="${url}" style="color:#0b5cad;font-size:13px;line-height:20px;word-break:break-all">${url}</a></p>`,
  )

function buttonOf({ button }: Letter, language: Language): Html | false {
  if (button === undefined) return false
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0">
<tr><td bgcolor="#0b5cad" style="border-radius:8px">
<a href="${button.url}" style="${FONT};color:#ffffff;display:inline-block;font-size:16px;font-weight:600;line-height:22px;padding:13px 26px;text-decoration:none">${button.label}</a>
</td></tr>
</table>
<p class="quiet" style="${QUIET};font-size:13px;line-height:20px;margin:0">${orCopy(language)}<br>
<a class="link" href="${button.url}" style="color:#0b5cad;word-break:break-all">${button.url}</a></p>`
}

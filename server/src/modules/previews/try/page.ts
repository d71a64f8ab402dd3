import type { Language } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import { member } from '../../../kernel/json/index.ts'
import type { ShownSandbox } from '../index.ts'
import { TRY_WORDS, type TryWords } from './words.ts'

export type Look = { readonly language: Language; readonly token: string }

/** What is said above a form that did not work, and what was typed into it. */
export type Refused = {
  readonly code: string
  readonly typed: Readonly<Record<string, string>>
  /** Until it is worth trying again; without it nobody knows. */
  readonly seconds?: number
}
export const nothingRefused: Refused = { code: '', typed: {} }

type Frame = { readonly body: Html; readonly head?: Html; readonly attributes?: Html }

function page({ language }: Look, { body, head, attributes }: Frame): string {
  const words = TRY_WORDS[language]
  const [other, name] = words.other
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title} · Tether</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/try/try.css">
<script src="/try/try.js" defer></script>
${head}
</head>
<body${attributes}>
<header><p class="brand">Tether</p><a href="/try?lang=${other}" lang="${other}" hreflang="${other}">${name}</a></header>
<main>${body}</main>
</body>
</html>
`.text
}

const alert = ({ refused, limited }: TryWords, { code, seconds = 0 }: Refused): Html | false => {
  const why =
    code === 'rate_limited' && seconds > 0 ? limited(Math.ceil(seconds / 60)) : (member(refused, code) ?? refused.other)
  return code !== '' && html`<p class="note bad" role="alert" id="why" tabindex="-1">${why}</p>`
}

const hidden = ({ token, language }: Look): Html =>
  html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="lang" value="${language}">`

const siteForm = (look: Look, refused: Refused): Html => {
  const { open } = TRY_WORDS[look.language]
  return html`<form method="post" action="/try">
${hidden(look)}
<label for="site">${open.label}</label>
<input id="site" name="siteUrl" type="text" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" required maxlength="2048" placeholder="shop.example" value="${refused.typed.siteUrl ?? ''}"${refused.code !== '' && html` aria-describedby="why"`}>
<button>${open.button}</button>
</form>`
}

type Numbers = { readonly pages: number; readonly minutes: number; readonly turns: number }

export function openPage(look: Look, { pages, minutes, turns }: Numbers, refused = nothingRefused): string {
  const words = TRY_WORDS[look.language]
  const { open } = words
  const body = html`<h1>${open.heading}</h1>
<p>${open.lead}</p>
${alert(words, refused)}
${siteForm(look, refused)}
<ul class="facts">${open.facts(pages, minutes, turns).map((fact) => html`<li>${fact}</li>`)}</ul>`
  return page(look, { body })
}

const hostOf = (site: string): string => URL.parse(site)?.host ?? site

/** Numbers of the limits' own size: 12 of 40 pages, 310 of 1024 KB. */
export const progressTexts = ({ of }: TryWords['reading'], { status, progress }: ShownSandbox) => ({
  pages: of(String(status.pagesRead), String(progress.mostPages)),
  bytes: `${of(String(Math.round(progress.bytes / 1024)), String(Math.round(progress.mostBytes / 1024)))} KB`,
  seconds: `${of(String(progress.seconds), String(progress.mostSeconds))} s`,
  refused: String(progress.refused),
})

export function readingPage(look: Look, shown: ShownSandbox): string {
  const { reading } = TRY_WORDS[look.language]
  const texts = progressTexts(reading, shown)
  const row = (name: keyof typeof texts) =>
    html`<div><dt>${reading[name]}</dt><dd data-fill="${name}">${texts[name]}</dd></div>`
  const body = html`<h1>${reading.heading(hostOf(shown.site))}</h1>
<p>${reading.lead}</p>
<dl class="figures">${row('pages')}${row('bytes')}${row('seconds')}${row('refused')}</dl>`
  return page(look, {
    body,
    head: html`<noscript><meta http-equiv="refresh" content="2"></noscript>`,
    attributes: html` data-watch="/try/status?lang=${look.language}"`,
  })
}

export type Keeping = { readonly isMailed: boolean; readonly minutes: number; readonly refused: Refused }

export function readyPage(look: Look, shown: ShownSandbox, key: string, keeping: Keeping): string {
  const words = TRY_WORDS[look.language]
  const { ready } = words
  const { status, site } = shown
  const name = status.name ?? hostOf(site)
  const color = status.brand?.color ?? null
  const body = html`<div class="found">${shown.hasLogo && html`<img src="/try/logo" alt="" width="64" height="64">`}
<h1>${ready.heading(name, status.pagesRead, status.pagesRead >= shown.progress.mostPages)}</h1></div>
<p class="note warn">${ready.label}</p>
<p class="talk"><button type="button" data-talk hidden>${ready.talk}</button></p>
<noscript><p class="note">${ready.noScript}</p></noscript>
<dl class="figures">
${color !== null && html`<div><dt>${ready.colour}</dt><dd><svg width="16" height="16" aria-hidden="true"><rect width="16" height="16" rx="3" fill="${color}"/></svg> <code>${color}</code></dd></div>`}
<div><dt>${ready.items}</dt><dd>${status.items}</dd></div>
<div><dt>${ready.left}</dt><dd>${status.turnsLeft}</dd></div>
<div><dt>${ready.until}</dt><dd><time datetime="${status.expiresAt}">${status.expiresAt.slice(0, 16).replace('T', ' ')} UTC</time></dd></div>
</dl>
${status.topics.length > 0 && html`<h2>${ready.topics}</h2><ul>${status.topics.map((topic) => html`<li>${topic}</li>`)}</ul>`}
${keepForm(look, words, name, keeping)}
${leaveForm(look, words)}
<script src="/widget/service-assistant.js" defer></script>
<service-assistant endpoint="" publishable-key="${key}" mode="floating" lang="${look.language}" launcher-label="${ready.launcher}" greeting="${ready.greeting}" placeholder="${ready.placeholder}"${color !== null && html` data-color="${color}"`}></service-assistant>`
  return page(look, { body })
}

function keepForm(look: Look, words: TryWords, name: string, { isMailed, minutes, refused }: Keeping): Html {
  const { keep } = words
  if (isMailed) {
    return html`<section class="keep"><h2>${keep.heading}</h2><p class="note good" role="status" id="said" tabindex="-1">${keep.mailed(minutes)}</p></section>`
  }
  const { email = '', name: typed = name.slice(0, 120) } = refused.typed
  return html`<section class="keep"><h2>${keep.heading}</h2>
<p>${keep.lead}</p>
${alert(words, refused)}
<form method="post" action="/try/claim">
${hidden(look)}
<label for="email">${keep.email}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="320" value="${email}">
<label for="name">${keep.name}</label>
<input id="name" name="name" type="text" autocomplete="organization" required minlength="2" maxlength="120" value="${typed}">
<button>${keep.button}</button>
</form></section>`
}

const leaveForm = (look: Look, { again }: TryWords): Html =>
  html`<form method="post" action="/try/leave">${hidden(look)}<button class="plain">${again}</button></form>`

/** Nothing was readable, or nothing is left: the way on is another address. */
export function overPage(look: Look, shown: ShownSandbox | null, refused = nothingRefused): string {
  const words = TRY_WORDS[look.language]
  const { failed, expired } = words
  const isOver = shown === null || shown.status.state === 'expired'
  const why = shown?.status.errorCode ?? null
  const heading = isOver ? expired.heading : failed.heading(hostOf(shown.site))
  const lead = isOver ? expired.lead : ((why === null ? undefined : failed.reasons[why]) ?? failed.empty)
  const body = html`<h1>${heading}</h1>
<p>${lead}</p>
${alert(words, refused)}
<h2>${words.again}</h2>
${siteForm(look, refused)}`
  return page(look, { body })
}

export type Kept = {
  readonly name: string
  readonly apiKey: string
  readonly exportLines: readonly string[]
  /** Whose pages the trial has read. */
  readonly site: string | null
}

export function keptPage(look: Look, { name, apiKey, exportLines, site }: Kept): string {
  const { kept } = TRY_WORDS[look.language]
  const body = html`<h1>${kept.heading}</h1>
<p>${kept.lead}</p>
<h2>${name}</h2>
<h2 id="key">${kept.key}</h2>
<pre tabindex="0" aria-labelledby="key">${apiKey}</pre>
<h2 id="lines">${kept.lines}</h2>
<pre tabindex="0" aria-labelledby="lines">${exportLines.join('\n')}</pre>
<h2>${kept.next}</h2>
<ol>
${
  site !== null &&
  html`<li><p id="all">${kept.readAll}</p><pre tabindex="0" aria-labelledby="all">${asks('', 'preview', { siteUrl: site })}</pre></li>`
}
<li><p id="put">${kept.embed}</p><pre tabindex="0" aria-labelledby="put">${asks('-X PUT ', 'origins', { origins: [site ?? 'https://shop.example'] })}
${asks('', 'embed', { language: look.language })}</pre></li>
</ol>`
  return page(look, { body })
}

/** For the shell to which the lines above it were given. */
const asks = (method: string, route: string, body: object): string =>
  `curl -s ${method}$TETHER_BASE_URL/v1/${route} -H "X-Api-Key: $TETHER_API_KEY" -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`

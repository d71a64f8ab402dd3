import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { LABELS, LINK_PAGE_WORDS, type PagePurpose } from './words.ts'

const ROUTES: Readonly<Record<PagePurpose, string>> = {
  confirm: '../v1/signup/confirm',
  recover: '../v1/signup/recover/redeem',
  verify: '../v1/signup/verify',
}

/**
 * A page that a mailed link opens. It is the same for every link: the token follows the "#", so the server never sees it,
 * and nothing happens until somebody presses the button. Addresses are relative, so that the page works under any path.
 */
export function linkPage(purpose: PagePurpose, language: Language): Html {
  const words = LINK_PAGE_WORDS[purpose][language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title} · Tether</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="link.css">
<script src="link.js" defer></script>
</head>
<body>
<header><p class="brand">Tether</p>${languages(purpose, language)}</header>
<main data-purpose="${purpose}" data-post="${ROUTES[purpose]}">
<section data-state="ready">
<h1>${words.title}</h1>
<p>${words.lead}</p>
<noscript><p class="note">${words.noScript}</p></noscript>
<button type="button" id="act" data-working="${words.working}">${words.button}</button>
</section>
<section data-state="done" hidden>
<h1 tabindex="-1">${words.doneTitle}</h1>
<p>${words.done}</p>
${purpose === 'confirm' ? confirmed(language) : recovered(language)}
</section>
<section data-state="refused" hidden role="alert">
${Object.entries(words.outcomes).map(([code, outcome]) => refused(code, outcome))}
</section>
</main>
</body>
</html>
`
}

/** A refusal that may pass is shown below the button, for another try. One that will not pass replaces the button. */
function refused(code: string, [title, text]: readonly [title: string, text: string]): Html {
  const again = MAY_PASS.includes(code)
  const heading = again ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`
  return html`<div data-outcome="${code}"${again && html` data-again`} hidden>${heading}<p>${text}</p></div>`
}

const MAY_PASS = ['rate_limited', 'failed']

const languages = (purpose: PagePurpose, language: Language): Html =>
  language === 'en'
    ? html`<a class="language" href="${purpose}?lang=ka" lang="ka" hreflang="ka">ქართული</a>`
    : html`<a class="language" href="${purpose}?lang=en" lang="en" hreflang="en">English</a>`

function confirmed(language: Language): Html {
  const { workspace, address } = LABELS[language]
  return html`<dl><dt>${workspace}</dt><dd data-fill="name"></dd><dt>${address}</dt><dd data-fill="email"></dd></dl>`
}

function recovered(language: Language): Html {
  const { workspace, key, lines, copy, copied } = LABELS[language]
  return html`<dl><dt>${workspace}</dt><dd data-fill="name"></dd></dl>
<h2 id="key">${key}</h2>
<pre tabindex="0" aria-labelledby="key" data-fill="apiKey"></pre>
<p><button type="button" class="second" data-copy="apiKey" data-copied="${copied}">${copy}</button></p>
<h2 id="lines">${lines}</h2>
<pre tabindex="0" aria-labelledby="lines" data-fill="exportLines"></pre>
<p><button type="button" class="second" data-copy="exportLines" data-copied="${copied}">${copy}</button></p>`
}

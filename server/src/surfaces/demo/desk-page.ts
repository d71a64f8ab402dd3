import type { Language } from '@tether/contract'
import { type Html, html } from '../../foundation/html/index.ts'
import type { Demo } from './demo.ts'
import { EVENTS, OUTCOMES } from './desk-words.ts'
import { DEMO_WORDS } from './words.ts'

/** The page on which a person decides. Its script fills it in with words from the page. */
export function deskPage(_demo: Demo, language: Language): Html {
  const words = DEMO_WORDS[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.deskTitle} · ${words.shop}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/demo.css">
<script src="/demo/desk.js" defer></script>
</head>
<body>
<header>
<p class="brand">${words.deskTitle}</p>
<nav><a href="/demo/desk?lang=${language === 'ka' ? 'en' : 'ka'}">${words.other}</a> <a href="/demo?lang=${language}">${words.toShop}</a></nav>
</header>
<main id="desk" data-words="${JSON.stringify({ ...words, outcomes: OUTCOMES[language], events: EVENTS[language] })}">
<h1>${words.waiting}</h1>
<p class="lead">${words.deskLead}</p>
<p id="stale" class="fault" role="alert" hidden>${words.stale}</p>
<p id="none" hidden>${words.nothing}</p>
<ul id="waiting" class="cards"></ul>
<h2>${words.trail}</h2>
<p id="empty" hidden>${words.empty}</p>
<ol id="trail" class="trail"></ol>
</main>
</body>
</html>
`
}

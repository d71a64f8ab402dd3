import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { DEMO_WORDS } from './words.ts'

/** What the page needs from the running demo. */
export type Demo = {
  readonly widgetKey: string
  /** Where the service is, with the port that it listens on. */
  readonly url: string
  /** Where whoever decides signs in. */
  readonly inboxUrl: string
  readonly products: () => readonly { readonly name: string; readonly price: number; readonly stock: number }[]
  /** Returns a token that says who is signed in to the shop. */
  customerToken(): Promise<string>
}

type Shown = {
  readonly language: Language
  /** Where the widget reaches the service. */
  readonly service: string
}

/** The shop, as a business embeds us: one script and one element. */
export function shopPage({ widgetKey, inboxUrl, products }: Demo, { language, service }: Shown): Html {
  const words = DEMO_WORDS[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.shop}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/demo.css">
<script src="/demo/shop.js" defer></script>
</head>
<body>
<header>
<p class="brand">${words.shop}</p>
<nav><a href="/demo?lang=${language === 'ka' ? 'en' : 'ka'}">${words.other}</a>
<button type="button" id="person" data-in="${words.signedIn} · ${words.signOut}" data-out="${words.signIn}">${words.signIn}</button></nav>
</header>
<main>
<h1>${words.shop}</h1>
<p class="lead">${words.tagline}</p>
<section class="try">
<p>${words.ask}</p>
<ul>${words.questions.map((question) => html`<li><button type="button" class="question">${question}</button></li>`)}</ul>
<p>${words.waits} <a href="${inboxUrl}?lang=${language}">${words.toInbox}</a></p>
</section>
<ul class="shelf">${products().map(
    ({ name, price, stock }) => html`<li>
<h2>${name}</h2>
<p><b>${price} ${words.currency}</b> <span>${stock > 0 ? `${stock} ${words.inStock}` : words.soldOut}</span></p>
</li>`,
  )}</ul>
</main>
<script src="${service}/widget/service-assistant.js" defer></script>
<service-assistant endpoint="${service}" publishable-key="${widgetKey}" mode="floating" lang="${language}" launcher-label="${words.launcher}" greeting="${words.greeting}" placeholder="${words.placeholder}"></service-assistant>
</body>
</html>
`
}

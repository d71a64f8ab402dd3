import type { Language } from '@tether/contract'
import { type Html, html } from '../../foundation/html/index.ts'

type FrontWords = {
  readonly lead: string
  readonly addresses: string
  readonly other: readonly [Language, string]
} & Readonly<Record<FrontLink, string>>
type FrontLink = keyof typeof LINKS

/** Relative, so that the page works under any path. */
const LINKS = {
  '/try': 'try',
  '/demo': 'demo',
  '/docs': 'docs',
  '/inbox': 'inbox',
  '/swagger': 'swagger',
  '/openapi': 'openapi',
  '/health': 'health',
} as const

const FRONT_WORDS: Readonly<Record<Language, FrontWords>> = {
  en: {
    lead: 'This service stands between a language model and a production system: reads run at once, writes wait for a person.',
    addresses: 'Where to go from here',
    other: ['ka', 'ქართული'],
    '/try': 'Try it with your own website, without an account',
    '/demo': 'A pretend shop to try it with',
    '/docs': 'The documents',
    '/inbox': 'Where people decide what waits',
    '/swagger': 'The reference of the API',
    '/openapi': 'The same as OpenAPI 3.1, in JSON',
    '/health': 'Whether the service is up',
  },
  ka: {
    lead: 'ეს სერვისი დგას ენობრივ მოდელსა და თქვენს სისტემას შორის: კითხვას მაშინვე ასრულებს, ცვლილება კი ადამიანის თანხმობას ელოდება.',
    addresses: 'საით წავიდეთ აქედან',
    other: ['en', 'English'],
    '/try': 'მოსინჯეთ საკუთარ ვებგვერდზე, რეგისტრაციის გარეშე',
    '/demo': 'სავარჯიშო მაღაზია',
    '/docs': 'დოკუმენტაცია (ინგლისურად)',
    '/inbox': 'აქ წყდება ის, რაც დადასტურებას ელოდება',
    '/swagger': 'API-ის ცნობარი',
    '/openapi': 'იგივე OpenAPI 3.1-ის სახით, JSON',
    '/health': 'მუშაობს თუ არა სერვისი',
  },
}

/** What somebody sees who opens the bare address in a browser. `paths` are those that this deployment has. */
export function frontPage(language: Language, paths: ReadonlySet<string>): Html {
  const words = FRONT_WORDS[language]
  const [other, name] = words.other
  const links = (Object.keys(LINKS) as FrontLink[]).filter((path) => paths.has(path))
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tether</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="account/link.css">
</head>
<body>
<header><p class="brand">Tether</p><a class="language" href="?lang=${other}" lang="${other}" hreflang="${other}">${name}</a></header>
<main>
<h1>Tether</h1>
<p>${words.lead}</p>
<h2>${words.addresses}</h2>
<ul>${links.map((path) => html`<li><a href="${LINKS[path]}">${words[path]}</a> <code>${path}</code></li>`)}</ul>
</main>
</body>
</html>
`
}

// Explains how to put the widget on a page to somebody who looks after the pages and has never heard of us.
import type { Language } from '@tether/contract'
import type { Letter } from '../../tenancy/mail/index.ts'
import { type SnippetParts, scriptUrlOf, snippetOf } from './snippet.ts'

type InstructionParts = SnippetParts & { readonly origins: readonly string[] }

type PasteHints = readonly (readonly [builder: string, place: string])[]

const WHERE_TO_PASTE: Readonly<Record<Language, PasteHints>> = {
  en: [
    ['Plain HTML', 'Before </body>, on every page that should have it.'],
    ['WordPress', 'In a “Custom HTML” block in the footer of the theme.'],
    ['Wix', 'Settings → Custom code → Add custom code, at the end of body, on all pages.'],
    ['Tilda', 'Site settings → More → HTML code, before </body>.'],
    ['Webflow', 'Project settings → Custom code → Footer code.'],
    ['Shopify', 'Online store → Themes → Edit code → theme.liquid, before </body>.'],
  ],
  ka: [
    ['უბრალო HTML', '</body>-ის წინ, ყველა გვერდზე, სადაც უნდა გამოჩნდეს.'],
    ['WordPress', 'ბლოკი „Custom HTML“ თემის ქვედა ნაწილში (footer).'],
    ['Wix', 'Settings → Custom code → Add custom code, body-ის ბოლოს, ყველა გვერდზე.'],
    ['Tilda', 'Site settings → More → HTML code, </body>-ის წინ.'],
    ['Webflow', 'Project settings → Custom code → Footer code.'],
    ['Shopify', 'Online store → Themes → Edit code → theme.liquid, </body>-ის წინ.'],
  ],
}

export function instructionsLetter(parts: InstructionParts): Letter {
  const { endpoint, language, origins } = parts
  const { origin } = new URL(endpoint)
  const policy = `script-src ${scriptUrlOf(endpoint)}; connect-src ${origin}`
  const words = language === 'ka' ? GEORGIAN : ENGLISH
  return {
    subject: words.subject,
    heading: words.subject,
    paragraphs: [words.paste, words.policy(policy), origins.length === 0 ? words.nowhere : words.where],
    facts: [...WHERE_TO_PASTE[language], [words.addresses, origins.length === 0 ? '—' : origins.join(', ')]],
    code: snippetOf(parts),
    small: [words.key],
  }
}

type InstructionWords = {
  readonly subject: string
  readonly paste: string
  readonly policy: (policy: string) => string
  readonly where: string
  readonly nowhere: string
  readonly addresses: string
  readonly key: string
}

const ENGLISH: InstructionWords = {
  subject: 'Put the assistant on your pages',
  paste: 'Paste the lines below once, before the closing body tag. Where that is depends on how your pages are made:',
  policy: (policy) => `If the pages send a Content-Security-Policy, it must allow: ${policy}`,
  where: 'The assistant answers only on the addresses below. The workspace registers them with PUT /v1/origins.',
  nowhere:
    'The assistant does not answer on any address yet. The workspace must register the addresses of the pages with PUT /v1/origins.',
  addresses: 'Answers on',
  key: 'The key in these lines is publishable: anybody may see it, and it gives access to the conversation only.',
}

const GEORGIAN: InstructionWords = {
  subject: 'დაამატეთ ასისტენტი თქვენს გვერდებს',
  paste:
    'ქვემოთ მოცემული სტრიქონები ერთხელ ჩასვით, body-ის დახურვის წინ. სად არის ეს ადგილი, იმაზეა დამოკიდებული, რითია აწყობილი გვერდები:',
  policy: (policy) => `თუ გვერდები აგზავნის Content-Security-Policy-ს, მან უნდა დაუშვას: ${policy}`,
  where:
    'ასისტენტი პასუხობს მხოლოდ ქვემოთ დასახელებულ მისამართებზე; სამუშაო სივრცე მათ PUT /v1/origins-ით არეგისტრირებს.',
  nowhere:
    'ასისტენტი ჯერ არც ერთ მისამართზე არ პასუხობს: სამუშაო სივრცემ გვერდების მისამართები PUT /v1/origins-ით უნდა დაარეგისტრიროს.',
  addresses: 'პასუხობს აქ',
  key: 'სტრიქონებში მოცემული გასაღები საჯაროა: მას ყველა ხედავს და საუბრის გარდა არაფერს ხსნის.',
}

// The mail that tells whoever looks after a site how to put the widget into it.
import type { SnippetLanguage } from './snippet.ts'

export type InstructionFacts = {
  /** The workspace, as it is named in mail. */
  readonly name: string | null
  readonly snippet: string
  readonly endpoint: string
  readonly origins: readonly string[]
  readonly held: readonly string[]
}

/** The parts of a letter; `ground/mail` makes a text and a page of them. */
export type InstructionsLetter = {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly code: string
  readonly small: readonly string[]
}

const BUILDERS: Readonly<Record<SnippetLanguage, InstructionsLetter['facts']>> = {
  en: [
    ['Plain HTML', 'in every page, directly before the closing </body> tag'],
    [
      'WordPress',
      'a Custom HTML block in the footer template part (Appearance → Editor), or in the one page that shall have it',
    ],
    ['Wix', 'Settings → Custom Code → Add Custom Code: all pages, place it in Body – end'],
    ['Tilda', 'Site Settings → More → HTML code, into the field before </body>; publish all pages again'],
    ['Webflow', 'Site settings → Custom code → Footer code; save and publish'],
    ['Shopify', 'Online Store → Themes → … → Edit code → layout/theme.liquid, directly before </body>'],
  ],
  ka: [
    ['ჩვეულებრივი HTML', 'ყველა გვერდზე, უშუალოდ დამხურავი </body> ტეგის წინ'],
    [
      'WordPress',
      'ბლოკი Custom HTML საიტის ქვედა ნაწილში (Appearance → Editor) ან იმ ერთ გვერდზე, სადაც უნდა გამოჩნდეს',
    ],
    ['Wix', 'Settings → Custom Code → Add Custom Code: ყველა გვერდი, ადგილი Body – end'],
    ['Tilda', 'Site Settings → More → HTML code, ველი </body>-ის წინ; შემდეგ თავიდან გამოაქვეყნეთ ყველა გვერდი'],
    ['Webflow', 'Site settings → Custom code → Footer code; შეინახეთ და გამოაქვეყნეთ'],
    ['Shopify', 'Online Store → Themes → … → Edit code → layout/theme.liquid, უშუალოდ </body>-ის წინ'],
  ],
}

const list = (origins: readonly string[], none: string): string => (origins.length === 0 ? none : origins.join(', '))

const WORDS: Readonly<Record<SnippetLanguage, (facts: InstructionFacts) => InstructionsLetter>> = {
  en: ({ name, snippet, endpoint, origins, held }) => ({
    subject: 'How to put the assistant on your site',
    heading: 'Put the assistant on your site',
    paragraphs: [
      `${name === null ? 'A workspace' : `“${name}”`} asks you to paste the code below into its site, once. Where to paste it depends on how the site is made; the list says it for six of them.`,
      `It answers on these addresses: ${list(origins, 'none yet')}.${held.length === 0 ? '' : ` These wait until the workspace has confirmed its mail address: ${held.join(', ')}.`} An address that is missing has to be registered first.`,
      `If the site sends a Content-Security-Policy, let script-src and connect-src each name ${endpoint}. Nothing else is needed.`,
      'The key in the code is publishable: everybody who opens the page may see it, and it works on the addresses above only. A secret key (tth_…) belongs into no page; nobody will ask you for one.',
    ],
    facts: BUILDERS.en,
    code: snippet,
    small: ['You do not look after this site? Then there is nothing to do.'],
  }),
  ka: ({ name, snippet, endpoint, origins, held }) => ({
    subject: 'როგორ დაამატოთ ასისტენტი თქვენს საიტზე',
    heading: 'დაამატეთ ასისტენტი თქვენს საიტზე',
    paragraphs: [
      `${name === null ? 'სამუშაო სივრცე' : `„${name}“`} გთხოვთ, ქვემოთ მოცემული კოდი ერთხელ ჩასვათ მის საიტზე. სად უნდა ჩაისვას, დამოკიდებულია იმაზე, რით არის საიტი აწყობილი; სიაში ექვსი მათგანია.`,
      `პასუხობს ამ მისამართებზე: ${list(origins, 'ჯერ არც ერთზე')}.${held.length === 0 ? '' : ` ეს მისამართები ელოდება ელფოსტის დადასტურებას: ${held.join(', ')}.`} თუ მისამართი სიაში არ არის, ჯერ უნდა დარეგისტრირდეს.`,
      `თუ საიტი აგზავნის Content-Security-Policy-ს, script-src და connect-src უნდა უშვებდეს მისამართს ${endpoint}. მეტი არაფერია საჭირო.`,
      'კოდში მოცემული გასაღები საჯაროა: მას გვერდის ყველა მნახველი ხედავს და ის მხოლოდ ზემოთ ჩამოთვლილ მისამართებზე მუშაობს. საიდუმლო გასაღები (tth_…) არც ერთ გვერდზე არ უნდა მოხვდეს; მას არავინ მოგთხოვთ.',
    ],
    facts: BUILDERS.ka,
    code: snippet,
    small: ['თუ ამ საიტს თქვენ არ უვლით, არაფრის გაკეთება არ არის საჭირო.'],
  }),
}

export const instructionsLetter = (language: SnippetLanguage, facts: InstructionFacts): InstructionsLetter =>
  WORDS[language](facts)

import { escapeHtml } from '../../foundation/html/index.ts'
import { refuse } from '../../foundation/http/index.ts'

export type SnippetLanguage = 'ka' | 'en'

const LONGEST_GREETING = 200

const WORDS: Readonly<Record<SnippetLanguage, { label: string; greeting: string; placeholder: string }>> = {
  en: { label: 'Ask a question', greeting: 'Hello! How can I help you?', placeholder: 'Write a message' },
  ka: {
    label: 'დაგვისვით კითხვა',
    greeting: 'გამარჯობა! რით შემიძლია დაგეხმაროთ?',
    placeholder: 'დაწერეთ შეტყობინება',
  },
}

export function readLanguage(given: string | undefined): SnippetLanguage {
  if (given === undefined || /^en(glish)?$/i.test(given)) return 'en'
  if (/^ka$/i.test(given)) return 'ka'
  throw refuse('invalid_request', `"language" is ka or English, not "${given.slice(0, 40)}".`)
}

// Line breaks, and the characters that turn what stands beside them around.
const NOT_ONE_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

export function readGreeting(given: string | undefined, language: SnippetLanguage): string {
  const greeting = given?.trim() ?? ''
  if (greeting === '') return WORDS[language].greeting
  if (NOT_ONE_LINE.test(greeting) || [...greeting].length > LONGEST_GREETING) {
    throw refuse('invalid_request', `"greeting" is one line of at most ${LONGEST_GREETING} characters.`)
  }
  return greeting
}

export type SnippetParts = {
  readonly scriptUrl: string
  readonly endpoint: string
  readonly key: string
  readonly language: SnippetLanguage
  readonly greeting: string
}

/** HTML to paste once before `</body>`. Whatever comes from outside stands in a quoted attribute, escaped. */
export function writeSnippet({ scriptUrl, endpoint, key, language, greeting }: SnippetParts): string {
  const { label, placeholder } = WORDS[language]
  const attributes = {
    endpoint,
    'publishable-key': key,
    mode: 'floating',
    lang: language,
    'launcher-label': label,
    greeting,
    placeholder,
  }
  const written = Object.entries(attributes).map(([name, value]) => `  ${name}="${escapeHtml(value)}"`)
  return [
    `<script src="${escapeHtml(scriptUrl)}" defer></script>`,
    '<service-assistant',
    `${written.join('\n')}></service-assistant>`,
  ].join('\n')
}

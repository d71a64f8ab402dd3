import type { Language } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'

type SnippetWords = { readonly launcher: string; readonly greeting: string; readonly placeholder: string }

export const WORDS: Readonly<Record<Language, SnippetWords>> = {
  en: { launcher: 'Ask a question', greeting: 'Hello! How can I help you?', placeholder: 'Write a message' },
  ka: {
    launcher: 'დაგვისვით კითხვა',
    greeting: 'გამარჯობა! რით შემიძლია დაგეხმაროთ?',
    placeholder: 'დაწერეთ შეტყობინება',
  },
}

/** What the launcher says, and how a conversation begins, unless a page says it otherwise. */
export const snippetWords = (language: Language): SnippetWords => WORDS[language]

// A Map, because in an object `constructor` would be a language.
const LANGUAGES = new Map<string, Language>([
  ['ka', 'ka'],
  ['georgian', 'ka'],
  ['en', 'en'],
  ['english', 'en'],
])

export function readLanguage(written: string | undefined, otherwise: Language): Language {
  if (written === undefined) return otherwise
  const language = LANGUAGES.get(written.trim().toLowerCase())
  if (language !== undefined) return language
  throw refuse('invalid_request', '`language` must be ka or en.')
}

const LONGEST_GREETING = 200

/** Undefined means the usual greeting of the language. */
export function readGreeting(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const greeting = written.trim()
  const isOneLine = !/[\p{Cc}\u2028\u2029]/u.test(greeting)
  if (isOneLine && greeting !== '' && [...greeting].length <= LONGEST_GREETING) return greeting
  throw refuse('invalid_request', `\`greeting\` must be one line of 1 to ${LONGEST_GREETING} characters.`)
}

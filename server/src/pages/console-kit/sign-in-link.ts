// The mailed link to the console: its address, and the mail in both languages.

import type { AnyMailKind } from '../../tenancy/mail/index.ts'
import {
  CONSOLE_LINK,
  type LetterWords,
  type LinkFacts,
  type LinkPage,
  lasting,
  linkLetter,
} from '../../tenancy/signup/index.ts'

/** It ignores `Signup:VerifyUrl`: a page of another party cannot set our cookie. */
const page: LinkPage = ({ http }, language, token) => `${http.publicUrl}/console?lang=${language}#signin=${token}`

/** The token in the link, or the token itself, as a person pastes it. */
export const tokenIn = (pasted: string): string => /#signin=([\w-]+)/.exec(pasted)?.[1] ?? pasted

const WORDS: LetterWords<LinkFacts> = {
  en: ({ name, url, minutes }) => ({
    subject: name === null ? 'Sign in to the console' : `Sign in to the console of ${name}`,
    heading: 'Sign in to the console',
    paragraphs: [
      `Somebody asked for a link to the console of ${name === null ? 'your workspace' : `the workspace “${name}”`}. Whoever opens it can change everything there, as with a secret key.`,
    ],
    button: { label: 'Sign in', url },
    small: [
      `The link works once, ${lasting(minutes, 'en')}. Opening it does nothing yet: the page asks you to press a button.`,
      'If this was not you, do nothing. Nobody is signed in without this link.',
    ],
  }),
  ka: ({ name, url, minutes }) => ({
    subject: name === null ? 'შესვლა მართვის პანელში' : `შესვლა მართვის პანელში: ${name}`,
    heading: 'მართვის პანელში შესვლა',
    paragraphs: [
      `ვიღაცამ მოითხოვა ბმული ${name === null ? 'თქვენი სამუშაო სივრცის' : `სამუშაო სივრცის „${name}“`} მართვის პანელში შესასვლელად. ვინც ამ ბმულით შევა, იქ ყველაფრის შეცვლას შეძლებს, ისევე როგორც საიდუმლო გასაღებით.`,
    ],
    button: { label: 'შესვლა', url },
    small: [
      `ბმული მუშაობს ერთხელ, ${lasting(minutes, 'ka')}. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ ყოფილხართ, ნურაფერს მოიმოქმედებთ: ამ ბმულის გარეშე ვერავინ შევა.',
    ],
  }),
}

export const consoleLetters: readonly AnyMailKind[] = [
  linkLetter(CONSOLE_LINK, { purpose: 'console', page, words: WORDS }),
]

// The content of a mail. A feature writes the words, and this room turns them into plain text and HTML.
import type { Language } from '@tether/contract'
import { onOneLine, withSignsTold } from '../../kernel/text/index.ts'

export type Letter = {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Names with their values, to read off. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  /** Text to copy unchanged. */
  readonly code?: string
  readonly button?: { readonly label: string; readonly url: string }
  /** Where there is more than one thing to open. */
  readonly links?: readonly { readonly label: string; readonly url: string }[]
  /** The small print: how long the link works, and what to do if the mail came unasked. */
  readonly small: readonly string[]
}

const OR_COPY: Readonly<Record<Language, string>> = {
  en: 'If the button does not work, copy this address into your browser:',
  ka: 'თუ ღილაკი არ მუშაობს, დააკოპირეთ ეს მისამართი ბრაუზერში:',
}
export const orCopy = (language: Language): string => OR_COPY[language]

const WIDTH = 76

/** Writes the letter as plain text, with everything that the HTML says. */
export function letterText(letter: Letter): string {
  const { heading, paragraphs, facts = [], code, button, links = [], small } = legible(letter)
  const blocks = [
    heading,
    ...paragraphs.map(wrap),
    ...(facts.length === 0 ? [] : [facts.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    ...(code === undefined ? [] : [code]),
    // The address has its own line and is never broken, so that every mail program makes it a link.
    ...[...(button === undefined ? [] : [button]), ...links].map(({ label, url }) => `${label}:\n${url}`),
    `-- \n${small.map(wrap).join('\n\n')}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function wrap(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}

/** The subject is one line of a header. */
export const subjectOf = ({ subject }: Pick<Letter, 'subject'>): string => onOneLine(subject).trim()

/** A letter may repeat what others wrote, so it shows what would not be seen. Addresses and code stay as they are. */
export const legible = (letter: Letter): Letter => ({
  ...letter,
  heading: withSignsTold(letter.heading),
  paragraphs: letter.paragraphs.map(withSignsTold),
  ...(letter.facts === undefined
    ? {}
    : { facts: letter.facts.map(([name, value]) => [withSignsTold(name), withSignsTold(value)] as const) }),
  ...(letter.button === undefined ? {} : { button: told(letter.button) }),
  ...(letter.links === undefined ? {} : { links: letter.links.map(told) }),
  small: letter.small.map(withSignsTold),
})

const told = <Link extends { readonly label: string }>(link: Link): Link => ({
  ...link,
  label: withSignsTold(link.label),
})

// Text that a mail program would turn into a link, or read as an address. The dots of other scripts separate labels, too.
const READS_LIKE_A_LINK = /[/@:\\\u3002\uff0e\uff61]|www|[\p{L}\p{M}\p{N}]\.[\p{L}\p{M}]{2}|[\p{Cc}\p{Cf}]/iu

/**
 * A stranger chose this name, and the mail may go to somebody who knows nothing of it: signing up with another person's
 * address must not be a way to write to them. Returns null if the mail should leave the name out.
 */
export function namedInMail(name: string): string | null {
  return READS_LIKE_A_LINK.test(name) || withSignsTold(name) !== name || [...name].length > 60 ? null : name
}

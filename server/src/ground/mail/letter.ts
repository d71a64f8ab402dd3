// What a mail says, before it has a form: a feature writes the words, this room makes of them a text and a page.
import type { Language } from '@tether/contract'

export type Letter = {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Things to read off: names beside their values. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  /** Something to copy as it stands. */
  readonly code?: string
  readonly button?: { readonly label: string; readonly url: string }
  /** Under the line: how long it works, and what to do when it came unasked. */
  readonly small: readonly string[]
}

const OR_COPY: Readonly<Record<Language, string>> = {
  en: 'If the button does not work, copy this address into your browser:',
  ka: 'თუ ღილაკი არ მუშაობს, დააკოპირეთ ეს მისამართი ბრაუზერში:',
}
export const orCopy = (language: Language): string => OR_COPY[language]

const WIDTH = 76

/** The letter as plain text: everything that the page says is here too. */
export function letterText({ heading, paragraphs, facts = [], code, button, small }: Letter): string {
  const blocks = [
    heading,
    ...paragraphs.map(wrap),
    ...(facts.length === 0 ? [] : [facts.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    ...(code === undefined ? [] : [code]),
    // On a line of its own and never broken, so that every reader makes a link of it.
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
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

/** A subject is one line of a header, whatever was put into it. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

// What a mail program would turn into a link, or read as an address. The dots of other languages end a label as ours does.
const READS_LIKE_A_LINK = /[/@:\\\u3002\uff0e\uff61]|www|[\p{L}\p{M}\p{N}]\.[\p{L}\p{M}]{2}|[\p{Cc}\p{Cf}]/iu

/**
 * A name that a stranger chose, for a mail to somebody who may not know of it: whoever signs up with another person's
 * address must not be able to write to them. Null where it is better not said.
 */
export function namedInMail(name: string): string | null {
  return READS_LIKE_A_LINK.test(name) || [...name].length > 60 ? null : name
}

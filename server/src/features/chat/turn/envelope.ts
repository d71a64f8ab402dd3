import { randomBytes } from 'node:crypto'

/** Marks where text that others wrote begins and ends in what a model reads. Nobody outside can guess the mark of a turn. */
export type Envelope = {
  readonly mark: string
  wrap(what: string, text: string): string
}

export function openEnvelope(mark = randomBytes(9).toString('base64url')): Envelope {
  return {
    mark,
    // What cannot be guessed cannot stand in the text; taken out all the same, because it costs nothing.
    wrap: (what, text) => `«data ${mark} ${what}»\n${text.replaceAll(mark, '')}\n«end ${mark}»`,
  }
}

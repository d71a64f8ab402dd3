// How text that others wrote stands in what a model reads: between two lines that carry a mark which nobody outside can guess.
// The offline responder reads it back from there, so both directions live here.
import { randomBytes } from 'node:crypto'

export type Passage = {
  readonly kind: 'knowledge' | 'page' | 'feed'
  readonly title: string
  readonly text: string
}

export type Enveloped = { readonly what: string; readonly text: string }

/** Its mark is made for one turn. */
export type Envelope = {
  readonly mark: string
  wrap(what: string, text: string): string
  passage(passage: Passage): string
}

const MOST_TITLE = 120

export function openEnvelope(mark = randomBytes(9).toString('base64url')): Envelope {
  // What cannot be guessed cannot stand in the text; taken out all the same, because it costs nothing.
  const wrap = (what: string, text: string): string =>
    `«data ${mark} ${what}»\n${text.replaceAll(mark, '')}\n«end ${mark}»`
  return {
    mark,
    wrap,
    passage({ kind, title, text }) {
      const line = title.replace(/["«»\s]+/g, ' ').slice(0, MOST_TITLE)
      return wrap(`${kind} "${line}"`, text)
    },
  }
}

const OPENING = /«data (\S{1,64}) ([^«»\n]{1,400})»\n/g

/** In the order in which they stand; what looks like one inside another is part of its text. */
export function readEnvelopes(text: string): Enveloped[] {
  const found: Enveloped[] = []
  OPENING.lastIndex = 0
  for (let opening = OPENING.exec(text); opening !== null; opening = OPENING.exec(text)) {
    const [line, mark = '', what = ''] = opening
    const from = opening.index + line.length
    const end = text.indexOf(`\n«end ${mark}»`, from - 1)
    if (end === -1) break
    found.push({ what, text: text.slice(from, end) })
    OPENING.lastIndex = end
  }
  return found
}

/** The passages of a system message; other envelopes in it are left out. */
export function readPassages(system: string): Passage[] {
  return readEnvelopes(system).flatMap(({ what, text }) => {
    const [, kind, title = ''] = /^(knowledge|page|feed) "([^"]*)"$/.exec(what) ?? []
    return kind === 'knowledge' || kind === 'page' || kind === 'feed' ? [{ kind, title, text }] : []
  })
}

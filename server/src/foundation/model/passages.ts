// How text that others wrote stands in what a model reads: between two lines that carry a mark which nobody outside can guess.
// The offline model reads it back from there, so both directions live here.

export type Passage = {
  readonly kind: 'knowledge' | 'page' | 'feed'
  readonly title: string
  readonly text: string
}

export type Enveloped = { readonly what: string; readonly text: string }

const MOST_TITLE = 120

/** What cannot be guessed cannot stand in the text; taken out all the same, because it costs nothing. */
export const writeEnvelope = (mark: string, { what, text }: Enveloped): string =>
  `«data ${mark} ${what}»\n${text.replaceAll(mark, '')}\n«end ${mark}»`

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

export function writePassage(mark: string, { kind, title, text }: Passage): string {
  const line = title.replace(/["«»\s]+/g, ' ').slice(0, MOST_TITLE)
  return writeEnvelope(mark, { what: `${kind} "${line}"`, text })
}

/** The passages of a system message; other envelopes in it are left out. */
export function readPassages(system: string): Passage[] {
  return readEnvelopes(system).flatMap(({ what, text }) => {
    const [, kind, title = ''] = /^(knowledge|page|feed) "([^"]*)"$/.exec(what) ?? []
    return kind === 'knowledge' || kind === 'page' || kind === 'feed' ? [{ kind, title, text }] : []
  })
}

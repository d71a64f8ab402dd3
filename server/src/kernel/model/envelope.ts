// A model reads text that others wrote between two lines with a mark that nobody outside can guess. The offline
// responder reads it back from there, so both directions are in this file.
import { randomBytes } from 'node:crypto'

export type Passage = {
  readonly kind: 'knowledge' | 'page' | 'feed'
  readonly title: string
  readonly text: string
  /** By which an answer says that it rests on it. */
  readonly number?: number
}

type Enveloped = { readonly what: string; readonly text: string }

/** Each turn has its own mark. */
export type Envelope = {
  readonly mark: string
  wrap(what: string, text: string): string
  passage(passage: Passage): string
}

const MOST_TITLE = 120

export function openEnvelope(mark = randomBytes(9).toString('base64url')): Envelope {
  // The text cannot contain the mark, because nobody can guess it. We remove it all the same, because that costs
  // nothing.
  const wrap = (what: string, text: string): string =>
    `«data ${mark} ${what}»\n${text.replaceAll(mark, '')}\n«end ${mark}»`
  return {
    mark,
    wrap,
    passage({ kind, title, text, number }) {
      const line = title.replace(/["«»\s]+/g, ' ').slice(0, MOST_TITLE)
      return wrap(`${kind}${number === undefined ? '' : ` ${number}`} "${line}"`, text)
    },
  }
}

const OPENING = /«data (\S{1,64}) ([^«»\n]{1,400})»\n/g

/** Returns the envelopes in order. One inside another counts as the outer one's text. */
export function readEnvelopes(text: string): Enveloped[] {
  const found: Enveloped[] = []
  const openings = new RegExp(OPENING)
  for (let opening = openings.exec(text); opening !== null; opening = openings.exec(text)) {
    const [line, mark = '', what = ''] = opening
    const from = opening.index + line.length
    const end = text.indexOf(`\n«end ${mark}»`, from - 1)
    if (end === -1) break
    found.push({ what, text: text.slice(from, end) })
    openings.lastIndex = end
  }
  return found
}

/** Returns the passages of a system message, without its other envelopes. */
export function readPassages(system: string): Passage[] {
  return readEnvelopes(system).flatMap(({ what, text }) => {
    const [, kind, number, title = ''] = /^(knowledge|page|feed)(?: (\d{1,3}))? "([^"]*)"$/.exec(what) ?? []
    const known = kind === 'knowledge' || kind === 'page' || kind === 'feed'
    return known ? [{ kind, title, text, ...(number === undefined ? {} : { number: Number(number) }) }] : []
  })
}

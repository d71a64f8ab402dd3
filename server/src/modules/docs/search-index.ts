// An inverted index over the entries of the documents. A search looks at the entries that hold its words, not at every text: a scan of
// all texts took 1 to 3 ms of the only thread for each request.
import type { Entry } from './render.ts'

export type Indexed = Entry & {
  readonly page: string
  readonly address: string
  readonly low: { readonly heading: string; readonly text: string }
}

/** Where a token stands, as positions in the list of entries. */
type Postings = { readonly text: number[]; readonly heading: number[]; readonly title: number[] }
type Part = keyof Postings
type Token = Postings & { readonly written: string }

/** Entries that hold a form of a word; `startsWord` if it stands at the start of a word there. */
export type Match = { readonly positions: Postings; readonly startsWord: boolean }

export type SearchIndex = {
  readonly entries: readonly Indexed[]
  add(page: { readonly title: string; readonly address: string }, entries: readonly Entry[]): void
  matches(form: string): readonly Match[]
}

const GRAM = 3
const MIN_TOKENS_TO_MERGE = 100

/** A form with a space in it (“stored data”) is found only if `phrases` lists it, because the tokens hold no spaces. */
export function openSearchIndex(phrases: readonly string[]): SearchIndex {
  const entries: Indexed[] = []
  const tokens = new Map<string, Token>()
  const grams = new Map<string, Token[]>()
  const phraseTokens = new Map(phrases.map((written) => [written, newToken(written)]))
  // Forms that are in many tokens are few, and each is merged once.
  const common = new Map<string, readonly Match[]>()

  function tokenFor(written: string): Token {
    const known = tokens.get(written)
    if (known !== undefined) return known
    const token = newToken(written)
    tokens.set(written, token)
    for (const gram of gramsOf(written)) {
      const list = grams.get(gram)
      if (list === undefined) grams.set(gram, [token])
      else list.push(token)
    }
    return token
  }

  function addText(text: string, part: Part, position: number): void {
    for (const written of text.split(/\s+/)) if (written !== '') addPosition(tokenFor(written)[part], position)
    for (const token of phraseTokens.values()) if (text.includes(token.written)) addPosition(token[part], position)
  }

  return {
    entries,
    add({ title, address }, some) {
      for (const [at, entry] of some.entries()) {
        const low = { heading: entry.heading.toLowerCase(), text: entry.text.toLowerCase() }
        const position = entries.length
        addText(title.toLowerCase(), 'title', position)
        addText(low.heading, 'heading', position)
        addText(low.text, 'text', position)
        const place = at === 0 && !entry.isRow ? address : `${address}#${entry.id}`
        entries.push({ ...entry, page: title, address: place, low })
      }
    },
    matches(form) {
      const phrase = phraseTokens.get(form)
      if (phrase !== undefined) return [{ positions: phrase, startsWord: true }]
      const known = common.get(form)
      if (known !== undefined) return known
      const found = (rarest(form, grams) ?? [])
        .filter(({ written }) => written.includes(form))
        .map((token) => ({ positions: token, startsWord: startsWordIn(token.written, form) }))
      if (found.length < MIN_TOKENS_TO_MERGE) return found
      const merged = [true, false].map((startsWord) => merge(found, startsWord))
      common.set(form, merged)
      return merged
    },
  }
}

function merge(matches: readonly Match[], startsWord: boolean): Match {
  const some = matches.filter((match) => match.startsWord === startsWord)
  const all = (part: Part) => [...new Set(some.flatMap(({ positions }) => positions[part]))]
  return { positions: { text: all('text'), heading: all('heading'), title: all('title') }, startsWord }
}

const newToken = (written: string): Token => ({ written, text: [], heading: [], title: [] })

/** Positions are added in ascending order, so that only the last one can be there already. */
function addPosition(positions: number[], position: number): void {
  if (positions.at(-1) !== position) positions.push(position)
}

/** Each run of three letters; and one or two letters at the start of a word, which is where a form that short has to stand. */
function gramsOf(written: string): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at < written.length; at++) {
    if (at + GRAM <= written.length) found.add(written.slice(at, at + GRAM))
    if (!isWordStart(written, at)) continue
    for (let length = 1; length < GRAM && at + length <= written.length; length++)
      found.add(written.slice(at, at + length))
  }
  return found
}

function rarest(form: string, grams: ReadonlyMap<string, Token[]>): readonly Token[] | undefined {
  if (form.length <= GRAM) return grams.get(form)
  let best: readonly Token[] | undefined
  for (let at = 0; at + GRAM <= form.length; at++) {
    const list = grams.get(form.slice(at, at + GRAM))
    if (list === undefined) return undefined
    if (best === undefined || list.length < best.length) best = list
  }
  return best
}

const isWordStart = (text: string, at: number): boolean => at === 0 || !isLetter(text.charCodeAt(at - 1))

/** Of a lower-case text. The expression is slow, and most texts are ASCII. */
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code > 127 && /[\p{L}\p{N}]/u.test(String.fromCharCode(code)))

function startsWordIn(text: string, form: string): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) if (isWordStart(text, at)) return true
  return false
}

// Finds the part of a page that somebody looks for. Every word must be there, in some form, or all but one where no place has all;
// what stands in a name or a heading counts most.
import { type Indexed, type Match, openSearchIndex, type SearchIndex } from './search-index.ts'

export type Found = {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly excerpt: string
}

export const MOST_FOUND = 30
const MOST_WORDS = 8
const AROUND = 90

/** `isWhole` where each place has all of the words; else it lacks one, because no place has all. */
export type Search = { readonly found: readonly Found[]; readonly isWhole: boolean }

export function findIn(index: SearchIndex, asked: string): Search {
  const words = wordsOf(asked)
  if (words.length === 0) return { found: [], isWhole: true }
  const scores = scoresOf(index, words)
  const whole = ranked(index, scores, words, words.length)
  if (whole.length > 0 || words.length < 3) return { found: whole, isWhole: true }
  return { found: ranked(index, scores, words, words.length - 1), isWhole: false }
}

/** How somebody asks says nothing of what they ask for. */
const UNSAID = new Set(
  'a an and are at be by can do does for from get has have how i if in is it its make me my no of on or our the there this to use we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** What people type, and what the pages call it. */
const CALLED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    color: ['colour'],
    container: ['dockerfile'],
    cors: ['origin'],
    csp: ['content-security-policy'],
    docker: ['dockerfile', 'compose'],
    forget: ['erase'],
    gdpr: ['erase', 'forgotten'],
    helm: ['dockerfile'],
    hipaa: ['stored data'],
    human: ['person'],
    login: ['sign-in', 'signs in', 'sign in'],
    pricing: ['price'],
    privacy: ['stored data', 'erase'],
    resend: ['sends it with', 'send again', 'sent again', 'redeliver'],
    sso: ['sign-in'],
    'sign-in': ['signing in', 'signs in', 'sign in'],
    theme: ['looks', 'scheme'],
    undo: ['takes back', 'take back', 'cannot be undone'],
  }),
)

export const newSearchIndex = (): SearchIndex =>
  openSearchIndex([...CALLED.values()].flat().filter((form) => /\s/.test(form)))

/** A word with its ending off, so that `upgrade` finds "upgrading" and `refunds` "refund"; a name with signs in it stays as it is. */
const stemOf = (word: string): string =>
  /^[a-z]{5,}$/.test(word) ? word.replace(/(?:ies|ing|ed|es|s|e|y)$/, '') || word : word

type Word = { readonly typed: string; readonly forms: readonly string[] }

function wordsOf(asked: string): readonly Word[] {
  const typed = asked
    .toLowerCase()
    .replace(/\b(?:sign|log)(?:ing)? in\b/g, 'sign-in')
    .split(/\s+/)
    .map((word) => word.replace(/^["'`(]+|["'`?!,;.)]+$/g, ''))
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
  const telling = typed.filter((word) => !UNSAID.has(word))
  return (telling.length > 0 ? telling : typed).map((word) => ({
    typed: word,
    forms: [...new Set([word, stemOf(word), ...(CALLED.get(word) ?? [])])],
  }))
}

/** What each word is worth in each entry. */
type Scores = {
  /** The number of words that the entry holds. */
  readonly held: Uint8Array
  readonly worth: Float64Array
  /** The word that the entry lacks, where it lacks only one. */
  readonly lacking: Uint8Array
}

function scoresOf(index: SearchIndex, words: readonly Word[]): Scores {
  const count = index.entries.length
  const scores = { held: new Uint8Array(count), worth: new Float64Array(count), lacking: new Uint8Array(count) }
  for (const [at, word] of words.entries()) {
    const { title, heading, all } = bestOf(index, word)
    for (let entry = 0; entry < count; entry++) {
      const inAll = all[entry] ?? 0
      if (inAll === 0) scores.lacking[entry] = at
      else {
        scores.held[entry] = (scores.held[entry] ?? 0) + 1
        scores.worth[entry] =
          (scores.worth[entry] ?? 0) + (title[entry] ?? 0) + (heading[entry] ?? 0) / 2 + (inAll - 1) / 2
      }
    }
  }
  return scores
}

const IN_TITLE = 3
/** A word at the start of another counts more than one inside of it. */
const IN_HEADING = { atStart: 10, inside: 4 }
const ANYWHERE = { atStart: 2, inside: 0 }

/**
 * What the best form of a word is worth in each entry. A form that was typed counts twice as much as one that stands for it.
 * `all` is one more than its worth, so that 0 means that the entry lacks the word.
 */
function bestOf(index: SearchIndex, { typed, forms }: Word) {
  const count = index.entries.length
  const [title, heading, all] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)]
  const raise = (best: Uint8Array, entries: readonly number[], worth: number): void => {
    for (const entry of entries) if ((best[entry] ?? 0) < worth) best[entry] = worth
  }
  for (const form of forms) {
    const factor = form === typed ? 2 : 1
    for (const match of index.matches(form)) {
      const place = match.startsWord ? 'atStart' : 'inside'
      raise(title, match.positions.title, IN_TITLE)
      raise(heading, match.positions.heading, IN_HEADING[place] * factor)
      for (const entries of positionsOf(match.positions)) raise(all, entries, 1 + ANYWHERE[place] * factor)
    }
  }
  return { title, heading, all }
}

const positionsOf = ({ text, heading, title }: Match['positions']) => [text, heading, title]

type Ranked = { readonly entry: Indexed; readonly worth: number }

/** The entries that hold at least `least` of the words, the best first. */
function ranked({ entries }: SearchIndex, scores: Scores, words: readonly Word[], least: number): readonly Found[] {
  const typed = words.map((word) => word.typed)
  const whole = typed.join(' ')
  const withoutOne = typed.map((_, lacking) => typed.filter((_, at) => at !== lacking).join(' '))
  const best: Ranked[] = []
  for (const [at, entry] of entries.entries()) {
    const held = scores.held[at] ?? 0
    if (held < least) continue
    const asked = held === words.length ? whole : (withoutOne[scores.lacking[at] ?? 0] ?? '')
    insert(best, { entry, worth: (scores.worth[at] ?? 0) + worthOf(entry, asked) })
  }
  return best.map(({ entry }) => ({
    page: entry.page,
    heading: entry.heading,
    address: entry.address,
    excerpt: excerptOf(entry, words),
  }))
}

/** Keeps the best in order; of two with the same worth, the one that was there first. */
function insert(best: Ranked[], one: Ranked): void {
  if (best.length >= MOST_FOUND && (best.at(-1)?.worth ?? 0) >= one.worth) return
  let at = best.length
  while (at > 0 && (best[at - 1]?.worth ?? 0) < one.worth) at--
  best.splice(at, 0, one)
  if (best.length > MOST_FOUND) best.pop()
}

/** What a reference says of a name comes before what uses it; last come the list of all routes and what was changed when. */
const ofReference = ({ address }: Indexed): number => {
  if (/^\/docs\/(reference\/access|changelog)\b/.test(address)) return -12
  return address.startsWith('/docs/reference/') ? 3 : 0
}

function worthOf(entry: Indexed, asked: string): number {
  const { heading } = entry.low
  const whole = heading === asked ? 100 : heading.includes(asked) ? 20 : 0
  return whole - (entry.isRow ? 1 : 0) + ofReference(entry)
}

/** An excerpt shows a word that stands this far into a text, else the start of the text. */
const MAX_EXCERPT_OFFSET = 10_000

function excerptOf({ text, low: { text: whole } }: Indexed, words: readonly Word[]): string {
  const low = whole.slice(0, MAX_EXCERPT_OFFSET)
  const first = Math.min(
    ...words.flatMap(({ forms }) => forms.map((form) => low.indexOf(form))).filter((at) => at >= 0),
  )
  if (!Number.isFinite(first) || text.length <= 2 * AROUND) return text.slice(0, 2 * AROUND)
  const from = Math.max(0, first - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, first + AROUND)}${first + AROUND < text.length ? '…' : ''}`
}

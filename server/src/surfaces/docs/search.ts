// Finds the part of a page that somebody looks for. Every word must be there, in some form, or all but one where no place has all;
// what stands in a name or a heading counts most.
import { member } from '../../foundation/json/index.ts'
import type { Entry } from './render.ts'

export type Indexed = Entry & {
  readonly page: string
  readonly address: string
  readonly low: { readonly heading: string; readonly all: string }
}
export type Found = {
  readonly page: string
  readonly heading: string
  readonly address: string
  readonly excerpt: string
}

export const MOST_FOUND = 30
const MOST_WORDS = 8
const AROUND = 90

export const indexed = (
  page: { readonly title: string; readonly address: string },
  entries: readonly Entry[],
): Indexed[] =>
  entries.map((entry, at) => ({
    ...entry,
    page: page.title,
    address: at === 0 && !entry.isRow ? page.address : `${page.address}#${entry.id}`,
    low: {
      heading: entry.heading.toLowerCase(),
      all: `${page.title} ${entry.heading} ${entry.text}`.toLowerCase(),
    },
  }))

/** `isWhole` where each place has all of the words; else it lacks one, because no place has all. */
export type Search = { readonly found: readonly Found[]; readonly isWhole: boolean }

export function findIn(index: readonly Indexed[], asked: string): Search {
  const words = wordsOf(asked)
  if (words.length === 0) return { found: [], isWhole: true }
  const whole = ranked(index, words, words.length)
  if (whole.length > 0 || words.length < 3) return { found: whole, isWhole: true }
  return { found: ranked(index, words, words.length - 1), isWhole: false }
}

/** How somebody asks says nothing of what they ask for. */
const UNSAID = new Set(
  'a an and are at be by can do does for from get has have how i if in is it its make me my no of on or our the there this to use we what when where which who why will with you your'.split(
    ' ',
  ),
)

/** What people type, and what the pages call it. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
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
}

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
    forms: [...new Set([word, stemOf(word), ...(member(CALLED, word) ?? [])])],
  }))
}

const holds = (text: string, { forms }: Word): boolean => forms.some((form) => text.includes(form))

/** The places that have at least so many of the words, the best first. */
function ranked(index: readonly Indexed[], words: readonly Word[], least: number): readonly Found[] {
  return index
    .flatMap((entry, place) => {
      const held = words.filter((word) => holds(entry.low.all, word))
      return held.length < least ? [] : [{ entry, place, worth: worthOf(entry, held) }]
    })
    .sort((one, other) => other.worth - one.worth || one.place - other.place)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => ({
      page: entry.page,
      heading: entry.heading,
      address: entry.address,
      excerpt: excerptOf(entry.text, words),
    }))
}

/** What a reference says of a name comes before what uses it; last come the list of all routes and what was changed when. */
const ofReference = ({ address }: Indexed): number => {
  if (/^\/docs\/(reference\/access|changelog)\b/.test(address)) return -12
  return address.startsWith('/docs/reference/') ? 3 : 0
}

function worthOf(entry: Indexed, words: readonly Word[]): number {
  const { low, isRow } = entry
  const asked = words.map(({ typed }) => typed).join(' ')
  const whole = low.heading === asked ? 100 : low.heading.includes(asked) ? 20 : 0
  return words.reduce(
    (sum, word) => sum + bestOf(low.heading, word, 10, 4) + bestOf(low.all, word, 2, 0),
    whole - (isRow ? 1 : 0) + ofReference(entry) + onPageOfIts(entry, words),
  )
}

/** A page whose own name has the words is about them. */
const onPageOfIts = ({ page }: Indexed, words: readonly Word[]): number =>
  words.filter((word) => holds(page.toLowerCase(), word)).length * 3

/** What was typed counts as it is; another form of it counts half, and so does what stands inside of a longer word. */
const bestOf = (text: string, { typed, forms }: Word, atStart: number, inside: number): number =>
  Math.max(
    ...forms.map((form) => {
      const at = text.indexOf(form)
      const worth = at < 0 ? 0 : startsWord(text, at) ? atStart : inside
      return form === typed ? worth : worth / 2
    }),
  )

const startsWord = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function excerptOf(text: string, words: readonly Word[]): string {
  const low = text.toLowerCase()
  const first = Math.min(
    ...words.flatMap(({ forms }) => forms.map((form) => low.indexOf(form))).filter((at) => at >= 0),
  )
  if (!Number.isFinite(first) || text.length <= 2 * AROUND) return text.slice(0, 2 * AROUND)
  const from = Math.max(0, first - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, first + AROUND)}${first + AROUND < text.length ? '…' : ''}`
}

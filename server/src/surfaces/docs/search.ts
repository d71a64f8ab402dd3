// Finds the part of a page that somebody looks for. Every word must be there; what stands in a name or a heading counts most.
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

export function findIn(index: readonly Indexed[], asked: string): Found[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  if (words.length === 0) return []
  return index
    .flatMap((entry, place) =>
      words.every((word) => entry.low.all.includes(word)) ? [{ entry, place, worth: worthOf(entry, words) }] : [],
    )
    .sort((one, other) => other.worth - one.worth || one.place - other.place)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => ({
      page: entry.page,
      heading: entry.heading,
      address: entry.address,
      excerpt: excerptOf(entry.text, words),
    }))
}

/** What a reference says of a name comes before what uses it. */
const ofReference = ({ address }: Indexed): number => (address.startsWith('/docs/reference/') ? 3 : 0)

function worthOf(entry: Indexed, words: readonly string[]): number {
  const { low, isRow } = entry
  const asked = words.join(' ')
  const whole = low.heading === asked ? 100 : low.heading.includes(asked) ? 20 : 0
  return words.reduce(
    (sum, word) => {
      const at = low.heading.indexOf(word)
      const inHeading = at < 0 ? 0 : startsWord(low.heading, at) ? 10 : 4
      return sum + inHeading + (startsWord(low.all, low.all.indexOf(word)) ? 2 : 0)
    },
    whole - (isRow ? 1 : 0) + ofReference(entry),
  )
}

const startsWord = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

function excerptOf(text: string, words: readonly string[]): string {
  const low = text.toLowerCase()
  const first = Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at >= 0))
  if (!Number.isFinite(first) || text.length <= 2 * AROUND) return text.slice(0, 2 * AROUND)
  const from = Math.max(0, first - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, first + AROUND)}${first + AROUND < text.length ? '…' : ''}`
}

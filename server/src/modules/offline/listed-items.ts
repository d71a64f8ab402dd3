// Whoever asks for a price, or whether there is something, wants what a listed item states: its price, its availability and its
// link. The prose of the same page often says none of it.

import type { Passage } from '../../kernel/model/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import { READ_VERBS } from './lexicon.ts'
import { georgian, isReported } from './sentence.ts'
import { ideasOf, isContent, meet, termsIn, termsOfWord } from './words.ts'

export type ListedItem = {
  /** As the page states it, with its price where it states one. */
  readonly name: string
  readonly availability: string | undefined
  readonly url: string
  /** By which the answer marks it. */
  readonly number: number | undefined
}

const COUNTER =
  /\b(?:how much|what prices?|for sale|on sale|sold out|(?:do|have|does) (?:you|they|it|the shop) (?:\w+ ){0,2}?(?:have|got|sell|offer|stock|carry))\b/i
const KA_COUNTER = georgian('გაქვთ|გაქვს|გექნებათ|იყიდება|ყიდით|ჰყიდით|გასაყიდ\\p{L}*')
/** What the question is asked with, and not what it is about. */
const ASKED_WITH =
  /^(?:much|many|sell|sells|sold|sale|offer|offers|carry|kinds?|sorts?|types?|buy|იყიდ.*|ყიდი.*|ჰყიდ.*|გასაყიდ.*|რამდენ.*|რანაირ.*)$/
/** With less in common an item is about something else. */
const LEAST_SHARE = 0.5

/** The items among the passages that a question for prices or stock is about: those that have the most in common with it. */
export function listedItems(passages: readonly Passage[], question: string): ListedItem[] {
  const words = wordsIn(question)
  const isOfPrice = words.some((word) => ideasOf(word).includes('price')) || /\bhow much\b/i.test(question)
  const isOfStock =
    words.some((word) => ideasOf(word).includes('stock')) || COUNTER.test(question) || KA_COUNTER.test(question)
  if ((!isOfPrice && !isOfStock) || isReported(question)) return []
  const about = words.filter((word) => isContent(word) && !READ_VERBS.has(word) && !isAskedWith(word))
  const ranked = passages
    .map((passage) => ({ item: itemIn(passage), share: shareIn(passage.title, about) }))
    .flatMap(({ item, share }) => (item !== undefined && share >= LEAST_SHARE ? [{ item, share }] : []))
    .filter(({ item }) => !isOfPrice || /: .*\d/.test(item.name))
  const most = Math.max(0, ...ranked.map(({ share }) => share))
  // What the business wrote itself stands above what its site lists.
  const isWritten = passages.some(
    ({ kind, title, text }) =>
      kind === 'knowledge' && (!isOfPrice || /\d/.test(text)) && shareIn(`${title}\n${text}`, about) >= most,
  )
  if (isWritten) return []
  return ranked.filter(({ share }) => share === most).map(({ item }) => item)
}

const isAskedWith = (word: string): boolean =>
  ASKED_WITH.test(word) || ideasOf(word).some((idea) => idea === 'price' || idea === 'stock')

/** A question about nothing in particular is about all of them. */
function shareIn(text: string, about: readonly string[]): number {
  const terms = termsIn(text)
  return about.length === 0 ? 1 : about.filter((word) => meet(termsOfWord(word), terms)).length / about.length
}

const MOST_LINES = 3

/** An item is kept as a line with its name and price, perhaps one with its availability, and one that is its address. */
function itemIn({ kind, text, number }: Passage): ListedItem | undefined {
  const lines = text.split('\n', MOST_LINES)
  const at = lines.findIndex((line) => /^https?:\/\/\S+$/.test(line))
  const [name = '', stated] = lines
  if (kind === 'knowledge' || at < 1) return undefined
  return { name, availability: at === 2 ? stated : undefined, url: lines[at] ?? '', number }
}

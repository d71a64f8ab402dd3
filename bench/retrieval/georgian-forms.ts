// Georgian questions none of whose words stands in the text that answers them. Each takes three words of a passage and puts
// other forms of them behind a question word. A word's forms are those of its paradigm, and a stem counts only if the texts
// themselves hold two of its forms. Seven times of ten the other form is one that some text holds.

import type { Passage, QuestionSet } from './question-set.ts'
import { randomFrom } from './random.ts'

const CONSONANT = 'ი მა ს ის ით ად ში ზე თან იდან ისგან ისთვის ები ებმა ებს ების ებით ებში ებზე ებისთვის ებიდან'.split(
  ' ',
)
const VOWEL = ['', ...'მ ს თი დ ში ზე სთან დან სგან სთვის ები ებს ების ებში'.split(' ')]
const ASKING = ['რა', 'სად', 'როდის', 'როგორ', 'ვინ', 'რატომ', 'რომელი']
const LEAST_LETTERS = 4
const MOST_PASSAGES = 40
const WORDS = 3
const SEED = 20261122

export function georgianForms(passages: readonly Passage[]): QuestionSet {
  const random = randomFrom(SEED)
  const wordsOf = (text: string): string[] => [...new Set(text.match(/[ა-ჰ]+/g) ?? [])]
  const held = new Map<string, number>()
  for (const { text } of passages) for (const word of wordsOf(text)) held.set(word, (held.get(word) ?? 0) + 1)
  const questions = passages.flatMap(({ id, text }) => {
    const own = wordsOf(text)
    const usable = own.flatMap((word) => {
      if (word.length < LEAST_LETTERS || (held.get(word) ?? 0) > MOST_PASSAGES) return []
      const forms = paradigmOf(word, held).filter((form) => !own.includes(form))
      const attested = forms.filter((form) => held.has(form))
      const regular = forms.filter((form) => !held.has(form))
      return forms.length === 0 ? [] : [{ attested, regular }]
    })
    if (usable.length < WORDS) return []
    const chosen = random.draw(usable, WORDS).map(({ attested, regular }) => {
      const wantsAttested = random.next() < 0.7
      return random.pick(attested.length > 0 && (wantsAttested || regular.length === 0) ? attested : regular) ?? ''
    })
    return [{ text: `${random.pick(ASKING)} ${chosen.join(' ')}?`, relevant: [id] }]
  })
  return { name: 'ka-forms', passages, questions }
}

/** The forms of the stem for which the texts hold the most; empty if they hold fewer than two. */
function paradigmOf(word: string, held: ReadonlyMap<string, number>): string[] {
  let best: { forms: string[]; known: number } = { forms: [], known: 1 }
  for (const endings of [CONSONANT, VOWEL]) {
    for (const ending of endings) {
      const stem = word.endsWith(ending) ? word.slice(0, word.length - ending.length) : ''
      const fits = endings === VOWEL ? /[აე]$/.test(stem) : /[^აეიოუ]$/.test(stem)
      if (stem.length < 3 || !fits) continue
      const forms = endings.map((one) => stem + one)
      const known = forms.filter((form) => held.has(form)).length
      if (known > best.known) best = { forms, known }
    }
  }
  return best.forms.filter((form) => form !== word)
}

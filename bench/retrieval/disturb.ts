// The same questions as people also type them: with one typing error, and Georgian in Latin letters.

import type { QuestionSet } from './question-set.ts'
import { randomFrom } from './random.ts'

const SEED = 7
const LEAST_LETTERS = 6

/** In one word of six letters or more, one letter but the first is left out, doubled by another, replaced, or swapped. */
export function withTypingError(set: QuestionSet): QuestionSet {
  const random = randomFrom(SEED)
  const questions = set.questions.map((question) => {
    const words = [...question.text.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => [...word].length >= LEAST_LETTERS)
    const chosen = random.pick(words)
    if (chosen === undefined) return question
    const wrong = misspelt([...chosen[0]], random)
    const { text } = question
    return { ...question, text: text.slice(0, chosen.index) + wrong + text.slice(chosen.index + chosen[0].length) }
  })
  return { ...set, name: `${set.name}, typing error`, questions }
}

function misspelt(letters: string[], random: ReturnType<typeof randomFrom>): string {
  const at = 1 + Math.floor(random.next() * (letters.length - 1))
  const letter = random.pick(letters) ?? ''
  const kind = Math.floor(random.next() * 4)
  if (kind === 0) letters.splice(at, 1)
  else if (kind === 1) letters.splice(at, 0, letter)
  else if (kind === 2) letters.splice(at, 1, letter)
  else
    letters.splice(
      at - (at === letters.length - 1 ? 1 : 0),
      2,
      ...letters
        .slice(at - (at === letters.length - 1 ? 1 : 0))
        .slice(0, 2)
        .reverse(),
    )
  return letters.join('')
}

/** The national system without its apostrophes, and what people write in chats. */
export const ROMANISATIONS = {
  national:
    'ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h',
  chat: 'ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ j რ r ს s ტ t უ u ფ f ქ q ღ g ყ y შ sh ჩ ch ც c ძ dz წ w ჭ ch ხ x ჯ j ჰ h',
} as const

export function inLatin(set: QuestionSet, romanisation: keyof typeof ROMANISATIONS): QuestionSet {
  const pairs = ROMANISATIONS[romanisation].split(' ')
  const letters = new Map(pairs.flatMap((one, at) => (at % 2 === 0 ? [[one, pairs[at + 1] ?? '']] : [])))
  const questions = set.questions.map((question) => ({
    ...question,
    text: Array.from(question.text, (letter) => letters.get(letter) ?? letter).join(''),
  }))
  return { ...set, name: `${set.name}, Latin letters (${romanisation})`, questions }
}

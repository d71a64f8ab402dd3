// Questions with two parts: pairs of questions from the open sets, each about a different passage, joined the way people join
// them. The rules that split a message are tuned on one half of the pairs; the other half only measures them.
import type { Asked, Passage, QuestionSet } from './question-set.ts'
import { type Random, randomFrom } from './random.ts'

type Language = 'en' | 'ka'

/** A question with the relevant passages of each of its parts. */
export type TwoPartQuestion = Asked & { readonly parts: readonly (readonly string[])[] }

export type TwoPartSet = {
  readonly name: string
  readonly language: Language
  readonly passages: readonly Passage[]
  readonly tuning: readonly TwoPartQuestion[]
  readonly heldOut: readonly TwoPartQuestion[]
}

const SEED = 20261127

/** `first` and `second` have no closing mark, and `second` begins with a small letter unless it follows a full stop. */
const JOINS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    '{First}? {Second}?',
    '{First} and {second}?',
    '{First}, and {second}?',
    '{First}? Also, {second}?',
    'I have two questions. {First}? And {second}?',
    'Hello, I looked at your page yesterday. {First}, and {second}?',
  ],
  ka: [
    '{First}? {Second}?',
    '{First} და {second}?',
    '{First}, და {second}?',
    '{First}? ასევე, {second}?',
    'ორი კითხვა მაქვს. {First}? და {second}?',
    'გამარჯობა, გუშინ ვნახე თქვენი გვერდი. {First} და {second}?',
  ],
}

export function twoPartSet(language: Language, { name, passages, questions }: QuestionSet, pairs: number): TwoPartSet {
  const random = randomFrom(SEED)
  const all = Array.from({ length: pairs }, () =>
    joinPair(drawPair(questions, random), random.pick(JOINS[language]) ?? ''),
  )
  return { name, language, passages, tuning: all.slice(0, pairs / 2), heldOut: all.slice(pairs / 2) }
}

function drawPair(questions: readonly Asked[], random: Random): [Asked, Asked] {
  for (;;) {
    const [one, other] = random.draw(questions, 2)
    if (one === undefined || other === undefined) throw new Error('A pair needs two questions.')
    if (!one.relevant.some((id) => other.relevant.includes(id))) return [one, other]
  }
}

function joinPair([first, second]: [Asked, Asked], join: string): TwoPartQuestion {
  const bare = ({ text }: Asked): string => text.replace(/[\s?!.]+$/u, '')
  const lowered = (text: string): string => (/^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))
  const text = join
    .replace('{First}', () => bare(first))
    .replace('{Second}', () => bare(second))
    .replace('{second}', () => lowered(bare(second)))
  return { text, parts: [first.relevant, second.relevant], relevant: [...first.relevant, ...second.relevant] }
}

/** Counts the questions for which the first five of these passages answer both parts. */
export const countBothInFive = (questions: readonly TwoPartQuestion[], found: readonly (readonly string[])[]): number =>
  questions.filter(({ parts }, at) => {
    const five = found[at]?.slice(0, 5) ?? []
    return parts.every((relevant) => relevant.some((id) => five.includes(id)))
  }).length

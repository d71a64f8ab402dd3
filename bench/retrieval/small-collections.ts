// What the gate keeps and lets through in a collection of a few texts, where how often a word occurs says little about it.
import { openIndex } from './measure.ts'
import type { Asked, QuestionSet } from './question-set.ts'
import { randomFrom } from './random.ts'

export type SmallFigures = {
  readonly size: number
  /** Of questions whose answer is in the collection, and comes first: how well it is covered. */
  readonly right: readonly number[]
  /** Of questions about other texts of the same set, and of another set in the same language. */
  readonly near: readonly number[]
  readonly far: readonly number[]
}

const SIZES = [1, 2, 5, 20]
const COLLECTIONS = 60
const ASKED = 20

/** `others` are questions in the language of the set that no text of it answers. */
export function smallCollections(set: QuestionSet, others: readonly Asked[], seed: number): SmallFigures[] {
  return SIZES.filter((size) => size < set.passages.length / 2).map((size) => {
    const random = randomFrom(seed + size)
    const [right, near, far]: [number[], number[], number[]] = [[], [], []]
    for (let at = 0; at < COLLECTIONS; at++) {
      const passages = random.draw(set.passages, size)
      const held = new Set(passages.map(({ id }) => id))
      const ask = openIndex(passages)
      const isRight = ({ relevant }: Asked) => relevant.some((id) => held.has(id))
      const [answered, rest] = [set.questions.filter(isRight), set.questions.filter((one) => !isRight(one))]
      for (const { text, relevant } of random.draw(answered, ASKED)) {
        const { ids, coverage, isStory } = ask(text)
        if (!isStory) right.push(relevant.includes(ids[0] ?? '') ? coverage : 0)
      }
      for (const [asked, into] of [
        [rest, near],
        [others, far],
      ] as const) {
        for (const { text } of random.draw(asked, ASKED)) {
          const { coverage, isStory } = ask(text)
          if (!isStory) into.push(coverage)
        }
      }
    }
    return { size, right, near, far }
  })
}

// Finds the words of a lexicon in a question, whatever form they stand in there.
import type { Lexicon } from '@tether/contract'
import { turnOf, type Work } from '../../kernel/json/index.ts'
import { formsOf, wordsIn } from '../../kernel/text/index.ts'

/** The words and phrases of a lexicon, word after word. */
export type WordTree = {
  /** By each form of the next word. */
  readonly next: Map<string, WordTree>
  /** Whose word or phrase ends here. */
  readonly domains: Set<string>
}

const emptyTree = (): WordTree => ({ next: new Map(), domains: new Set() })
/** Words that are looked at before other requests get a turn: about 3 ms. */
const WORDS_PER_TURN = 200

/** Takes turns with other requests: a full lexicon has 8,000 words. */
export function* growTree(lexicon: Lexicon): Work<WordTree> {
  const root = emptyTree()
  const isTurnOver = turnOf(WORDS_PER_TURN)
  for (const [domain, entries] of Object.entries(lexicon)) {
    for (const entry of entries) {
      const words = wordsIn(entry)
      // Signs alone are no word, and would be found everywhere.
      if (words.length > 0) words.reduce(grown, root).domains.add(domain)
      if (isTurnOver(words.length + 1)) yield
    }
  }
  return root
}

function grown(tree: WordTree, word: string): WordTree {
  const forms = formsOf(word)
  const known = forms.map((form) => tree.next.get(form)).find((branch) => branch !== undefined)
  const branch = known ?? emptyTree()
  for (const form of forms) if (!tree.next.has(form)) tree.next.set(form, branch)
  return branch
}

/** The domains whose words the question has, those with the most of them first. */
export function domainsIn(tree: WordTree, question: string): string[] {
  const found = new Map<string, number>()
  const words = wordsIn(question).map(formsOf)
  for (const from of words.keys()) {
    for (const domain of endingFrom(tree, words, from)) found.set(domain, (found.get(domain) ?? 0) + 1)
  }
  return [...found]
    .toSorted(([one, of], [other, than]) => than - of || (one < other ? -1 : 1))
    .map(([domain]) => domain)
}

function endingFrom(tree: WordTree, words: readonly (readonly string[])[], from: number): Set<string> {
  const ending = new Set<string>()
  let branches: ReadonlySet<WordTree> = new Set([tree])
  for (let at = from; branches.size > 0 && at < words.length; at++) {
    const forms = words[at] ?? []
    branches = new Set([...branches].flatMap(({ next }) => forms.flatMap((form) => next.get(form) ?? [])))
    for (const { domains } of branches) for (const domain of domains) ending.add(domain)
  }
  return ending
}

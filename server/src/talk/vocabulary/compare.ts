import type { Lexicon } from '@tether/contract'
import { member } from '../../kernel/json/index.ts'
import { spellingOf } from './lexicon.ts'

/** What a suggestion says of one domain, beside what the pack says of it. */
export type DomainDifference = {
  readonly domain: string
  readonly isNew: boolean
  /** What accepting it adds. */
  readonly added: readonly string[]
  /** What it repeats. */
  readonly known: readonly string[]
  /** What it leaves out: it stays when the words are added, and goes when they take the place of the pack. */
  readonly missing: readonly string[]
}

/** The suggested domains in their order, and then those that it does not mention. */
export function differenceOf(pack: Lexicon, suggested: Lexicon): readonly DomainDifference[] {
  const domains = new Set([...Object.keys(suggested), ...Object.keys(pack)])
  return [...domains].map((domain) => {
    const [held, words] = [member(pack, domain) ?? [], member(suggested, domain) ?? []]
    const [heldSpellings, spellings] = [new Set(held.map(spellingOf)), new Set(words.map(spellingOf))]
    return {
      domain,
      isNew: !Object.hasOwn(pack, domain),
      added: words.filter((word) => !heldSpellings.has(spellingOf(word))),
      known: words.filter((word) => heldSpellings.has(spellingOf(word))),
      missing: held.filter((word) => !spellings.has(spellingOf(word))),
    }
  })
}

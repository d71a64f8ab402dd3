// Makes text from strangers comparable, and safe to look at.
export { isImperative, isParticiple, isVerbalNoun, isWished, isWishedOfYou, verbKey } from './georgian-verbs.ts'
export { normalized } from './normalized.ts'
export { piecesOf } from './pieces.ts'
export { codeOfSign, onOneLine, unseenIn, withSignsTold } from './unseen.ts'
export { isInWindow, windowsOf } from './windows.ts'
export { formsOf, stemOf, wordsIn } from './word-forms.ts'

const LATIN: ReadonlyMap<string, string> = new Map(
  'ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h'
    .split(' ')
    .reduce<[string, string][]>(
      (pairs, part, at, all) => (at % 2 === 0 ? pairs.concat([[part, all[at + 1] ?? '']]) : pairs),
      [],
    ),
)

/** Writes a Georgian name in Latin letters: ბათუმ → batum. */
export const romanised = (word: string): string => Array.from(word, (letter) => LATIN.get(letter) ?? letter).join('')

/** Whether PostgreSQL can store the text: it takes neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * Text from a website, an MCP server, a model or an endpoint, with U+FFFD for each character that PostgreSQL cannot store.
 * A request that contains one is refused instead (`requireStorable`).
 */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

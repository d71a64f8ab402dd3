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

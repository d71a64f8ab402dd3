// Georgian writes case, number and postposition at the end of a word. Taking them off, one kind after the other, brings most
// forms of a noun together. Verbs change at both ends and inside; the letter grams of `words.ts` find those.

const GEORGIAN_WORD = /^[ა-ჰ]{4,}$/
const LEAST_LEFT = 3

/** "Too" and "only", which follow every other ending. */
const PARTICLES = ['ც', 'ვე']
const POSTPOSITIONS = ['თვის', 'გან', 'დან', 'კენ', 'მდე', 'თან', 'ში', 'ზე']
/** The first that fits is taken. The old plural endings ნი and თა are not among them: შეკვეთა and ბინა end so, too. */
const CASES = ['ისა', 'ითა', 'ის', 'ით', 'ად', 'მა', 'სა', 'ს', 'მ', 'დ', 'ი', 'ო', 'ა', 'ე', 'უ']
const PLURAL = ['ებ']
const CLOSING_VOWELS = /[აეიოუ]+$/
/** A stem that loses its last vowel before some endings: წყალი, but წყლის. */
const FLEETING_VOWEL = /([^აეიოუ])[აეო]([ლრნმვ])$/

export function georgianStem(word: string): string {
  if (!GEORGIAN_WORD.test(word)) return word
  let stem = word.length > 5 ? without(word, PARTICLES) : word
  for (const endings of [POSTPOSITIONS, CASES, PLURAL]) stem = without(stem, endings)
  const bare = stem.replace(CLOSING_VOWELS, '')
  stem = stem.slice(0, Math.max(bare.length, Math.min(LEAST_LEFT, stem.length)))
  return stem.length > LEAST_LEFT ? stem.replace(FLEETING_VOWEL, '$1$2') : stem
}

function without(word: string, endings: readonly string[]): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= LEAST_LEFT)
  return ending === undefined ? word : word.slice(0, -ending.length)
}

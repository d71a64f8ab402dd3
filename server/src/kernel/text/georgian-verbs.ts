// The forms of a Georgian verb tell who does it for whom: დაბლოკვა, დაბლოკეთ, დავბლოკო and დამიბლოკეთ are one verb. Its preverb and the
// consonants of its root stay the same, and its ending tells whether somebody asks for it.

const PREVERBS: readonly (readonly [said: string, key: string])[] = [
  ...(
    ['გადა', 'გამო', 'შემო', 'წამო', 'ჩამო', 'დაა', 'აღ', 'ამო', 'გა', 'და', 'შე', 'ჩა', 'წა', 'მო', 'მი'] as const
  ).map((said) => [said, said.length > 2 ? said.replace(/მო$/, '').replace(/^დაა$/, 'და') : said] as const),
  ['გადმო', 'გადა'] as const,
].toSorted(([one], [other]) => other.length - one.length)

const ENDING = /(?:[უი]ლ\p{L}{0,4}|ებ\p{L}{0,4}|ავ[თს]?|[აეოი]?[თსდ]?)$/u
const BEFORE_ROOT = /^[ვმგჰიუაე]+/u
const LONGEST_VERB = 40
const VOWELS = /[აეიოუ]/gu

/** Returns a key such as `და·ბლკ`, or undefined if the word does not begin with a preverb or has no root. */
export function verbKey(word: string): string | undefined {
  const preverb = word.length > LONGEST_VERB ? undefined : PREVERBS.find(([said]) => word.startsWith(said))
  if (preverb === undefined) return undefined
  const root = word
    .slice(preverb[0].length)
    .replace(ENDING, '')
    .replace(BEFORE_ROOT, '')
    .replace(VOWELS, '')
    .replace(/(?<=\p{L}{2})ვ$/u, '')
  return root === '' ? undefined : `${preverb[1]}·${root}`
}

/** გათიშული is the state of a thing, and nobody asks for it. */
export const isParticiple = (word: string): boolean => /[უი]ლ(?:ი|ია|ის|ს|მა|ა|ები|ებს)?$/u.test(word)

/** The noun of a verb, as in ვიზიტის გაუქმება. */
export const isVerbalNoun = (word: string): boolean =>
  /\p{L}{3}ა$/u.test(word) && !isParticiple(word) && verbKey(word) !== undefined

const isFirstPerson = (word: string): boolean =>
  PREVERBS.some(([said]) => word.startsWith(said) && word.slice(said.length).startsWith('ვ'))

/** გააუქმე, გამიუქმეთ. The same form tells what somebody did, so the other words have to decide. */
export const isImperative = (word: string): boolean => /ეთ?$/u.test(word) && !isFirstPerson(word)

/** გავაუქმო, გააუქმოთ: the form that follows "I want" and "can you". */
export const isWished = (word: string): boolean => /(?:ო|ოთ)$/u.test(word)
export const isWishedOfYou = (word: string): boolean => isWished(word) && !isFirstPerson(word)

// Georgian typed in Latin letters, as in chats: "sad aris chemi shekveta". Several letters stand for one, one for several, and
// everybody does it in their own way. So a word is read in all ways at once, and the texts show which of them exists.
import { type AskedWord, type Gram, isStory, MOST_WORDS, type Question } from './question.ts'
import { hashOf, saysLittle, stemOf } from './words.ts'

/** What one Latin letter, or several, may stand for. Some write a capital for a letter that a keyboard has under Shift. */
const READINGS: ReadonlyMap<string, string> = new Map(
  `a ა b ბ g გღ d დ e ე v ვ z ზძ t თტ i ი k კქ l ლ m მ n ნ o ო p პფ r რ s ს u უ f ფ q ქყ y ყი c ცწჩ w წვ x ხ j ჯჟ h ჰხ
   T თ S შს C ჩც Z ძზ W ჭწ R ღრ J ჟჯ dz ძ zh ჟ sh შ ch ჩჭ ts ცწ tz ცწ gh ღ kh ხ th თ ph ფ dj ჯ tch ჭ tsh ჩჭ`
    .split(/\s+/)
    .flatMap((one, at, all) => (at % 2 === 0 ? [[one, all[at + 1] ?? ''] as const] : [])),
)
const LONGEST_READING = 3
const GRAM = 3
const MOST_SPELLINGS = 96
const LONGEST_WORD = 32

const WORD = /[a-z][a-z'’ʼ`]*/gi
const OTHER_LETTERS = /[^\p{Script=Latin}\P{L}]/u

/** The question as Georgian, or undefined if it is written in other letters than Latin ones. */
export function readAsGeorgian(text: string): Question | undefined {
  if (OTHER_LETTERS.test(text)) return undefined
  const written = (text.match(WORD) ?? []).map(plain).filter((word) => word !== '')
  if (written.length === 0) return undefined
  const times = new Map<string, number>()
  for (const word of written) times.set(word, (times.get(word) ?? 0) + 1)
  const words = [...times].slice(0, MOST_WORDS).map(([word, count]) => askedWord(word, count))
  return { words, isStory: isStory(written.length) }
}

/** Apostrophes mark sounds that not everybody marks. A capital counts inside a word only; a word of capitals is shouted. */
function plain(word: string): string {
  const bare = word.replace(/[^a-z]/gi, '').slice(0, LONGEST_WORD)
  return bare === bare.toUpperCase() ? bare.toLowerCase() : bare.charAt(0).toLowerCase() + bare.slice(1)
}

function askedWord(word: string, times: number): AskedWord {
  const steps = stepsOf(word)
  const spellings = spellingsOf(steps)
  const counts = !spellings.some(saysLittle)
  return {
    stem: [...new Set(spellings.map((one) => hashOf(stemOf(one))))],
    grams: counts ? gramsIn(steps) : [],
    times,
    counts,
  }
}

type Step = { readonly letter: string; readonly to: number }

/** From each place in the word, the Georgian letters that may come next and where the word goes on after them. */
function stepsOf(word: string): Step[][] {
  return Array.from(word, (_, from) => {
    const steps: Step[] = []
    for (let length = Math.min(LONGEST_READING, word.length - from); length > 0; length--) {
      const latin = word.slice(from, from + length)
      const letters = READINGS.get(latin) ?? READINGS.get(latin.toLowerCase()) ?? ''
      for (const letter of letters) steps.push({ letter, to: from + length })
    }
    return steps
  })
}

/** Whole words; the longest letters first, because they are the likeliest. */
function spellingsOf(steps: readonly Step[][]): string[] {
  const found: string[] = []
  const walk = (at: number, before: string): void => {
    if (found.length >= MOST_SPELLINGS) return
    if (at >= steps.length) found.push(before)
    else for (const { letter, to } of steps[at] ?? []) walk(to, before + letter)
  }
  walk(0, '')
  return found
}

/** For each place, every gram that may begin there. */
function gramsIn(steps: readonly Step[][]): Gram[] {
  const end = steps.length
  // Within "sh" nothing need begin.
  const isInside = steps.map((_, at) => steps.some((own, from) => from < at && own.some(({ to }) => to > at)))
  const grams = steps.map((_, at) => ({ forms: formsFrom(steps, at, ''), isCertain: isInside[at] !== true, weight: 1 }))
  return [
    { forms: formsFrom(steps, 0, '_'), isCertain: true, weight: 1 },
    ...grams.filter(({ forms }, at) => forms.length > 0 && at < end),
  ]
}

function formsFrom(steps: readonly Step[][], from: number, before: string): number[] {
  const forms = new Set<number>()
  const walk = (at: number, gram: string): void => {
    if (gram.length === GRAM) forms.add(hashOf(gram))
    else if (at === steps.length) {
      if (gram.length === GRAM - 1) forms.add(hashOf(`${gram}_`))
    } else for (const { letter, to } of steps[at] ?? []) walk(to, gram + letter)
  }
  walk(from, before)
  return [...forms]
}

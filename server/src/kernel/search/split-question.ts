// Splits a message into the parts that ask for different things: its sentences, its clauses, and both sides of "and". A passage
// that answers one part holds too little of the whole message to pass a threshold, so each part is searched separately.
import { isStory } from './question.ts'
import { saysLittle, wordsOf } from './words.ts'

type QuestionPart = {
  readonly text: string
  /** False for one side of an "and" between things rather than between questions: "delivery and returns". */
  readonly isClause: boolean
  /** True if "it" or a similar word stands for something in another part. */
  readonly pointsBack: boolean
}

/** A message with more parts is searched for the first of them and as a whole. It bounds the cost of a search. */
const MAX_PARTS = 4

/** A longer sentence is not cut into clauses. It bounds the work on a hostile message. */
const MAX_SENTENCE_CHARS = 600

/** In a longer message both sides of an "and" between things usually belong to one question. */
const MAX_WORDS_WITH_SIDES = 10

// The full stops of "Dr. Beridze", "H. Garrison" and "the 2. time" do not end a sentence.
const SENTENCE_BREAK =
  /(?<=[!?…;]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Prof)|(?<![\p{L}\p{N}])\p{L}|\p{Lu}|\d(?=\.\s+[a-z]))\.)\s+(?![Ii]f (?:so|not)\b)|\n+/u

const AND = 'and also|and|but|as well as|და ასევე|და|ასევე|აგრეთვე|თან|ხოლო|მაგრამ'
const CONJUNCTION = new RegExp(String.raw`(?:[,;]\s*|\s+)(?:${AND})(?:\s*,)?\s+`, 'giu')
const LEADING_CONJUNCTION = new RegExp(String.raw`^(?:${AND}|also|plus)(?:\s*,)?\s+`, 'iu')

const QUESTION_WORD = 'what|when|where|who|whom|whose|which|why|how'
const VERB =
  "is|are|was|were|do|does|did|don't|doesn't|isn't|aren't|can|could|will|would|should|shall|may|must|am|have|has|had|tell me|show me|give me|i want|i need|i'd like|i would like|please"
const GEORGIAN =
  'რა|რას|რით|რის|რისი|რატომ|როდის|როდემდე|როგორ|როგორი|როგორია|ვინ|ვის|სად|საიდან|საით|ხომ|რისთვის|რამდენ\\p{L}*|რომელ\\p{L}*(?<!ც)|რანაირ\\p{L}*|რამე|რაიმე|შეიძლება|შემიძლია|შეგიძლიათ|შესაძლებელია|მჭირდება|მინდა|მაინტერესებს|მითხარით|გაქვთ|გაქვს|არის|არსებობს'
const whole = (words: string): string => String.raw`(?<!\p{L})(?:${words})(?!\p{L})`

const ASKS = new RegExp(
  String.raw`${whole(`${QUESTION_WORD}|${GEORGIAN}`)}\s+\S|${whole(GEORGIAN)}|(?:^|[,;:]\s*)${whole(VERB)}`,
  'iu',
)
/** Further inside, "which" and "who" continue the clause before. */
const BEGINS_TO_ASK = new RegExp(
  String.raw`^(?:\p{L}+\s+)?${whole(QUESTION_WORD)}|^${whole(VERB)}|${whole(GEORGIAN)}`,
  'iu',
)
/** "When it rains, what …" is one question, and "When do you open, what …" is two. */
const SUBORDINATE =
  /^(?:if|while|once|after|before|since|as|when(?! (?:is|are|was|were|do|does|did|can|could|will|would|should|may)\b))\b/iu
/** "And what is its price?" continues the question before it. */
const OF_THE_SAME = /\b(?:its|their)\b/iu
/** The next clause completes this one. */
const IS_OPEN = new RegExp(`${whole(`${QUESTION_WORD}|if so|if not`)}$`, 'iu')
const POINTS_BACK = new RegExp(
  whole('it|its|they|them|their|this|that|these|those|ის|იგი|ეს|მას|მისი|ამის|იმის|მათი'),
  'iu',
)
/** After a bare comma "who" and "which" continue a sentence, and these begin another question. */
const COMMA = new RegExp(
  String.raw`[,;]\s*(?=${whole(`what|why|how|${VERB}`)}|(?:[ა-ჰ]+\s+)?${whole(GEORGIAN)})`,
  'giu',
)

/** Returns the parts, or nothing for a message that asks for one thing. */
export function splitQuestion(text: string): QuestionPart[] {
  const sentences = text
    .split(SENTENCE_BREAK)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const words = wordsOf(text).length
  const clauses = sentences.flatMap((one) => clausesIn(one, words <= MAX_WORDS_WITH_SIDES))
  // A long message tells a story, so only its marked questions stand out from it.
  const asking = clauses.filter(({ isAsked, isMarked }) => (isStory(words) ? isMarked : isAsked))
  const wanted = (asking.length > 0 || isStory(words) ? asking : clauses).filter(({ text: own }) => isSearchable(own))
  if (sentences.length < 2 && wanted.length < 2) return []
  return wanted.slice(0, MAX_PARTS).map(({ text: own, isClause }) => ({
    text: own,
    isClause,
    pointsBack: wanted.length === 1 || POINTS_BACK.test(own),
  }))
}

/** `isMarked`: its sentence ends with a question mark. */
type Clause = Pick<QuestionPart, 'text' | 'isClause'> & { readonly isAsked: boolean; readonly isMarked: boolean }

function clausesIn(sentence: string, mayHaveSides: boolean): Clause[] {
  const bare = sentence.replace(LEADING_CONJUNCTION, '')
  const isMarked = sentence.endsWith('?')
  const isAsked = isMarked || (sentence.length <= MAX_SENTENCE_CHARS && ASKS.test(bare))
  if (sentence.length > MAX_SENTENCE_CHARS) return [{ text: bare, isClause: true, isAsked, isMarked }]
  return splitWhere(bare, [CONJUNCTION, COMMA], isBetweenQuestions).flatMap((clause) => {
    const sides = mayHaveSides ? splitWhere(clause, [CONJUNCTION], isBetweenThings) : [clause]
    return sides.map((text) => ({ text, isClause: sides.length === 1, isAsked, isMarked }))
  })
}

const isBetweenQuestions = (before: string, after: string): boolean =>
  ASKS.test(before) &&
  BEGINS_TO_ASK.test(after) &&
  ![SUBORDINATE, IS_OPEN].some((one) => one.test(before)) &&
  !OF_THE_SAME.test(after)

const isBetweenThings = (before: string, after: string): boolean => [before, after].every(isSearchable)

function splitWhere(
  text: string,
  boundaries: readonly RegExp[],
  splits: (before: string, after: string) => boolean,
): string[] {
  const pieces: string[] = []
  let from = 0
  const matches = boundaries.flatMap((one) => [...text.matchAll(one)]).toSorted((one, other) => one.index - other.index)
  for (const { index, 0: joint } of matches) {
    if (index < from || !splits(text.slice(from, index), text.slice(index + joint.length))) continue
    pieces.push(text.slice(from, index))
    from = index + joint.length
  }
  return [...pieces, text.slice(from)]
}

/** True for a text with a word to search for that is short enough to be one question. */
function isSearchable(text: string): boolean {
  const words = wordsOf(text)
  return !isStory(words.length) && words.some((word) => !saysLittle(word))
}

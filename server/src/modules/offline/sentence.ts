// Tells what kind of sentence a message is: a question, a report of what others said, a guess, a follow-up.

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu
export const QUOTES = /["“”„«][^"“”„«»]{0,500}["“”»]|(?<![\p{L}\p{N}])['‘][^'‘’]{1,200}['’](?![\p{L}\p{N}])/gu
// The full stop of "Dr. Beridze" does not end a sentence.
const SENTENCES = /(?<=[!?…]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Prof))\.)\s+|\n+/u
/** Splits a text into sentences, without quoted text, which may be an argument but never says what the visitor wants. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(/[’`]/g, "'")
    .replace(QUOTES, ' “” ')
    .split(SENTENCES)
    .map((one) => one.trim())
    .filter(Boolean)

export const wordsOf = (text: string): string[] => text.toLowerCase().match(WORDS) ?? []
export const georgian = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')

export const QUESTION =
  /^\s*(?:(?:hi|hello|hey|ok|so|and|but|well|please|sorry|excuse me)[,!]?\s+)*(?:how|what|when|why|where|which|who|whose|is|are|was|were|did|does|do(?! not)|has|have|had|if|should|shall|will|am|can i|could i|may i|can we|could we|can it|can a|can an|can the)\b/iu
export const ASKS = georgian(
  'რატომ|როდის|როგორ|ვინ|ვის|რა|რას|რამდენ\\p{L}*|რომელ\\p{L}*|სად|საიდან|ხომ|რისთვის|თუ არა',
)

export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text.trim()) || QUESTION.test(text) || ASKS.test(text)

export const REPORTED =
  /\b(?:said|says|saying|told|tells|heard|hear|wrote|writes|read that|i read|ask(?:s|ed)|claims?|claimed|mentioned|according to|rumou?r\w*|believes?|thinks?|thought|apparently|supposedly)\b/iu
export const KA_REPORTED = georgian(
  'მითხრ\\p{L}*|თქვ\\p{L}|ამბობ\\p{L}*|გავიგ\\p{L}*|გამიგია|მწერ\\p{L}*|დამიწერ\\p{L}*|მეუბნ\\p{L}*|თურმე|ვფიქრობ|მგონი|წავიკითხე|მირჩი\\p{L}*|\\p{L}+თქო|\\p{L}+მეთქი',
)
export const UNSURE =
  /^(?:if|when|whenever|in case|suppose|imagine|unless|once|after|before)\b|\b(?:if|unless|in case|whether|maybe|perhaps|might|not sure|wonder\w*|thinking (?:of|about)|considering|supposing|what if|as soon as|provided)\b/iu
export const KA_UNSURE = georgian(
  'თუ(?! შეიძლება| შეგიძლია)\\p{L}{0,2}|როცა|როდესაც|ალბათ|იქნებ|ვთქვათ|შესაძლოა|როგორც კი',
)

const SHOWN =
  /\b(?:show|tell|give|find|check|look up|list|display|get me|let me (?:see|know)|details|please|i(?:'d| would) like|i want|i need|looking for|wondering)\b/iu
const KA_SHOWN = georgian(
  'მაჩვენე\\p{L}*|მითხარი\\p{L}*|ნახე\\p{L}*|მაინტერესებს|მინდა|მომეცი\\p{L}*|შეამოწმე\\p{L}*|მიპოვე\\p{L}*|მოძებნე\\p{L}*|გთხოვ\\p{L}*|ვეძებ|მჭირდება',
)
const TO_BE_SHOWN =
  /^\s*(?:please\s+)?(?:show|tell me|give me|find|list|look up|check|display|get me|track|view|describe)\b|^\s*(?:მაჩვენე|მითხარი|მომეცი|შეამოწმე|მიპოვე|მოძებნე)/iu

/** True for an explicit question or "show me", which is not an answer to our question. */
export const isNewQuestion = (text: string): boolean => isQuestion(text) || TO_BE_SHOWN.test(text)

const MOST_NAME = 5

/** True if we may look something up: for a question, a wish to see something, or a few words that are not a sentence. */
export function asksToKnow(text: string): boolean {
  const words = wordsOf(text)
  return (
    isNewQuestion(text) || SHOWN.test(text) || KA_SHOWN.test(text) || (words.length <= MOST_NAME && !isTelling(text))
  )
}

export const isTelling = (text: string): boolean =>
  /\b(?:is|are|was|were|am|i'm|has|have|had|likes?|loves?|hates?|got|came|went|will)\b|\b(?:i|we|he|she|they|me|us|my|your|you)\b/iu.test(
    text,
  ) || georgian('ვარ|არის|იყო|ხარ|ჩემი|თქვენი|მე|ჩვენ|ძალიან|მტკივა|\\p{L}+ვარ|\\p{L}+ია').test(text)

const HOW =
  /^\s*(?:how|can|could|may|is it possible|am i allowed|where)\b|(?<!\p{L})(?:როგორ|შეიძლება|შემიძლია|სად)(?!\p{L})/iu

export const asksHow = (text: string): boolean => HOW.test(text) && isQuestion(text)

const FOLLOWS = /^\s*(?:and|or|also|what about|how about|and what about|and for|და|ხოლო|მაშინ)(?!\p{L})/iu

/** "And Riverside?" repeats the last question about something else. */
export const isFollowUp = (text: string): boolean => FOLLOWS.test(text) && wordsOf(text).length <= MOST_NAME

const POINTS_BACK = /\b(?:it|that|this|them|the same)\b|(?<!\p{L})(?:ის|ეს|იგი|მას|მისი|ამის|იმის|იგივე)(?!\p{L})/iu

export const pointsBack = (text: string): boolean => POINTS_BACK.test(text) || wordsOf(text).length <= 2

/** True for a question about facts, without conditions and reports. */
export const isPlainQuestion = (text: string): boolean =>
  isNewQuestion(text) && ![REPORTED, KA_REPORTED, UNSURE, KA_UNSURE].some((one) => one.test(text))

export const isReported = (text: string): boolean => REPORTED.test(text) || KA_REPORTED.test(text)

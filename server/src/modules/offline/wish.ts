// Tells whether a message asks for an action. Only a wish may stage a write, so a sentence that is not clearly a wish is none.
import { isImperative, isParticiple, isWished, isWishedOfYou } from '../../kernel/text/index.ts'
import {
  ASKS,
  georgian,
  isQuestion,
  KA_REPORTED,
  KA_UNSURE,
  QUESTION,
  REPORTED,
  sentencesOf,
  UNSURE,
  wordsOf,
} from './sentence.ts'

/** True for a word that is a form of one tool's verb. */
export type IsVerb = (word: string) => boolean

const GEORGIAN = /\p{Script=Georgian}/u
// "გთხოვთ, გააუქმოთ" and "მინდა, რომ გააუქმოთ" are one wish with a comma in it.
const CLAUSES = /(?<!(?<!\p{L})(?:გთხოვთ?|მინდა|მსურს|მოვითხოვ))[,;:](?!\s*რომ(?!\p{L}))\s*|\s+[–—-]\s+/u

const NEGATED = /\b(?:not|never|without|no longer|nobody|cannot|\w+n't|dont)\b/iu
const KA_NEGATED = georgian('არ|ნუ|აღარ|ვერ|ვეღარ|ნურ\\p{L}*|არასოდეს|არც')
/** After these words comes the reason, which is not part of the wish. */
const WHY = /\s(?:because|since|as i|as we|so that|otherwise)\b.*$|\s(?:რადგან|იმიტომ|ვინაიდან).*$/isu
const BACK =
  /^(?:no|nope|not|don't|do not|dont|never ?mind|wait|stop|forget|just kidding|actually,? no|არა|ნუ|არ)(?!\p{L})/iu

/** True if the visitor explicitly asks for the action now. */
export function wishesFor(text: string, isVerb: IsVerb): boolean {
  const sentences = sentencesOf(text).map((one) => one.replace(WHY, ''))
  const at = sentences.findIndex((sentence) => wishesIn(sentence, isVerb))
  if (at === -1 || REPORTED.test(sentences.slice(0, at).at(-1) ?? '')) return false
  const [, ...later] = clausesFrom(sentences[at] ?? '', isVerb)
  return ![...later, ...sentences.slice(at + 1)].some((one) => BACK.test(one))
}

const clausesOf = (sentence: string): string[] => sentence.split(CLAUSES).filter((one) => one.trim() !== '')

/** Returns the clause with the verb and the clauses after it. */
function clausesFrom(sentence: string, isVerb: IsVerb): string[] {
  const clauses = clausesOf(sentence).map((one) => one.trim())
  return clauses.slice(
    Math.max(
      0,
      clauses.findIndex((one) => wordsOf(one).some(isVerb)),
    ),
  )
}

function wishesIn(sentence: string, isVerb: IsVerb): boolean {
  const isOpen = /\?\s*$/.test(sentence)
  if ([REPORTED, KA_REPORTED, UNSURE, KA_UNSURE].some((one) => one.test(sentence))) return false
  return clausesOf(sentence).some((clause) =>
    GEORGIAN.test(clause) ? wishedInGeorgian(clause, isVerb, isOpen) : wishedInEnglish(clause, isVerb, isOpen),
  )
}

const FILLERS =
  /^(?:(?:please|pls|kindly|ok|okay|yes|yeah|hi|hello|hey|so|and|then|now|just|also|well|alright|right|sure|good|thanks|thank you|no|dear all|sorry|oh|again|immediately|quickly|then please|good (?:morning|day|evening|afternoon))\b[\s!.]*)+/iu
const FINITE =
  /\b(?:is|are|was|were|has|have|had|does|did|will|would|can|could|should|isn't|wasn't|came|went|takes?|sounds?|looks?|seems?)\b/iu
const RELATIVE = /\b(?:that|which|who|whom|where|when|until|as|and|but|so)\b.*$/isu
/** "Renew" asks for it, but "renewed" and "renews" only mention it. */
const isBase = (word: string): boolean => !/(?:ed|ing|(?<!s)s)$/u.test(word) || word.length < 5

const YOU_COULD =
  /\b(?:can|could|would) (?:you|someone|somebody|anyone|anybody)(?: please| kindly| just| also| maybe| now| help me| help me to)*\s+([\p{L}'-]+)/giu
const WOULD_MIND = /\bwould you mind\s+([\p{L}'-]+)/giu
const I_WANT =
  /\b(?:i|we)(?:'d| would| do| really| just| also| now| still)*\s+(?:want|wanted|need|like|love|wish|have|must|got|ask)(?: you| somebody| someone| help)?(?: to)?(?: please| now| also| just)*\s+([\p{L}'-]+)/giu
const GO_ON = /\b(?:please|kindly|go ahead and|let's|help me|help me to|time to)(?: now| just| also)?\s+([\p{L}'-]+)/giu
const WANTS = /\b(?:i|we)(?:'d| would| do| really| just| also| now)*\s+(?:want|need|like|wish)\s+(.*)$/iu
const WANTS_TO_KNOW =
  /\b(?:know|see|check|find|hear|ask|understand|learn|read|why|how|when|what|complain|say|tell|talk)\b/iu

function wishedInEnglish(clause: string, isVerb: IsVerb, isOpen: boolean): boolean {
  if (NEGATED.test(clause)) return false
  const isNext = (expression: RegExp) =>
    [...clause.matchAll(expression)].some(([, next = '']) => isVerb(next.toLowerCase()) && isBase(next.toLowerCase()))
  if (isNext(YOU_COULD) || [...clause.matchAll(WOULD_MIND)].some(([, next = '']) => isVerb(next.toLowerCase())))
    return true
  if (isOpen || QUESTION.test(clause)) return false
  const [first = '', ...rest] = wordsOf(clause.replace(FILLERS, ''))
  if (isVerb(first) && isBase(first) && !FINITE.test(rest.join(' ').replace(RELATIVE, ''))) return true
  if (isNext(I_WANT) || isNext(GO_ON)) return true
  const [, wanted = ''] = WANTS.exec(clause) ?? []
  if (wanted === '' || WANTS_TO_KNOW.test(wanted) || FINITE.test(wanted)) return false
  // "I want my loan renewed", "I need a refund".
  return (
    !/^to\b/iu.test(wanted) && wordsOf(wanted).some((word, at) => isVerb(word) && (at < 2 || /(?:ed|en)$/u.test(word)))
  )
}

const WANTS_ONE =
  /\b(?:i|we)(?:\s+(?:really|just|also|now))*(?:'d (?:like|love|want|need)|\s+(?:would like|would love|want|need))\s+(?:to have\s+)?(?:an?|some|another|one|two|three|\d{1,3})\s+([\p{L}'-]+)(?:\s+([\p{L}'-]+))?/iu

/** "I need a taxi" asks for the write that brings one. */
export const wantsOne = (text: string, isThing: IsVerb): boolean =>
  sentencesOf(text).some((sentence) => {
    if (/\?\s*$/.test(sentence) || [REPORTED, UNSURE, NEGATED].some((one) => one.test(sentence))) return false
    const [, first = '', second = ''] = WANTS_ONE.exec(sentence) ?? []
    return [first, second].some((word) => isThing(word.toLowerCase()))
  })

const KA_WANT = georgian('მინდა|მინდოდა|მსურს|მსურდა|მჭირდება|უნდა|გთხოვ|გთხოვთ|მოვითხოვ')
const KA_YOU_CAN = georgian('შეგიძლია(?:თ)?|შეიძლება|შეძლებთ')
/** With a subject or a time in the past, the imperative form is a past tense. */
const KA_TOLD = georgian('თქვენ|თქვენით|შენ|გუშინ|უკვე|წინაზე|წინათ|მაშინ|ხოლმე|შარშან|გასულ\\p{L}*|უკითხავად')

function wishedInGeorgian(clause: string, isVerb: IsVerb, isOpen: boolean): boolean {
  if (KA_NEGATED.test(clause) || ASKS.test(clause)) return false
  const before = /(?<!\p{L})რომ(?!\p{L})/u.exec(clause)?.index
  if (before !== undefined && !KA_WANT.test(clause.slice(0, before))) return false
  const said = wordsOf(clause).filter(isVerb)
  const [wants, youCan] = [KA_WANT.test(clause), KA_YOU_CAN.test(clause)]
  if (isOpen) return youCan && said.some(isWishedOfYou)
  if (said.some(isImperative) && !KA_TOLD.test(clause)) return true
  return (
    (wants && said.some((word) => isWished(word) || !(isImperative(word) || isParticiple(word)))) ||
    (youCan && said.some(isWishedOfYou))
  )
}

const NEGATED_NEAR =
  /(?:^|[,;:]\s*|\b(?:please|i|we|i'd|we'd|and|but|just|so)\s+)(?:don't|dont|do not|never|must not|no longer|would rather not|rather not)\b((?:[^\p{L}]+[\p{L}']+){1,6})/giu
const KA_NEGATED_NEAR = /(?<!\p{L})(?:არ|ნუ|აღარ|ნურც)\s+((?:\p{L}+\s*){1,2})/giu

/** "Do not cancel it": the visitor refuses the action. */
export const isRefused = (text: string, isVerb: IsVerb): boolean =>
  sentencesOf(text).some(
    (sentence) =>
      !isQuestion(sentence) &&
      [NEGATED_NEAR, KA_NEGATED_NEAR].some((near) =>
        [...sentence.matchAll(near)].some(([, words = '']) =>
          wordsOf(words).some((word) => isVerb(word) && isBase(word)),
        ),
      ),
  )

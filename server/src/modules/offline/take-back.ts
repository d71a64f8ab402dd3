// Recognises a visitor who takes something back.
import { wordsOf } from './sentence.ts'

const LEAD = String.raw`(?:(?:oh|ok|okay|actually|please|sorry|excuse me|hmm|hm|um|well|კარგი|ოჰ|უი|ბოდიში|უკაცრავად|მაპატიე(?:თ)?)[\s,!.]+)*`
const TAKEN_BACK = new RegExp(
  `^${LEAD}(?:` +
    [
      "no+(?:[,.!]|\\s*$|\\s+(?:wait|don't|do not|thanks?|thank|stop|need|never|leave|i|please|way|not)\\b)",
      'nope|(?:hold|hang) on(?![^,.!])',
      "(?:wait|stop)(?:[,.!]|\\s*$|\\s+(?:it|that|this|no|don't|do not|a)\\b)",
      "(?:don't|do not|dont)\\b",
      'never ?mind|forget (?:it|that|about it)|not (?:that|now|any ?more)|leave it|on second thought',
      "i(?:'ve| have)? changed my mind|i take (?:it|that) back",
      'არა(?:[,.!]|\\s*$|\\s+(?:მადლობა|მოიცა|მინდა|გინდა|საჭირო))|არ (?:გინდა|მინდა|არის საჭირო)|აღარ (?:გინდა|მინდა)|ნუ(?!\\p{L})',
      'მოიცა|მოიცადე(?:თ)?|გადავიფიქრე|შეჩერდი(?:თ)?|გააჩერე(?:თ)?|დაივიწყე(?:თ)?',
    ].join('|') +
    ')',
  'iu',
)
const UNDONE = new RegExp(
  `^${LEAD}(?:(?:no+|wait)[\\s,!.]+)*(?:cancel|undo|revoke|withdraw|take back|scrap|drop|discard|delete|remove) (?:it|that|this|the (?:request|proposal|last one))(?: (?:please|now|back))?[\\s.!]*$`,
  'iu',
)
const KA_UNDONE = /^(?:\p{L}+[\s,!.]+)?(?:გააუქმე|გააუქმეთ|დააბრუნე|დააბრუნეთ)(?:\s+(?:ეს|ის))?[\s.!]*$/iu
const FEW = 8

/** "No wait, do not" takes back what was said before, and asks for nothing else. */
export const takesBack = (text: string): boolean =>
  wordsOf(text).length <= FEW && !/\d/.test(text) && TAKEN_BACK.test(text.trim().replace(/’/g, "'"))

/** "Cancel that", if it follows a proposal. */
export const undoes = (text: string): boolean => UNDONE.test(text.trim()) || KA_UNDONE.test(text.trim())

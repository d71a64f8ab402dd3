// Recognises a visitor who no longer wants what the conversation proposed, and says so in a sentence of their own.

import type { OfferedTool } from '../../kernel/model/index.ts'
import { wordsIn } from '../../kernel/text/index.ts'
import type { Values } from './fill-arguments.ts'
import { isReported, sentencesOf } from './sentence.ts'
import { isRefused } from './wish.ts'
import { isContent, termsOfWord } from './words.ts'
import { wordsOfWrite } from './write-words.ts'

export type Proposed = { readonly tool: OfferedTool; readonly values: Values }

const LEAD = String.raw`(?:(?:oh|ok|okay|actually|please|pls|sorry|excuse me|no|wait|but|and|i think|უკაცრავად|ბოდიში|მაპატიეთ?|გთხოვთ?|არა|ოჰ|უი)[\s,!.]+)*`
const END = String.raw`(?: (?:please|now|again|after all|any ?more|anymore|thanks|sorry|გთხოვთ?))*[\s.!?]*$`
const frame = (words: string): RegExp => new RegExp(`^${LEAD}(?:${words})${END}`, 'iu')
const IT = 'it|that|this|them'
const UNDO = 'undo|revoke|withdraw|take back|scrap|drop|discard|stop|cancel|delete|remove'

/** The whole clause says it. */
const FRAMES: readonly RegExp[] = [
  frame(
    `(?:(?:can|could|would|will) you )?(?:please )?(?:${UNDO}) (?:${IT}|(?:my|the|this|that) (?:request|proposal|last one))`,
  ),
  frame(`(?:${IT}) (?:was|is) (?:a|my|an) (?:mistake|error|accident|misunderstanding)`),
  frame(`i (?:said|wrote|sent|asked|typed|clicked|did|pressed)(?: (?:for )?(?:${IT}))? by (?:mistake|accident)`),
  frame(`i (?:did not|didn't|never) (?:mean|want|ask for|say) (?:${IT}|to(?: say| do)?(?: (?:${IT}))?)`),
  frame(`i (?:made a mistake|was wrong)`),
  frame(
    '(?:ეს )?(?:შემეშალა|შევცდი|შეცდომით (?:დავწერე|მოვწერე|გამოვგზავნე|ვთქვი|მომივიდა)|შეცდომა (?:იყო|მოხდა)|შეცდომაა)',
  ),
]

/** What the clause is about has to be what was proposed: whoever needs no receipt still wants the refund. */
const ABOUT: readonly RegExp[] = [
  frame(String.raw`i (?:don't|do not|no longer)(?: (?:really|actually|even))? (?:want|need|wish)(?<about> .+?)?`),
  frame(String.raw`(?:keep|leave)(?<about> .+?)(?: (?:as (?:it|they) (?:is|was|are|were)|alone))?`),
  frame(String.raw`(?<about>\p{L}+ )?(?:აღარ|არ) (?:მინდა|მჭირდება)`),
  frame(String.raw`(?:დატოვეთ?|დამიტოვეთ?)(?<about> .+?)?(?:,? როგორც (?:იყო|არის))?`),
]

/** Whoever writes more says something else, too. */
const LONGEST = 200
const ONESELF = /\bi (?:said|wrote|asked)\b/giu
const CLAUSES = /[,;:]\s*|\s+[–—-]\s+/u
const VAGUE = new Set(['any', 'anymore', 'more', 'everything', 'things', 'all', 'ყველაფერი', 'ისე'])

/** True if the visitor takes back this proposal. Figures that they name are those of it. */
export function retracts(text: string, { tool, values }: Proposed): boolean {
  if (text.length > LONGEST || isReported(text.replace(ONESELF, ' ')) || !namesOnly(text, values)) return false
  const { nouns, speaksOf, isVerb } = wordsOfWrite(tool, text)
  const own = new Set([...nouns.flat(), ...speaksOf])
  const isOwn = (word: string) =>
    !isContent(word) ||
    VAGUE.has(word) ||
    /\d/.test(word) ||
    isVerb(word) ||
    termsOfWord(word).some((one) => own.has(one))
  return sentencesOf(text)
    .flatMap((sentence) => [sentence, ...sentence.split(CLAUSES)])
    .some(
      (clause) =>
        FRAMES.some((one) => one.test(clause)) ||
        ABOUT.some((one) => {
          const said = one.exec(clause)
          return said !== null && wordsIn(said.groups?.about ?? '').every(isOwn)
        }),
    )
}

const ENDED = 'done|confirmed|approved|accepted|decided|finished|processed|through|ready'
const STILL: readonly RegExp[] = [
  frame(
    `(?:is|was|has|did|have) (?:${IT}|you)(?: already| now)?(?: been)? (?:${ENDED}|work|happen|(?<verb>\\p{L}+ed))(?: (?:yet|already))?`,
  ),
  frame(
    `(?:who|when) (?:will|can|does|is going to)(?: (?:${IT}))?(?: be)? (?:done|happen|(?:confirm|approv|decid)e?d?)(?: (?:${IT}))?`,
  ),
  frame(`what (?:happens|is) (?:now|next)`),
  frame(
    '(?:უკვე )?(?:შესრულდა|დადასტურდა|დამტკიცდა|გაკეთდა|(?<verb>\\p{L}+და))|(?:ვინ|როდის) (?:დაადასტურებს|დაამტკიცებს|შესრულდება|დადასტურდება)|რა (?:მოხდება|იქნება)',
  ),
]

/** "Is it done?": the visitor asks what has become of the proposal. */
export function asksAfter(text: string, { tool }: Proposed): boolean {
  if (text.length > LONGEST) return false
  const { isVerb } = wordsOfWrite(tool, text)
  const said = STILL.map((one) => one.exec(text.trim())).find((found) => found !== null)
  const verb = said?.groups?.verb?.toLowerCase()
  // გაუქმდა is what გაუქმება comes to.
  return said !== undefined && (verb === undefined || isVerb(verb) || isVerb(verb.replace(/და$/u, 'ება')))
}

/** "Do not cancel booking 7", about this proposal and not about another one. */
export const refuses = (text: string, { tool, values }: Proposed): boolean =>
  namesOnly(text, values) && isRefused(text, wordsOfWrite(tool, text).isVerb)

const figuresIn = (text: string): string[] => wordsIn(text).filter((word) => /\d/.test(word))

function namesOnly(text: string, values: Values): boolean {
  const known = new Set(figuresIn(Object.values(values).map(String).join(' ')))
  return figuresIn(text).every((one) => known.has(one))
}

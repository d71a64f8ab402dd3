// What became of the changes that a conversation proposed earlier.
import type { Decision, Language } from '@tether/contract'
import type { EarlierProposal } from './proposals-of.ts'
import { WITHDRAWN } from './withdraw.ts'

const WORDS = {
  en: {
    executed: 'Done.',
    rejected: 'Declined. Nothing was done.',
    expired: 'Expired. Nothing was done.',
    failed: 'It could not be done.',
    indeterminate: 'It is not certain yet whether this was done.',
    precondition_failed: 'It is no longer possible. Nothing was done.',
  },
  ka: {
    executed: 'შესრულდა.',
    rejected: 'უარყოფილია. არაფერი შეცვლილა.',
    expired: 'ვადა გავიდა. არაფერი შეცვლილა.',
    failed: 'ვერ შესრულდა.',
    indeterminate: 'ჯერ უცნობია, შესრულდა თუ არა.',
    precondition_failed: 'ეს უკვე შეუძლებელია. არაფერი შეცვლილა.',
  },
} as const satisfies Record<Language, Record<Decision['status'], string>>

const TAKEN_BACK = { en: 'Withdrawn. Nothing was done.', ka: 'უკან გაწვეულია. არაფერი შეცვლილა.' } as const
const REPLACED = {
  en: 'Changed by the business: a changed proposal took its place.',
  ka: 'ბიზნესმა შეცვალა: მის ნაცვლად შეცვლილი შეთავაზება შეიქმნა.',
} as const
const REASON = { en: 'The reason:', ka: 'მიზეზი:' } as const

const INTRODUCED = {
  en: (words: string) => `What was proposed earlier: ${words}`,
  ka: (words: string) => `ადრე შეთავაზებული მოქმედება: ${words}`,
} as const satisfies Record<Language, (words: string) => string>

/** Each proposal that no longer waits. */
export const decisionsOn = (proposals: readonly EarlierProposal[], language: Language): Decision[] =>
  proposals.flatMap((proposal) => decisionOn(proposal, language) ?? [])

/** Undefined while it is not decided. */
export function decisionOn(
  { actionId, state, reason, isReplaced }: Pick<EarlierProposal, 'actionId' | 'state' | 'reason' | 'isReplaced'>,
  language: Language,
): Decision | undefined {
  if (state === 'pending' || state === 'executing') return undefined
  if (isReplaced) return { actionId, status: state, reason, text: REPLACED[language] }
  const words = reason === WITHDRAWN ? TAKEN_BACK[language] : WORDS[language][state]
  const isTold = state === 'rejected' && reason !== null && reason !== WITHDRAWN
  const text = isTold ? `${words} ${REASON[language]} ${reason}` : words
  return { actionId, status: state, reason, text }
}

/** What an answer has told once it is kept: with its footnotes all that is settled, and without them what earlier ones told. */
export const toldBy = (proposals: readonly EarlierProposal[], hasFootnotes: boolean): string[] =>
  proposals.flatMap(({ actionId, settledAt, isNews }) =>
    settledAt !== null && (hasFootnotes || !isNews) ? [actionId] : [],
  )

/** What the visitor has not been told yet, for a footnote each. */
export const newsOf = (proposals: readonly EarlierProposal[], language: Language): string[] =>
  decisionsOn(
    proposals.filter(({ isNews }) => isNews),
    language,
  ).map(({ text }) => INTRODUCED[language](text))

// Finds out whether an answer claims that something was done. People would believe a model that says "I have cancelled
// it" about a write that waits. The rule is deterministic; it may add a true sentence too often, but never removes one.
import { normalized } from '../../../kernel/text/index.ts'

const DONE =
  'cancell?ed|refunded|booked|placed|ordered|updated|changed|deleted|removed|created|sent|scheduled|rescheduled|processed|submitted|issued|completed|confirmed|approved|transferred|charged|reserved|applied|added|executed|performed|finali[sz]ed'
const ADVERBS = '(?:now |just |already |successfully |finally |been |being )*'
const I_DID = new RegExp(`\\b(?:i|we)(?:['’]ve| have|['’]m| am| did)?\\s+${ADVERBS}(?:${DONE})\\b`, 'i')
const IT_IS = new RegExp(`\\b(?:has|have|was|were|is|are)\\s+${ADVERBS}(?:${DONE}|done)\\b`, 'i')
const BARE_DONE = /(?:^|[.!\n])[^\S\n]*(?:done|all set|completed)\b/i

// The first person of the Georgian aorist, and its passive, but not after a negation.
const KA_I =
  'გავაუქმე|დავაბრუნე|დავჯავშნე|გავაგზავნე|შევცვალე|წავშალე|დავამატე|შევქმენი|განვაახლე|გავაფორმე|ჩავრიცხე|დავადასტურე|შევასრულე|შევუკვეთე|გადავრიცხე'
const KA_IT =
  'გაუქმდა|გაუქმებულია|დაბრუნდა|დაბრუნებულია|დაიჯავშნა|დაჯავშნილია|გაიგზავნა|შეიცვალა|წაიშალა|დაემატა|შეიქმნა|განახლდა|გაფორმდა|ჩაირიცხა|დადასტურდა|შესრულდა|შესრულებულია'
const notAfterNegation = (list: string) => new RegExp(`(?<!(?:არ|ვერ|აღარ)\\s+)(?<!\\p{L})(?:${list})(?!\\p{L})`, 'iu')
const KA_I_DID = notAfterNegation(KA_I)
const KA_IT_IS = notAfterNegation(KA_IT)

type DoneClaim = 'none' | 'passive' | 'own'

/**
 * `own` means that the assistant says it did something itself; `passive` that something is done, which may come from a
 * read.
 */
export function claimIn(answer: string): DoneClaim {
  const text = normalized(answer, 'NFKC')
  if (I_DID.test(text) || KA_I_DID.test(text)) return 'own'
  return IT_IS.test(text) || KA_IT_IS.test(text) || BARE_DONE.test(text) ? 'passive' : 'none'
}

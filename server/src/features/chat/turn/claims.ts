// Whether an answer claims that something was done. A model that says "I have cancelled it" about a write that waits would
// make a person believe it. The rule is deterministic; it may add a true sentence too often, and never takes one away.
import { normalized } from '../../../foundation/text/index.ts'

const DONE =
  'cancell?ed|refunded|booked|placed|ordered|updated|changed|deleted|removed|created|sent|scheduled|rescheduled|processed|submitted|issued|completed|confirmed|approved|transferred|charged|reserved|applied|added|executed|performed|finali[sz]ed'
const ADVERBS = '(?:now |just |already |successfully |finally |been |being )*'
const I_DID = new RegExp(`\\b(?:i|we)(?:['’]ve| have|['’]m| am| did)?\\s+${ADVERBS}(?:${DONE})\\b`, 'i')
const IT_IS = new RegExp(`\\b(?:has|have|was|were|is|are)\\s+${ADVERBS}(?:${DONE}|done)\\b`, 'i')
const BARE = /(?:^|[.!\n])[^\S\n]*(?:done|all set|completed)\b/i

// The first person of the aorist, and its passive; not after a negation.
const KA_I =
  'გავაუქმე|დავაბრუნე|დავჯავშნე|გავაგზავნე|შევცვალე|წავშალე|დავამატე|შევქმენი|განვაახლე|გავაფორმე|ჩავრიცხე|დავადასტურე|შევასრულე|შევუკვეთე|გადავრიცხე'
const KA_IT =
  'გაუქმდა|გაუქმებულია|დაბრუნდა|დაბრუნებულია|დაიჯავშნა|დაჯავშნილია|გაიგზავნა|შეიცვალა|წაიშალა|დაემატა|შეიქმნა|განახლდა|გაფორმდა|ჩაირიცხა|დადასტურდა|შესრულდა|შესრულებულია'
const notAfterNegation = (list: string) => new RegExp(`(?<!(?:არ|ვერ|აღარ)\\s+)(?<!\\p{L})(?:${list})(?!\\p{L})`, 'iu')
const KA_I_DID = notAfterNegation(KA_I)
const KA_IT_IS = notAfterNegation(KA_IT)

export type Claim = 'none' | 'passive' | 'own'

/** `own`: the assistant says that it did something itself. `passive`: that something is done, which a read may have said. */
export function claimIn(answer: string): Claim {
  const text = normalized(answer, 'NFKC')
  if (I_DID.test(text) || KA_I_DID.test(text)) return 'own'
  return IT_IS.test(text) || KA_IT_IS.test(text) || BARE.test(text) ? 'passive' : 'none'
}

// What the desk says of a decision and in the trail, for everything that can happen.
import type { AuditEventType } from '@tether/contract'
import type { ConfirmStatus } from '../../features/actions/index.ts'
import type { Language } from './words.ts'

/** An execution with a verify says how that ended. */
type Outcome = ConfirmStatus | 'verified' | 'unverified'

export const OUTCOMES: Readonly<Record<Language, Readonly<Record<Outcome, string>>>> = {
  en: {
    Executed: 'Done.',
    verified: 'Done, and read back: it is so.',
    unverified: 'The shop said that it is done, but reading it back did not show it.',
    Replayed: 'This was done before. Nothing was done again.',
    Rejected: 'Declined. Nothing was done.',
    AwaitingApprovers: 'This yes is noted. More people have to agree before it runs.',
    NotFound: 'This does not wait any more. The trail says what became of it.',
    Expired: 'Its time has passed. Nothing was done.',
    ApproverUnknown: 'The workspace does not know this person. Nothing was done.',
    ApprovalForbidden: 'This person may not decide this. Nothing was done.',
    Prohibited: 'This may never be done, whoever confirms it. Nothing was done.',
    Indeterminate: 'Nobody here knows whether this was done. Look in the shop before you ask for it again.',
    PreconditionFailed: 'What had to hold does not hold any more. Nothing was done.',
    PreconditionError: 'What had to be checked first could not be read. Nothing was done; try again.',
    ProviderRefused: 'The shop refused it.',
    GuardForbidden: 'This is not what was proposed. Nothing was done.',
    GuardRejected: 'The risk has to be acknowledged first. Nothing was done.',
    Conflict:
      'Somebody else was first, or what you saw has changed. This click did nothing; the trail says what stands.',
    HandlerMissing: 'The shop does not take this any more. Nothing was done.',
    FailedRetryable: 'It could not be done now, and nothing was changed. Try again.',
    FailedTerminal: 'It could not be done, and is not tried again.',
  },
  ka: {
    Executed: 'შესრულდა.',
    verified: 'შესრულდა და შემოწმდა: ასეა.',
    unverified: 'მაღაზიამ თქვა, რომ შესრულდა, მაგრამ შემოწმებამ ეს არ დაადასტურა.',
    Replayed: 'ეს უკვე შესრულებული იყო. ხელახლა არაფერი გაკეთებულა.',
    Rejected: 'უარყოფილია. არაფერი შესრულებულა.',
    AwaitingApprovers: 'თანხმობა ჩაწერილია. შესრულებამდე სხვების თანხმობაც არის საჭირო.',
    NotFound: 'ეს აღარ ელოდება. რა მოხდა, კვალში წერია.',
    Expired: 'ვადა გავიდა. არაფერი შესრულებულა.',
    ApproverUnknown: 'სამუშაო სივრცე ამ ადამიანს არ იცნობს. არაფერი შესრულებულა.',
    ApprovalForbidden: 'ამ ადამიანს ამის გადაწყვეტა არ შეუძლია. არაფერი შესრულებულა.',
    Prohibited: 'ეს არასოდეს შესრულდება, ვინც არ უნდა დაადასტუროს. არაფერი შესრულებულა.',
    Indeterminate: 'აქ არავინ იცის, შესრულდა თუ არა. სანამ თავიდან მოითხოვთ, მაღაზიაში შეამოწმეთ.',
    PreconditionFailed: 'აუცილებელი პირობა აღარ სრულდება. არაფერი შესრულებულა.',
    PreconditionError: 'წინასწარი შემოწმება ვერ მოხერხდა. არაფერი შესრულებულა; სცადეთ კიდევ ერთხელ.',
    ProviderRefused: 'მაღაზიამ უარი თქვა.',
    GuardForbidden: 'ეს ის აღარ არის, რაც შემოთავაზებული იყო. არაფერი შესრულებულა.',
    GuardRejected: 'ჯერ რისკი უნდა აღიაროთ. არაფერი შესრულებულა.',
    Conflict: 'სხვამ დაგასწროთ, ან ნანახი შეიცვალა. ამ დაჭერით არაფერი მომხდარა; რა არის ძალაში, კვალში წერია.',
    HandlerMissing: 'მაღაზია ამას აღარ იღებს. არაფერი შესრულებულა.',
    FailedRetryable: 'ახლა ვერ შესრულდა და არაფერი შეცვლილა. სცადეთ კიდევ ერთხელ.',
    FailedTerminal: 'ვერ შესრულდა და აღარ გამეორდება.',
  },
}

export const EVENTS: Readonly<Record<Language, Readonly<Record<AuditEventType, string>>>> = {
  en: {
    proposed: 'proposed',
    approved: 'approved',
    rejected: 'rejected',
    expired: 'expired',
    executed: 'executed',
    failed: 'failed',
    replayed: 'replayed',
    superseded: 'superseded',
    prohibited: 'prohibited',
    precondition_failed: 'precondition failed',
    precondition_error: 'precondition not read',
    provider_refused: 'refused by the shop',
    verified: 'verified',
    unverified: 'unverified',
  },
  ka: {
    proposed: 'შემოთავაზებულია',
    approved: 'მოწონებულია',
    rejected: 'უარყოფილია',
    expired: 'ვადა გავიდა',
    executed: 'შესრულდა',
    failed: 'ვერ შესრულდა',
    replayed: 'გამეორდა',
    superseded: 'სხვამ დაასწრო',
    prohibited: 'აკრძალულია',
    precondition_failed: 'პირობა აღარ სრულდება',
    precondition_error: 'პირობა ვერ შემოწმდა',
    provider_refused: 'მაღაზიამ უარი თქვა',
    verified: 'შემოწმდა',
    unverified: 'ვერ დადასტურდა',
  },
}

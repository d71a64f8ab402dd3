import type { ConfirmStatus } from './confirm-statuses.ts'
import type { Language } from './schemas.ts'

const NOT_DONE = 'This could not be done.'
const UNCERTAIN = 'It is not certain yet whether this was done. Please do not repeat it.'
const LATER = 'This could not be done at the moment. Please try again.'

/** What a confirm says to the customer who made it with their own token. Why it failed is for the business alone. */
export const CONFIRM_FOR_VISITOR: Readonly<Record<ConfirmStatus, string | null>> = {
  Executed: null,
  Replayed: null,
  Rejected: 'This was declined. Nothing was done.',
  AwaitingApprovers: 'Your agreement is recorded. Somebody else must agree, too.',
  Expired: 'This has expired. Nothing was done.',
  Indeterminate: UNCERTAIN,
  Conflict: UNCERTAIN,
  PreconditionFailed: 'Something has changed, and this is no longer possible. Nothing was done.',
  PreconditionError: LATER,
  FailedRetryable: LATER,
  FailedTerminal: NOT_DONE,
  ProviderRefused: NOT_DONE,
  ApprovalForbidden: NOT_DONE,
  ApproverUnknown: NOT_DONE,
  GuardRejected: NOT_DONE,
  GuardForbidden: NOT_DONE,
  HandlerMissing: NOT_DONE,
  Prohibited: NOT_DONE,
  NotFound: 'This is no longer open.',
}

export const VERIFICATION_FOR_VISITOR = {
  verified: 'The change was looked at afterwards, and is there.',
  unverified: 'The change could not be confirmed afterwards. Somebody will look at it.',
} as const

/** The principles of the fixed list. A classifier of the operator's brings its own words. */
const PRINCIPLES_IN_GEORGIAN: ReadonlyMap<string, string> = new Map([
  [
    'This request is refused under the child-safety policy.',
    'ეს მოთხოვნა უარყოფილია, რადგან ბავშვთა უსაფრთხოების წესს არღვევს.',
  ],
])

export const principleIn = (language: Language, principle: string): string =>
  language === 'ka' ? (PRINCIPLES_IN_GEORGIAN.get(principle) ?? principle) : principle

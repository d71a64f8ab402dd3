// What is said of a write and of a decision about it, wherever somebody decides: the inbox, and channels.
import type { ActionState, ConfirmStatus, Language, Risk } from '@tether/contract'
import type { WhyBarred } from '../approvals/index.ts'

export type DecidingWords = {
  readonly risk: Readonly<Record<Risk, string>>
  readonly state: Readonly<Record<ActionState, string>>
  /** To whoever decided, what came of it. */
  readonly said: Readonly<Record<ConfirmStatus, string>>
  readonly barredBy: Readonly<Record<WhyBarred, string>>
}

export const DECIDING: Readonly<Record<Language, DecidingWords>> = {
  en: {
    risk: { low: 'low risk', elevated: 'elevated risk', high: 'high risk' },
    state: {
      pending: 'Waiting',
      executing: 'Running now',
      executed: 'Done',
      failed: 'It failed',
      rejected: 'Rejected',
      expired: 'Expired without a decision',
      indeterminate: 'Outcome unknown',
      precondition_failed: 'Not run: the record had changed',
    },
    said: {
      Executed: 'Confirmed, and done.',
      Replayed: 'This had already been done. Nothing ran again.',
      Rejected: 'Rejected. Nothing was run.',
      AwaitingApprovers: 'Your approval is recorded. It runs once enough people have approved.',
      NotFound: 'It is no longer waiting: somebody has already decided it. You ran nothing.',
      Expired: 'Its time had passed, so nothing was run.',
      ApproverUnknown: 'You may no longer decide here. Nothing was run.',
      ApprovalForbidden: 'You may not approve this. Nothing was run.',
      Prohibited: 'Nobody may do this. Nothing was run.',
      Indeterminate: 'It was sent, but no answer came, so it is not known whether it was done.',
      PreconditionFailed: 'The record has changed, so it was not run.',
      PreconditionError: 'The record could not be read, so nothing was run. Try again.',
      ProviderRefused: 'The other system refused it.',
      GuardForbidden: 'This is no longer what was proposed, so it was not run.',
      GuardRejected: 'Tick that you have checked it, then confirm.',
      Conflict: 'Something changed meanwhile, so nothing was run. Look at it again, then decide.',
      HandlerMissing: 'The catalog no longer takes this write, so it was not run.',
      FailedRetryable: 'It was not applied. You can confirm it again.',
      FailedTerminal: 'It failed, and nothing will run it again.',
    },
    barredBy: {
      customer: 'This is for somebody at the business to decide.',
      names_nobody: 'You are not signed in as a person.',
      nobody_registered: 'Nobody is registered who could approve it.',
      unregistered: 'You are not registered in this workspace.',
      inactive: 'You are no longer active in this workspace.',
      role: 'Your role is not one of those that may.',
      requester: 'You asked for it, so somebody else must approve it.',
    },
  },
  ka: {
    risk: { low: 'დაბალი რისკი', elevated: 'მომატებული რისკი', high: 'მაღალი რისკი' },
    state: {
      pending: 'ელოდება',
      executing: 'სრულდება',
      executed: 'შესრულდა',
      failed: 'ვერ შესრულდა',
      rejected: 'უარყოფილია',
      expired: 'ვადა გადაწყვეტილების გარეშე გავიდა',
      indeterminate: 'ჯერ უცნობია',
      precondition_failed: 'არ შესრულდა: ჩანაწერი შეიცვალა',
    },
    said: {
      Executed: 'დადასტურდა და შესრულდა.',
      Replayed: 'ეს უკვე შესრულებული იყო. ხელახლა არაფერი გაშვებულა.',
      Rejected: 'უარყოფილია. არაფერი შესრულებულა.',
      AwaitingApprovers: 'თქვენი თანხმობა ჩაითვალა. შესრულდება, როცა საკმარისი ადამიანი დაამტკიცებს.',
      NotFound: 'აღარ ელოდება: ვიღაცამ უკვე გადაწყვიტა. თქვენ არაფერი გაგიშვიათ.',
      Expired: 'ვადა გასული იყო, ამიტომ არაფერი შესრულებულა.',
      ApproverUnknown: 'აქ გადაწყვეტილების უფლება აღარ გაქვთ. არაფერი შესრულებულა.',
      ApprovalForbidden: 'ამის დამტკიცება არ შეგიძლიათ. არაფერი შესრულებულა.',
      Prohibited: 'ამის გაკეთება საერთოდ არ შეიძლება. არაფერი შესრულებულა.',
      Indeterminate: 'გაიგზავნა, მაგრამ პასუხი არ მოსულა. შესრულდა თუ არა, ჯერ უცნობია.',
      PreconditionFailed: 'ჩანაწერი შეიცვალა, ამიტომ არ შესრულდა.',
      PreconditionError: 'ჩანაწერის წაკითხვა ვერ მოხერხდა, ამიტომ არაფერი შესრულებულა. სცადეთ თავიდან.',
      ProviderRefused: 'მეორე სისტემამ უარი თქვა.',
      GuardForbidden: 'ეს აღარ არის ის, რაც შემოგთავაზეს, ამიტომ არ შესრულდა.',
      GuardRejected: 'ჯერ მონიშნეთ, რომ შეამოწმეთ, მერე დაადასტურეთ.',
      Conflict: 'ამასობაში რაღაც შეიცვალა, ამიტომ არაფერი შესრულებულა. ხელახლა ნახეთ და მერე გადაწყვიტეთ.',
      HandlerMissing: 'კატალოგი ამ ცვლილებას აღარ იღებს, ამიტომ არ შესრულდა.',
      FailedRetryable: 'არ შესრულდა. შეგიძლიათ ხელახლა დაადასტუროთ.',
      FailedTerminal: 'ვერ შესრულდა. ხელახლა აღარ გაეშვება.',
    },
    barredBy: {
      customer: 'ამას ბიზნესის თანამშრომელი წყვეტს.',
      names_nobody: 'თქვენი სახელით არავინ არის შესული.',
      nobody_registered: 'არავინაა რეგისტრირებული, ვინც დაამტკიცებდა.',
      unregistered: 'ამ სივრცეში რეგისტრირებული არ ხართ.',
      inactive: 'ამ სივრცეში აქტიური აღარ ხართ.',
      role: 'თქვენს როლს ამის უფლება არ აქვს.',
      requester: 'ეს თქვენ მოითხოვეთ, ამიტომ სხვამ უნდა დაამტკიცოს.',
    },
  },
}

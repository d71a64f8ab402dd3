// What became of a write, what happened to it and what it risks, as every page says it.
import type { ActionState, AuditEventType, Language, Risk } from '@tether/contract'

type ActionWords = {
  readonly risk: Readonly<Record<Risk, string>>
  readonly state: Readonly<Record<ActionState, string>>
  readonly event: Readonly<Record<AuditEventType, string>>
}

export const ACTION_WORDS: Readonly<Record<Language, ActionWords>> = {
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
    event: {
      proposed: 'Proposed',
      approved: 'Approved',
      rejected: 'Rejected',
      expired: 'Expired',
      executed: 'Done',
      failed: 'Failed',
      replayed: 'Asked again',
      superseded: 'Approved too late',
      prohibited: 'Prohibited',
      precondition_failed: 'The record had changed',
      precondition_error: 'The record could not be read',
      provider_refused: 'Refused by the other system',
      verified: 'Checked: it is done',
      unverified: 'Checked: no sign of it',
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
    event: {
      proposed: 'შემოთავაზებულია',
      approved: 'დამტკიცდა',
      rejected: 'უარყოფილია',
      expired: 'ვადა გავიდა',
      executed: 'შესრულდა',
      failed: 'ვერ შესრულდა',
      replayed: 'ხელახლა მოითხოვეს',
      superseded: 'დაგვიანებით დამტკიცდა',
      prohibited: 'აკრძალულია',
      precondition_failed: 'ჩანაწერი შეცვლილი იყო',
      precondition_error: 'ჩანაწერის წაკითხვა ვერ მოხერხდა',
      provider_refused: 'მეორე სისტემამ უარი თქვა',
      verified: 'შემოწმდა: შესრულებულია',
      unverified: 'შემოწმდა: არ ჩანს',
    },
  },
}

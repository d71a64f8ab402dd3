// What became of a write, what happened to it and what it risks, as every page says it.
import type { ActionState, AuditEventType, Language, Risk } from '@tether/contract'
import { DECIDING } from '../../writes/decisions/index.ts'

type ActionWords = {
  readonly risk: Readonly<Record<Risk, string>>
  readonly state: Readonly<Record<ActionState, string>>
  readonly event: Readonly<Record<AuditEventType, string>>
}

export const ACTION_WORDS: Readonly<Record<Language, ActionWords>> = {
  en: {
    risk: DECIDING.en.risk,
    state: DECIDING.en.state,
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
    risk: DECIDING.ka.risk,
    state: DECIDING.ka.state,
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

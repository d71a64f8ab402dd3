// The words of the inbox, in both languages. The server writes every sentence into the page.
import type { ActionState, ConfirmStatus, Language, Risk } from '@tether/contract'
import type { Wanted } from '../../features/notices/index.ts'

export type Words = {
  readonly title: string
  readonly other: readonly [Language, string]
  readonly nav: {
    readonly waiting: string
    readonly unknown: string
    readonly history: string
    readonly mails: string
    readonly signOut: string
  }
  readonly signIn: {
    readonly heading: string
    readonly lead: string
    readonly email: string
    readonly ask: string
    readonly asked: string
    readonly askedMore: string
    readonly withLink: string
    readonly withLinkLead: string
    readonly link: string
    readonly enter: string
    readonly noMail: string
    readonly refused: Readonly<Record<string, string>>
  }
  readonly list: {
    readonly heading: string
    readonly none: string
    readonly noneMore: string
    readonly nothingDone: (left: string) => string
    readonly pick: (title: string) => string
    readonly confirmPicked: string
    readonly rejectPicked: string
    readonly nonePicked: string
    readonly more: string
    readonly keys: string
    readonly decided: string
  }
  readonly history: {
    readonly heading: string
    readonly none: string
    readonly state: string
    readonly tool: string
    readonly show: string
    readonly unknownLead: string
  }
  readonly mails: {
    readonly heading: string
    readonly lead: string
    readonly which: string
    readonly wanted: Readonly<Record<Wanted, string>>
    readonly language: string
    readonly save: string
    readonly saved: string
    readonly noMail: string
  }
  readonly card: {
    readonly proposed: string
    readonly by: (name: string) => string
    readonly visitor: string
    readonly inConversation: string
    readonly customer: (subject: string) => string
    readonly overApi: string
    readonly runsOut: string
    readonly ranOut: string
    readonly why: string
    readonly what: string
    readonly now: string
    readonly same: string
    readonly noRecord: string
    readonly recordUnreadable: string
    readonly recordBroken: string
    readonly recordMore: string
    readonly noArguments: string
    readonly characters: (count: number) => string
    readonly exactly: string
    readonly conversation: string
    readonly conversationNone: string
    readonly visitorSaid: string
    readonly answered: string
    readonly approvedBy: (given: number, required: number, names: string) => string
    readonly runsWhenYou: string
    readonly youApproved: (more: number) => string
    readonly needsMore: (count: number) => string
    readonly roles: (roles: string) => string
    readonly mayNot: string
    readonly gone: string
    readonly acknowledge: Readonly<Record<Risk, string>>
    readonly confirm: string
    readonly approve: string
    readonly reject: string
    readonly reason: string
    readonly rejectReason: string
    readonly tellVisitor: string
    readonly change: string
    readonly changeLead: string
    readonly propose: string
    readonly badJson: (name: string) => string
    readonly trail: string
    readonly next: string
    readonly back: string
    readonly replaced: string
    readonly replaces: string
    readonly unknown: string
  }
  readonly risk: Readonly<Record<Risk, string>>
  readonly state: Readonly<Record<ActionState, string>>
  readonly said: Readonly<Record<ConfirmStatus | 'amended' | 'NotAmended', string>>
  readonly event: Readonly<Record<string, string>>
  readonly somebody: string
  /** As it stands in a sentence, and by itself in a row. */
  readonly left: (minutes: number) => string
  readonly timeLeft: (minutes: number) => string
  readonly live: { readonly changed: string; readonly away: string }
  readonly refusedForm: string
}

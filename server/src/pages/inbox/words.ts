// The words of the inbox, in both languages. The server writes every sentence into the page.
import type { ActionState, ConfirmStatus, Language, Risk, ToolStatus } from '@tether/contract'
import type { Operator } from '../../tools/catalog/index.ts'
import type { Amended } from '../../writes/actions/index.ts'
import type { WhyBarred } from '../../writes/approvals/index.ts'
import type { Wanted } from '../../writes/notices/index.ts'

type Rule =
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'

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
    /** In place of the box, where the row could not be shown whole. */
    readonly open: string
    /** It can no longer be approved. */
    readonly changed: string
    readonly more: string
    readonly keys: string
    readonly decided: string
  }
  readonly history: {
    readonly all: string
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
    /** Why it could not be read, where there is more to say. */
    readonly unreadable: Readonly<Partial<Record<ToolStatus, string>>>
    readonly short: Readonly<Record<'one_of' | Operator, (label: string, found: string, wanted: string) => string>> & {
      readonly missing: (label: string) => string
      readonly unclear: string
    }
    readonly technical: string
    /** Before the reason for which a write was changed. */
    readonly changed: string
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
    readonly barredBy: Readonly<Record<WhyBarred, string>>
    readonly gone: string
    readonly goesTo: (address: string) => string
    /** Why it can no longer be approved; both addresses where they differ as a person sees them. */
    readonly movedBetween: (from: string, to: string) => string
    readonly moved: string
    readonly oldHash: string
    readonly acknowledge: Readonly<Record<Risk, string>>
    readonly confirm: string
    readonly approve: string
    readonly reject: string
    readonly rejectReason: string
    readonly tellVisitor: string
    readonly trail: string
    readonly archived: string
    readonly next: string
    readonly back: string
    readonly replaced: string
    readonly replaces: string
    readonly unknown: string
  }
  readonly change: {
    readonly heading: string
    readonly lead: string
    /** After the lead, where the policy does not let the person who proposes a write approve it. */
    readonly barsYou: string
    readonly reason: string
    readonly propose: string
    /** Of a write that can no longer be approved: the same one for where it goes now. */
    readonly again: string
    /** Above a form in which something is marked. */
    readonly problem: string
    readonly same: string
    readonly refused: Readonly<Record<Exclude<Amended['kind'], 'amended' | 'decided'>, string>>
    readonly number: string
    readonly integer: string
    readonly numbers: string
    readonly choice: string
    readonly structured: string
    readonly notAllowed: string
    /** Limits of a schema, by its keywords. */
    readonly rules: Readonly<Record<Rule, (limit: string) => string>>
    readonly lines: string
    readonly yes: string
    readonly no: string
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

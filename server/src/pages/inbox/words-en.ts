// The words of the inbox in English. `Words` is what a page can say, and the Georgian words have the same shape.
import type { ToolStatus } from '@tether/contract'
import { DECIDING } from '../../writes/decisions/index.ts'
import { ACTION_WORDS } from '../kit/index.ts'

const SIGN_IN_REFUSED: Readonly<Record<string, string>> = {
  spent: 'This link has already been used, a newer one has, or your address has changed. Ask for a new one.',
  expired: 'This link is too old. Ask for a new one.',
  unknown: 'We did not send this link. Open it again from the mail, or ask for a new one.',
  malformed: 'This is not a whole link. Copy the whole address from the mail, or ask for a new one.',
  user_inactive: 'You may no longer act in this workspace. Ask whoever invited you.',
  email: 'This is not an e-mail address. Type one like name@example.com.',
  form: 'This page was too old, or the form came from elsewhere. Try again.',
  ended: 'You were signed out. Sign in again.',
  undone:
    'You are no longer signed in, so nothing was decided and nothing was changed. Sign in again; what you had typed was not kept.',
}

/** Why a record could not be read, where there is more to say. */
const UNREADABLE: Readonly<Partial<Record<ToolStatus, string>>> = {
  timeout: 'It did not answer in time.',
  unreachable: 'It cannot be reached.',
  not_configured: 'It is not set up yet.',
  unknown_tool: 'The catalog no longer has the read for it.',
  customer_required: 'It is shown to a signed-in customer only.',
  user_token_required: 'It is shown to a signed-in customer only.',
}

// An event of an older version may have no words.
const EVENTS: Readonly<Record<string, string>> = ACTION_WORDS.en.event

const left = (minutes: number): string =>
  minutes < 1
    ? 'less than a minute'
    : minutes < 90
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1440)} days`

export type Words = typeof EN

export const EN = {
  title: 'Inbox',
  nav: { waiting: 'Waiting', unknown: 'Outcome unknown', history: 'History', mails: 'Mails', signOut: 'Sign out' },
  signIn: {
    heading: 'Sign in',
    lead: 'Type your address. If you may decide here, we mail you a link.',
    email: 'Your address',
    ask: 'Mail me a link',
    asked: 'Check your mailbox',
    askedMore:
      'If this address belongs to somebody who may sign in, a link is on its way. It works once and for a short time.',
    withLink: 'You have a link',
    withLinkLead: 'Nothing has happened yet. Press the button to sign in.',
    link: 'The link from the mail',
    enter: 'Sign in',
    noMail: 'This deployment sends no mail, so nobody can sign in by a mailed link. Ask whoever runs it.',
    refused: SIGN_IN_REFUSED,
  },
  list: {
    heading: 'Waiting for a decision',
    none: 'Nothing is waiting for a decision',
    noneMore: 'Whatever the assistant proposes appears here. Nothing happens until somebody confirms it.',
    nothingDone: (left: string) => `Nothing here has been done yet. The first one expires in ${left}.`,
    pick: (title: string) => `Select “${title}”`,
    confirmPicked: 'Confirm selected',
    rejectPicked: 'Reject selected',
    nonePicked: 'Select at least one.',
    /** In place of the box, where the row could not be shown whole. */
    open: 'Too long to decide from the list. Open it.',
    changed: 'It has changed since it was proposed. Open it.',
    more: 'More',
    keys: 'Keyboard: j for the next one, k for the previous one, a to go to Confirm, r to go to Reject.',
    decided: 'What you decided',
  },
  history: {
    all: 'All',
    heading: 'Past decisions',
    none: 'Nothing here.',
    state: 'Outcome',
    tool: 'Tool',
    show: 'Show',
    unknownLead:
      'These were sent, but no answer said whether they were carried out. Whoever runs the integration can ask again under the same key.',
  },
  mails: {
    heading: 'Your mails',
    lead: 'Whatever waits for your decision is also mailed to you: each write once, and several together when there are many. A mail leads here; it decides nothing.',
    which: 'Mail me about',
    wanted: {
      all: 'Everything I may approve',
      elevated: 'Only what has elevated or high risk',
      high: 'Only what has high risk',
      none: 'Nothing',
    },
    language: 'Language of the mails',
    save: 'Save',
    saved: 'Saved. This applies from the next mail.',
    noMail: 'This deployment sends no mail. Your choice applies as soon as it does.',
  },
  card: {
    proposed: 'Proposed',
    by: (name: string) => `by ${name}`,
    visitor: 'a visitor',
    inConversation: 'in the conversation below',
    customer: (subject: string) => `for the customer ${subject}`,
    overApi: 'over the API',
    runsOut: 'expires',
    ranOut: 'expired',
    why: 'Why',
    what: 'What would be sent',
    now: 'What the record says now',
    same: 'the same',
    noRecord: '—',
    recordUnreadable: 'The record could not be read just now.',
    recordBroken: 'As the record stands now, this would not run:',
    unreadable: UNREADABLE,
    short: {
      one_of: (label: string, found: string, wanted: string) => `“${label}” is ${found}; it must be ${wanted}.`,
      gt: (label: string, found: string, wanted: string) => `“${label}” is ${found}; it must be more than ${wanted}.`,
      gte: (label: string, found: string, wanted: string) => `“${label}” is ${found}; it must be at least ${wanted}.`,
      lt: (label: string, found: string, wanted: string) => `“${label}” is ${found}; it must be less than ${wanted}.`,
      lte: (label: string, found: string, wanted: string) => `“${label}” is ${found}; it must be at most ${wanted}.`,
      missing: (label: string) => `The record has no “${label}”.`,
      unclear: 'Its check does not hold.',
    },
    technical: 'Technical detail',
    /** Before the reason for which a write was changed. */
    changed: 'Changed',
    recordMore: 'What else the record says',
    noArguments: 'It takes no arguments.',
    characters: (count: number) => `${count} characters`,
    exactly: 'The request, exactly',
    conversation: 'The conversation',
    conversationNone: 'Its words are no longer kept.',
    visitorSaid: 'Visitor',
    answered: 'Assistant',
    approvedBy: (given: number, required: number, names: string) =>
      given === 0
        ? `${required === 1 ? 'One person decides' : `${required} people must approve`}. Nobody has yet.`
        : `${given} of ${required} approvals given (${names}).`,
    runsWhenYou: 'It runs when you confirm.',
    youApproved: (more: number) => `You approved; waiting for ${more} more.`,
    needsMore: (count: number) => `After you, ${count} more ${count === 1 ? 'person' : 'people'} must approve.`,
    roles: (roles: string) => `Roles that may: ${roles}.`,
    barredBy: DECIDING.en.barredBy,
    mayNot: 'You may not approve this:',
    gone: 'What the catalog has under this name is no longer this write, so it cannot run.',
    goesTo: (address: string) => `Goes to ${address}`,
    /** Why it can no longer be approved; both addresses where they differ as a person sees them. */
    movedBetween: (from: string, to: string) =>
      `It would now go to ${to} and not to ${from}, where it was proposed to go. It cannot run. If the new address is right, propose it again below.`,
    moved:
      'Its address has changed since it was proposed, so it cannot run. If the new address is right, propose it again below.',
    oldHash:
      'It was proposed before an update of this service. Since then an approval also covers the address, so it cannot run. Propose it again below.',
    acknowledge: {
      low: 'I have checked what would be sent.',
      elevated: 'I have checked what would be sent. This write has elevated risk.',
      high: 'I have checked what would be sent. This write has high risk, and it may be impossible to undo.',
    },
    confirm: 'Confirm and run',
    approve: 'Approve',
    reject: 'Reject',
    tellVisitor: 'If I reject it, show the reason to the visitor who asked for it.',
    rejectReason: 'Reason for rejecting (optional)',
    trail: 'What happened to it',
    archived: 'What happened first is kept in the archive of whoever runs this service.',
    next: 'Next',
    back: 'Everything that is waiting',
    replaced: 'See the changed write',
    replaces: 'Replaces an earlier one',
    unknown: 'There is no such write here.',
  },
  change: {
    heading: 'Change it…',
    lead: 'This makes a new proposal and rejects the one above. Everyone who approved must approve again.',
    /** After the lead, where the policy does not let the person who proposes a write approve it. */
    barsYou: 'You may not approve what you propose: your policy requires other people.',
    reason: 'Reason (optional)',
    propose: 'Propose with these changes',
    /** Of a write that can no longer be approved: the same one for where it goes now. */
    again: 'Propose it again',
    /** Above a form in which something is marked. */
    problem: 'Nothing has changed yet. Correct what is marked below, then propose it again.',
    same: 'Nothing has changed: these are the values that were there before.',
    refused: {
      invalid_request: 'Nothing has changed: these values do not fit together.',
      body_too_large: 'Nothing has changed: this is too long to be sent. Shorten it.',
      unknown_tool: 'Nothing has changed: the catalog no longer has this write.',
      customer_required: 'Nothing has changed: this write needs a signed-in customer.',
      precondition_failed: 'Nothing has changed: as the record stands now, this would not run.',
      precondition_error: 'Nothing has changed: the record could not be read just now. Try again.',
    },
    number: 'Type a number in digits, such as 40 or 12.5.',
    integer: 'Type a whole number in digits, such as 40.',
    numbers: 'Type one number on each line, in digits, such as 40 or 12.5.',
    choice: 'Choose one of these.',
    structured:
      'This can no longer be read. Leave brackets, quotes and commas as they were, and change only what stands between them.',
    notAllowed: 'This value is not accepted here.',
    /** Limits of a schema, by its keywords. */
    rules: {
      minimum: (limit: string) => `It must be at least ${limit}.`,
      exclusiveMinimum: (limit: string) => `It must be more than ${limit}.`,
      maximum: (limit: string) => `It must be at most ${limit}.`,
      exclusiveMaximum: (limit: string) => `It must be less than ${limit}.`,
      minLength: (limit: string) => `The shortest allowed length is ${limit} characters.`,
      maxLength: (limit: string) => `The longest allowed length is ${limit} characters.`,
      minItems: (limit: string) => `The list needs at least this many lines: ${limit}.`,
      maxItems: (limit: string) => `The list takes at most this many lines: ${limit}.`,
    },
    lines: 'One on each line.',
    yes: 'Yes',
    no: 'No',
  },
  risk: DECIDING.en.risk,
  state: DECIDING.en.state,
  said: {
    ...DECIDING.en.said,
    amended: 'The changed write is waiting here. The earlier one was rejected.',
    NotAmended: 'Nothing was changed.',
  },
  event: EVENTS,
  somebody: 'somebody',
  left,
  live: {
    changed: 'Something has changed. Show it',
    away: 'The connection is lost. What you see may be out of date.',
  },
  refusedForm: 'This form came from elsewhere, or the page was too old. Nothing was changed. Open the page again.',
  /** In a row by itself; `left` stands in a sentence. */
  timeLeft: (minutes: number) => `${left(minutes)} left`,
}

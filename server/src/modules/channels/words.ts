// What a channel says of a write, in both languages.
import type { Language } from '@tether/contract'
import { DECIDING } from '../../writes/decisions/index.ts'

/** Who clicked: their address, and the name of the channel. */
type Member = { readonly address: string; readonly name: string }

const EN = {
  ...DECIDING.en,
  /** The text of a test message. */
  test: 'This is a test. What waits for a decision will stand here.',
  waits: 'Waits for a decision',
  stillWaits: 'Still waits for a decision',
  riskLabel: 'Risk',
  runsOut: 'Runs out',
  ranOut: 'Ran out',
  minutesLeft: (minutes: number) => `${minutes} min left when this was written`,
  askedBy: (name: string) => `Asked by ${name}`,
  askedByVisitor: 'Asked by a visitor in a conversation',
  askedOverApi: 'Asked over the API',
  customer: (subject: string) => `for the customer ${subject}`,
  why: 'Why',
  approvedBy: (given: number, required: number, names: string) =>
    given === 0
      ? `${required === 1 ? 'One person decides' : `${required} people must approve`}. Nobody has yet.`
      : `${given} of ${required} approvals given (${names}). ${required - given} still needed.`,
  roles: (roles: string) => `Roles that may: ${roles}.`,
  exactly: 'Exactly what would be sent',
  noArguments: 'It takes no arguments.',
  /** In place of Approve: why only the inbox can approve it. */
  inInbox: {
    acknowledge: 'Whoever approves this must acknowledge its risk: that is done in the inbox.',
    long: 'It is too long to be shown here whole, so it is approved in the inbox.',
    gone: 'The catalog no longer has this write as it was proposed, so it cannot run. Somebody can only reject it.',
    moved:
      'An approval of it no longer counts: its address changed or the service was updated since it was proposed. Open it in the inbox and propose it again there.',
  },
  approve: 'Approve',
  reject: 'Reject',
  open: 'Open in the inbox',
  by: (name: string) => `by ${name}`,
  amended: 'It was changed: another proposal has taken its place.',
  verification: { verified: 'Checked: it is done.', unverified: 'Checked: no sign of it.' },
  /** Why a click decided nothing, before its person was checked against the policy. */
  notHeard: {
    unknown_message: () => 'This message is none that this workspace decides by. You decided nothing: open the inbox.',
    foreign_team: ({ name }: Member) =>
      `Only members of the ${name} team that this app was set up in can decide. You decided nothing.`,
    no_member: () => 'Guests of other teams, bots and members who have left cannot decide. You decided nothing.',
    no_address: ({ name }: Member) =>
      `${name} shows no confirmed e-mail address for you, so nobody knows who you are here. You decided nothing. Confirm your address in ${name}, then click again.`,
    unlinked: ({ address }: Member) =>
      `You decided nothing, because nobody in this workspace has your address (${address}). Ask an administrator to invite it, then click again.`,
    shared_address: ({ address }: Member) =>
      `You decided nothing, because two people in this workspace share your address (${address}). Ask an administrator to give each their own.`,
    inactive: () => 'You may no longer act in this workspace. You decided nothing.',
    stale: () =>
      'What this message shows is no longer what would run. You decided nothing: open the inbox and look again.',
    amended: () =>
      'It was changed before you clicked, and another proposal has taken its place. You decided nothing: look at the new message.',
    unreachable: () => 'Your click could not be decided in time. You decided nothing: click again, or open the inbox.',
  },
}

const KA: ChannelWords = {
  ...DECIDING.ka,
  test: 'ეს საცდელი შეტყობინებაა. აქ გამოჩნდება, რაც გადაწყვეტილებას ელოდება.',
  waits: 'გადაწყვეტილებას ელოდება',
  stillWaits: 'ისევ ელოდება გადაწყვეტილებას',
  riskLabel: 'რისკი',
  runsOut: 'ვადა გადის',
  ranOut: 'ვადა გავიდა',
  minutesLeft: (minutes) => `ამ შეტყობინების დაწერისას დარჩენილი იყო ${minutes} წუთი`,
  askedBy: (name) => `მოითხოვა: ${name}`,
  askedByVisitor: 'მოითხოვა ვიზიტორმა საუბარში',
  askedOverApi: 'მოთხოვნა მოვიდა API-ით',
  customer: (subject) => `მომხმარებლისთვის ${subject}`,
  why: 'რატომ',
  approvedBy: (given, required, names) =>
    given === 0
      ? `${required === 1 ? 'წყვეტს ერთი ადამიანი' : `უნდა დაამტკიცოს ${required} ადამიანმა`}. ჯერ არავის დაუმტკიცებია.`
      : `დამტკიცებულია ${given}, საჭიროა ${required} (${names}). აკლია კიდევ ${required - given}.`,
  roles: (roles) => `დამტკიცება შეუძლიათ როლებს: ${roles}.`,
  exactly: 'ზუსტად რა გაიგზავნება',
  noArguments: 'მონაცემები არ სჭირდება.',
  inInbox: {
    acknowledge: 'ვინც ამას ამტკიცებს, რისკი უნდა დაადასტუროს: ეს გადაწყვეტილებების გვერდზე კეთდება.',
    long: 'აქ მთლიანად ვერ ეტევა, ამიტომ გადაწყვეტილებების გვერდზე მტკიცდება.',
    gone: 'კატალოგში ეს ცვლილება იმ სახით აღარ არის, როგორც შემოგთავაზეს, ამიტომ ვერ შესრულდება. მხოლოდ უარყოფა შეიძლება.',
    moved:
      'შემოთავაზების შემდეგ მისამართი შეიცვალა ან სერვისი განახლდა, ამიტომ ამის დამტკიცება აღარ შეიძლება. გახსენით და ხელახლა შესთავაზეთ.',
  },
  approve: 'დამტკიცება',
  reject: 'უარყოფა',
  open: 'გვერდზე ნახვა',
  by: (name) => `· ${name}`,
  amended: 'შეიცვალა: მის ნაცვლად სხვა შემოთავაზება ელოდება.',
  verification: { verified: 'შემოწმდა: შესრულებულია.', unverified: 'შემოწმდა: არ ჩანს.' },
  notHeard: {
    unknown_message: () =>
      'ეს შეტყობინება ამ სამუშაო სივრცის არ არის. არაფერი გადაგიწყვეტიათ: გახსენით გადაწყვეტილებების გვერდი.',
    foreign_team: ({ name }) =>
      `გადაწყვეტა მხოლოდ იმ ${name}-გუნდის წევრებს შეუძლიათ, სადაც ეს აპლიკაციაა დაყენებული. არაფერი გადაგიწყვეტიათ.`,
    no_member: () => 'სხვა გუნდის სტუმრები, ბოტები და წასული წევრები ვერ წყვეტენ. არაფერი გადაგიწყვეტიათ.',
    no_address: ({ name }) =>
      `${name}-ში თქვენი ელფოსტა დადასტურებული არ ჩანს, ამიტომ ვერ გცნობთ. არაფერი გადაგიწყვეტიათ. დაადასტურეთ მისამართი ${name}-ში და ხელახლა დააჭირეთ.`,
    unlinked: ({ address }) =>
      `არაფერი გადაგიწყვეტიათ: ამ სამუშაო სივრცეში თქვენი მისამართით (${address}) არავინაა. სთხოვეთ ადმინისტრატორს მოგიწვიოთ და ხელახლა დააჭირეთ.`,
    shared_address: ({ address }) =>
      `არაფერი გადაგიწყვეტიათ: ამ სამუშაო სივრცეში თქვენი მისამართი (${address}) ორ ადამიანს აქვს. სთხოვეთ ადმინისტრატორს, თითოეულს თავისი მისცეს.`,
    inactive: () => 'ამ სამუშაო სივრცეში აქტიური აღარ ხართ. არაფერი გადაგიწყვეტიათ.',
    stale: () =>
      'რაც ამ შეტყობინებაში წერია, ის აღარ შესრულდება. არაფერი გადაგიწყვეტიათ: გახსენით გვერდი და ხელახლა ნახეთ.',
    amended: () =>
      'თქვენს დაჭერამდე შეიცვალა და მის ნაცვლად სხვა შემოთავაზება ელოდება. არაფერი გადაგიწყვეტიათ: ნახეთ ახალი შეტყობინება.',
    unreachable: () =>
      'თქვენი გადაწყვეტილება დროულად ვერ დამუშავდა. არაფერი გადაგიწყვეტიათ: ხელახლა დააჭირეთ ან გახსენით გვერდი.',
  },
}

export type ChannelWords = typeof EN
export type NotHeard = keyof ChannelWords['notHeard']

export const WORDS: Readonly<Record<Language, ChannelWords>> = { en: EN, ka: KA }

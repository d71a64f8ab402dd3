// What the pages behind mailed links say, in both languages. Every sentence is written into the page by the server.
import type { Language } from '@tether/contract'

export type Purpose = 'confirm' | 'recover'

export type Words = {
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly working: string
  readonly doneTitle: string
  readonly done: string
  /** By the code of the refusal; `failed` is for everything else, `incomplete` for a page without a token. */
  readonly outcomes: Readonly<Record<string, readonly [title: string, text: string]>>
  readonly noScript: string
}

const EN_FAILED = [
  'That did not work',
  'The service could not be asked just now. Check the connection and press the button again.',
] as const
const KA_FAILED = [
  'ვერ მოხერხდა',
  'სერვისთან დაკავშირება ვერ მოხერხდა. შეამოწმეთ კავშირი და კვლავ დააჭირეთ ღილაკს.',
] as const
const EN_LIMITED = ['Too many attempts', 'Wait a minute, then press the button again.'] as const
const KA_LIMITED = ['ძალიან ბევრი მცდელობა', 'დაელოდეთ ერთ წუთს და კვლავ დააჭირეთ ღილაკს.'] as const

const CONFIRM: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Confirm your address',
    lead: 'Press the button to confirm that this mailbox is yours. Your workspace then goes live.',
    button: 'Confirm the address',
    working: 'One moment…',
    doneTitle: 'The address is confirmed',
    done: 'What waited for it goes live now. You can close this page.',
    outcomes: {
      incomplete: ['This link is incomplete', 'Open it once more from the mail, or copy the whole address from there.'],
      link_used: [
        'This link was used already',
        'Or a newer one replaced it: if you asked more than once, open the newest mail. If you confirmed before, nothing is left to do.',
      ],
      link_expired: [
        'This link is too old',
        'Ask for a new one with POST /v1/account/confirmation and the key of the workspace.',
      ],
      invalid_link: [
        'This link does not work',
        'It is damaged, or for something else. Open it once more from the mail.',
      ],
      rate_limited: EN_LIMITED,
      failed: EN_FAILED,
    },
    noScript: 'This page reads the link in your browser and needs JavaScript for that.',
  },
  ka: {
    title: 'დაადასტურეთ თქვენი მისამართი',
    lead: 'დააჭირეთ ღილაკს და დაადასტურეთ, რომ ეს საფოსტო ყუთი თქვენია. ამის შემდეგ თქვენი სამუშაო სივრცე სრულად ამოქმედდება.',
    button: 'მისამართის დადასტურება',
    working: 'ერთი წამით…',
    doneTitle: 'მისამართი დადასტურებულია',
    done: 'ყველაფერი, რაც ამას ელოდა, უკვე მოქმედებს. შეგიძლიათ დახუროთ ეს გვერდი.',
    outcomes: {
      incomplete: ['ბმული არასრულია', 'ხელახლა გახსენით ის წერილიდან, ან იქიდან დააკოპირეთ მთლიანი მისამართი.'],
      link_used: [
        'ეს ბმული უკვე გამოყენებულია',
        'ან უფრო ახალმა ჩაანაცვლა: თუ ბმული რამდენჯერმე მოითხოვეთ, გახსენით ბოლო წერილი. თუ უკვე დაადასტურეთ, მეტი არაფერია საჭირო.',
      ],
      link_expired: ['ბმულს ვადა გაუვიდა', 'ახალი მოითხოვეთ სამუშაო სივრცის გასაღებით: POST /v1/account/confirmation.'],
      invalid_link: ['ეს ბმული არ მუშაობს', 'ის დაზიანებულია ან სხვა რამისთვისაა. ხელახლა გახსენით წერილიდან.'],
      rate_limited: KA_LIMITED,
      failed: KA_FAILED,
    },
    noScript: 'ეს გვერდი ბმულს თქვენს ბრაუზერში კითხულობს და ამისთვის JavaScript სჭირდება.',
  },
}

const RECOVER: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Get a new secret key',
    lead: 'Press the button, and the new key appears here once. In that moment every earlier secret key of the workspace stops.',
    button: 'Show the new key',
    working: 'One moment…',
    doneTitle: 'Your new secret key',
    done: 'Store it now: it is not shown again, here or anywhere.',
    outcomes: {
      incomplete: ['This link is incomplete', 'Open it once more from the mail, or copy the whole address from there.'],
      link_expired: ['This link is too old', 'Ask for a new one with POST /v1/signup/recover.'],
      invalid_link: [
        'This link does not work any more',
        'It was used, a newer link or a newer key replaced it, or it is damaged. If in doubt, ask for a new one.',
      ],
      rate_limited: EN_LIMITED,
      failed: EN_FAILED,
    },
    noScript: 'This page reads the link in your browser and needs JavaScript for that.',
  },
  ka: {
    title: 'ახალი საიდუმლო გასაღები',
    lead: 'დააჭირეთ ღილაკს და ახალი გასაღები აქ ერთხელ გამოჩნდება. იმავე წამს სამუშაო სივრცის ყველა ადრინდელი საიდუმლო გასაღები გაუქმდება.',
    button: 'ახალი გასაღების ჩვენება',
    working: 'ერთი წამით…',
    doneTitle: 'თქვენი ახალი საიდუმლო გასაღები',
    done: 'შეინახეთ ახლავე: ის აღარსად გამოჩნდება.',
    outcomes: {
      incomplete: ['ბმული არასრულია', 'ხელახლა გახსენით ის წერილიდან, ან იქიდან დააკოპირეთ მთლიანი მისამართი.'],
      link_expired: ['ბმულს ვადა გაუვიდა', 'ახალი მოითხოვეთ: POST /v1/signup/recover.'],
      invalid_link: [
        'ეს ბმული აღარ მუშაობს',
        'ის უკვე გამოყენებულია, უფრო ახალმა ბმულმა ან გასაღებმა ჩაანაცვლა, ან დაზიანებულია. საჭიროების შემთხვევაში მოითხოვეთ ახალი.',
      ],
      rate_limited: KA_LIMITED,
      failed: KA_FAILED,
    },
    noScript: 'ეს გვერდი ბმულს თქვენს ბრაუზერში კითხულობს და ამისთვის JavaScript სჭირდება.',
  },
}

export const WORDS: Readonly<Record<Purpose, Readonly<Record<Language, Words>>>> = {
  confirm: CONFIRM,
  recover: RECOVER,
}

export const LABELS = {
  en: {
    workspace: 'Workspace',
    address: 'Address',
    key: 'Secret key',
    lines: 'Lines for your shell',
    copy: 'Copy',
    copied: 'Copied',
  },
  ka: {
    workspace: 'სამუშაო სივრცე',
    address: 'მისამართი',
    key: 'საიდუმლო გასაღები',
    lines: 'ბრძანებები ტერმინალისთვის',
    copy: 'დაკოპირება',
    copied: 'დაკოპირდა',
  },
} as const

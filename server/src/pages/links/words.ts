// The words of the pages that mailed links open, in both languages. The server writes every sentence into the page.
import type { Language } from '@tether/contract'

export type PagePurpose = 'confirm' | 'recover' | 'verify'

type LinkPageWords = {
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly working: string
  readonly doneTitle: string
  readonly done: string
  /** The words by the code of the refusal. `failed` is for everything else, `incomplete` for a page without a token. */
  readonly outcomes: Readonly<Record<string, readonly [title: string, text: string]>>
  readonly noScript: string
}

const EN_FAILED = [
  'That did not work',
  'We could not reach the service. Check your connection and press the button again.',
] as const
const KA_FAILED = [
  'ვერ მოხერხდა',
  'სერვისთან დაკავშირება ვერ მოხერხდა. შეამოწმეთ კავშირი და კვლავ დააჭირეთ ღილაკს.',
] as const
const EN_LIMITED = ['Too many attempts', 'Wait a minute, then press the button again.'] as const
const KA_LIMITED = ['ძალიან ბევრი მცდელობა', 'დაელოდეთ ერთ წუთს და კვლავ დააჭირეთ ღილაკს.'] as const

const CONFIRM: Readonly<Record<Language, LinkPageWords>> = {
  en: {
    title: 'Confirm your address',
    lead: 'Press the button to confirm that this mailbox is yours. Your workspace then goes live.',
    button: 'Confirm the address',
    working: 'One moment…',
    doneTitle: 'Your address is confirmed',
    done: 'Everything that was waiting for this is now live. You can close this page.',
    outcomes: {
      incomplete: ['This link is incomplete', 'Open it again from the mail, or copy the whole address from there.'],
      link_used: [
        'This link has already been used',
        'Or a newer link replaced it: if you asked more than once, open the newest mail. If you have already confirmed, there is nothing left to do.',
      ],
      link_expired: [
        'This link is too old',
        'Ask for a new one with POST /v1/account/confirmation and the key of your workspace.',
      ],
      invalid_link: [
        'This link does not work',
        'It is damaged, or it is for something else. Open it again from the mail.',
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

const RECOVER: Readonly<Record<Language, LinkPageWords>> = {
  en: {
    title: 'Get a new secret key',
    lead: 'Press the button to see your new key, once. Every earlier secret key of the workspace stops working at that moment.',
    button: 'Show the new key',
    working: 'One moment…',
    doneTitle: 'Your new secret key',
    done: 'Store it now. It will not be shown again.',
    outcomes: {
      incomplete: ['This link is incomplete', 'Open it again from the mail, or copy the whole address from there.'],
      link_expired: ['This link is too old', 'Ask for a new one with POST /v1/signup/recover.'],
      invalid_link: [
        'This link no longer works',
        'It has been used, a newer link or key has replaced it, or it is damaged. If in doubt, ask for a new one.',
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

const VERIFY: Readonly<Record<Language, LinkPageWords>> = {
  en: {
    title: 'Keep your assistant',
    lead: 'Press the button to create the workspace. What was read of your website moves along, and the secret key is shown once.',
    button: 'Create the workspace',
    working: 'One moment…',
    doneTitle: 'Your workspace is ready',
    done: 'Store the key now. It will not be shown again. The assistant already answers from your website.',
    outcomes: {
      incomplete: ['This link is incomplete', 'Open it again from the mail, or copy the whole address from there.'],
      sandbox_expired: [
        'There is nothing left to keep',
        'The trial has ended, or it has already been kept: then its key was shown when that happened. You can try your website again at any time.',
      ],
      link_expired: ['This link is too old', 'Try your website again, and keep it from there.'],
      invalid_link: [
        'This link no longer works',
        'A newer one has replaced it, or it is damaged. Open the newest mail.',
      ],
      email_already_used: [
        'This address already has a workspace',
        'If you have lost its key, POST /v1/signup/recover mails you a link to a new one.',
      ],
      rate_limited: EN_LIMITED,
      failed: EN_FAILED,
    },
    noScript: 'This page reads the link in your browser and needs JavaScript for that.',
  },
  ka: {
    title: 'შეინარჩუნეთ თქვენი ასისტენტი',
    lead: 'დააჭირეთ ღილაკს და შეიქმნება სამუშაო სივრცე. ვებგვერდიდან წაკითხული მასალა თან გადმოჰყვება, საიდუმლო გასაღები კი ერთხელ გამოჩნდება.',
    button: 'სამუშაო სივრცის შექმნა',
    working: 'ერთი წამით…',
    doneTitle: 'თქვენი სამუშაო სივრცე მზადაა',
    done: 'გასაღები ახლავე შეინახეთ: ის აღარსად გამოჩნდება. ასისტენტი უკვე თქვენი ვებგვერდიდან პასუხობს.',
    outcomes: {
      incomplete: ['ბმული არასრულია', 'ხელახლა გახსენით ის წერილიდან, ან იქიდან დააკოპირეთ მთლიანი მისამართი.'],
      sandbox_expired: [
        'შესანახი აღარაფერია',
        'მოსინჯვის დრო ამოიწურა, ან უკვე შეინახეთ: მაშინ გასაღები იქვე გამოჩნდა. ვებგვერდის ხელახლა მოსინჯვა ნებისმიერ დროს შეგიძლიათ.',
      ],
      link_expired: ['ბმულს ვადა გაუვიდა', 'ხელახლა მოსინჯეთ თქვენი ვებგვერდი და იქიდან შეინახეთ.'],
      invalid_link: ['ეს ბმული აღარ მუშაობს', 'ის უფრო ახალმა ბმულმა ჩაანაცვლა ან დაზიანებულია. გახსენით ბოლო წერილი.'],
      email_already_used: [
        'ამ მისამართს უკვე აქვს სამუშაო სივრცე',
        'თუ გასაღები დაკარგეთ, ახლის ბმულს მოგწერთ POST /v1/signup/recover.',
      ],
      rate_limited: KA_LIMITED,
      failed: KA_FAILED,
    },
    noScript: 'ეს გვერდი ბმულს თქვენს ბრაუზერში კითხულობს და ამისთვის JavaScript სჭირდება.',
  },
}

export const LINK_PAGE_WORDS: Readonly<Record<PagePurpose, Readonly<Record<Language, LinkPageWords>>>> = {
  confirm: CONFIRM,
  recover: RECOVER,
  verify: VERIFY,
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

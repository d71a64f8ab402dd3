// The mails of sign-up, in both languages. None of them contains a key.
import type { Language } from '@tether/contract'
import { z } from 'zod'
import { type AnyMailKind, anyKind, type Letter, namedInMail } from '../mail/index.ts'
import { findTenant } from '../tenants/index.ts'
import { accountPage, type LinkPage, tokenToMail } from './links.ts'
import type { LinkPurpose } from './queries.ts'

export type LetterWords<Facts> = Readonly<Record<Language, (facts: Facts) => Letter>>
export type LinkFacts = { readonly name: string | null; readonly url: string; readonly minutes: number }

/** A duration in words: in minutes up to an hour and a half, then in hours. */
export function lasting(minutes: number, language: Language): string {
  const inHours = minutes > 90
  const count = Math.max(1, Math.round(inHours ? minutes / 60 : minutes))
  if (language === 'ka') return `${count} ${inHours ? 'საათის' : 'წუთის'} განმავლობაში`
  return `for ${count} ${inHours ? 'hour' : 'minute'}${count === 1 ? '' : 's'}`
}

const CONFIRM: LetterWords<LinkFacts> = {
  en: ({ name, url, minutes }) => ({
    subject: 'Confirm your address for Tether',
    heading: 'Confirm your address',
    paragraphs: [
      `${name === null ? 'A workspace' : `The workspace “${name}”`} was created with this address and already works.`,
      'Confirm the address to go live: public pages, mail to other people and paid plans wait for that.',
    ],
    button: { label: 'Confirm the address', url },
    small: [
      `The link works once, ${lasting(minutes, 'en')}. Opening it changes nothing yet: the page asks you to press a button.`,
      'If you did not ask for this, do nothing. Then nothing goes live in your name.',
    ],
  }),
  ka: ({ name, url, minutes }) => ({
    subject: 'დაადასტურეთ თქვენი მისამართი Tether-ში',
    heading: 'დაადასტურეთ თქვენი მისამართი',
    paragraphs: [
      `ამ მისამართით შეიქმნა სამუშაო სივრცე${name === null ? '' : ` „${name}“`} და ის უკვე მუშაობს.`,
      'სრულად ასამოქმედებლად დაადასტურეთ მისამართი: საჯარო გვერდები, სხვებისთვის გასაგზავნი წერილები და ფასიანი გეგმები ამას ელოდება.',
    ],
    button: { label: 'მისამართის დადასტურება', url },
    small: [
      `ბმული მუშაობს ერთხელ, ${lasting(minutes, 'ka')}. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ მოგითხოვიათ, ნურაფერს მოიმოქმედებთ: თქვენი სახელით არაფერი ამოქმედდება.',
    ],
  }),
}

const RECOVER: LetterWords<LinkFacts> = {
  en: ({ name, url, minutes }) => ({
    subject: 'Get a new key for your Tether workspace',
    heading: 'A new secret key',
    paragraphs: [
      `Somebody asked for a new secret key for ${name === null ? 'your workspace' : `the workspace “${name}”`}.`,
      'The page that opens shows the new key once. At that moment every earlier secret key stops working. Other keys, the signing secret and the configuration stay as they are.',
    ],
    button: { label: 'Get a new key', url },
    small: [
      `The link works once, ${lasting(minutes, 'en')}. Opening it changes nothing yet: the page asks you to press a button.`,
      'If this was not you, do nothing. Your keys keep working. We never send a key by mail.',
    ],
  }),
  ka: ({ name, url, minutes }) => ({
    subject: 'ახალი გასაღები თქვენი Tether სივრცისთვის',
    heading: 'ახალი საიდუმლო გასაღები',
    paragraphs: [
      `ვიღაცამ მოითხოვა ახალი საიდუმლო გასაღები ${name === null ? 'თქვენი სამუშაო სივრცისთვის' : `სამუშაო სივრცისთვის „${name}“`}.`,
      'გახსნილი გვერდი ახალ გასაღებს ერთხელ აჩვენებს. იმავე წამს ყველა ადრინდელი საიდუმლო გასაღები გაუქმდება. სხვა გასაღებები, ხელმოწერის საიდუმლო და პარამეტრები უცვლელი დარჩება.',
    ],
    button: { label: 'ახალი გასაღების მიღება', url },
    small: [
      `ბმული მუშაობს ერთხელ, ${lasting(minutes, 'ka')}. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ ყოფილხართ, ნურაფერს მოიმოქმედებთ: თქვენი გასაღებები კვლავ იმუშავებს. გასაღებს ფოსტით არასოდეს ვგზავნით.',
    ],
  }),
}

type NoticeFacts = { readonly name: string | null; readonly revoked: number; readonly at: string }

const RECOVERED: LetterWords<NoticeFacts> = {
  en: ({ name, revoked, at }) => ({
    subject: 'Your Tether workspace has a new secret key',
    heading: 'A new secret key was issued',
    paragraphs: [
      `The recovery link of ${name === null ? 'your workspace' : `the workspace “${name}”`} was used. The new key was shown once, and earlier secret keys stopped working.`,
    ],
    facts: [
      ['Revoked secret keys', String(revoked)],
      ['When', at],
    ],
    small: [
      'If this was not you, somebody else reads your mail. Secure the mailbox, ask for a new recovery link, and use its key to send POST /v1/account/compromise.',
    ],
  }),
  ka: ({ name, revoked, at }) => ({
    subject: 'თქვენს Tether სივრცეს ახალი საიდუმლო გასაღები აქვს',
    heading: 'გაიცა ახალი საიდუმლო გასაღები',
    paragraphs: [
      `გამოყენებულია ${name === null ? 'თქვენი სამუშაო სივრცის' : `სამუშაო სივრცის „${name}“`} აღდგენის ბმული. ახალი გასაღები ერთხელ გამოჩნდა; ადრინდელი საიდუმლო გასაღებები გაუქმდა.`,
    ],
    facts: [
      ['გაუქმებული საიდუმლო გასაღებები', String(revoked)],
      ['დრო', at],
    ],
    small: [
      'თუ ეს თქვენ არ ყოფილხართ, თქვენს ფოსტას სხვაც კითხულობს. დაიცავით საფოსტო ყუთი, მოითხოვეთ აღდგენის ახალი ბმული და მისი გასაღებით გაგზავნეთ POST /v1/account/compromise.',
    ],
  }),
}

type MovedFacts = { readonly name: string | null; readonly at: string }

const MOVED: LetterWords<MovedFacts> = {
  en: ({ name, at }) => ({
    subject: 'The address of your Tether workspace was changed',
    heading: 'The address was changed',
    paragraphs: [
      `${name === null ? 'Your workspace' : `The workspace “${name}”`} was moved to another address. Mail about it now goes there, and this mailbox can no longer recover its key.`,
    ],
    facts: [['When', at]],
    small: [
      'If this was not you, somebody else has a secret key of the workspace. Send POST /v1/account/compromise with one of your keys, and change the address back.',
    ],
  }),
  ka: ({ name, at }) => ({
    subject: 'თქვენი Tether სივრცის მისამართი შეიცვალა',
    heading: 'მისამართი შეიცვალა',
    paragraphs: [
      `${name === null ? 'თქვენი სამუშაო სივრცე' : `სამუშაო სივრცე „${name}“`} სხვა მისამართზე გადავიდა. წერილები ამიერიდან იქ გაიგზავნება და ამ საფოსტო ყუთით გასაღების აღდგენა აღარ შეიძლება.`,
    ],
    facts: [['დრო', at]],
    small: [
      'თუ ეს თქვენ არ ყოფილხართ, სივრცის საიდუმლო გასაღები სხვის ხელშია: თქვენი გასაღებით გაგზავნეთ POST /v1/account/compromise და დააბრუნეთ მისამართი.',
    ],
  }),
}

const WithLink = z.object({ linkId: z.string(), minutes: z.number() })

type LinkOptions = { readonly purpose: LinkPurpose; readonly page: LinkPage; readonly words: LetterWords<LinkFacts> }

/** A mail with a link of an account, which `page` opens. */
export const linkLetter = (kind: string, { purpose, page, words }: LinkOptions): AnyMailKind =>
  anyKind({
    kind,
    fields: WithLink,
    async compose(house, { tenantId, language, fields: { linkId, minutes } }) {
      const token = await tokenToMail(house, { tenantId, linkId }, purpose)
      const tenant = await findTenant(house, tenantId)
      if (token === null || tenant === undefined) return null
      const url = page(house.settings, language, token)
      return words[language]({ name: namedInMail(tenant.name), url, minutes })
    },
  })

export const CONFIRMATION = 'signup_confirmation'
export const RECOVERY_LINK = 'recovery_link'
/** The console writes this mail, with `linkLetter`. */
export const CONSOLE_LINK = 'console_link'
export const RECOVERY_NOTICE = 'recovery_notice'
export const ADDRESS_NOTICE = 'address_notice'
export const SIGNUP_NOTICE = 'signup_notice'

export const signupLetters: readonly AnyMailKind[] = [
  linkLetter(CONFIRMATION, { purpose: 'confirm', page: accountPage('confirm'), words: CONFIRM }),
  linkLetter(RECOVERY_LINK, { purpose: 'recover', page: accountPage('recover'), words: RECOVER }),
  anyKind({
    kind: RECOVERY_NOTICE,
    fields: z.object({ name: z.string(), revoked: z.number(), at: z.number() }),
    compose: async (_, { language, fields: { name, revoked, at } }) =>
      RECOVERED[language]({ name: namedInMail(name), revoked, at: timeText(at) }),
  }),
  anyKind({
    kind: ADDRESS_NOTICE,
    fields: z.object({ name: z.string(), at: z.number() }),
    compose: async (_, { language, fields: { name, at } }) =>
      MOVED[language]({ name: namedInMail(name), at: timeText(at) }),
  }),
  anyKind({
    kind: SIGNUP_NOTICE,
    fields: z.object({ name: z.string(), email: z.string(), at: z.number() }),
    compose: async (_, { tenantId, fields: { name, email, at } }) => ({
      subject: 'A new workspace signed up',
      heading: 'A new workspace',
      paragraphs: ['Somebody signed up. The workspace is on the free plan.'],
      facts: [
        // A stranger chose the name. If it looks like a link, the operator should look it up, not click it.
        ['Name', namedInMail(name) ?? `not shown here; see GET /v1/tenants/${tenantId}`],
        ['Workspace', String(tenantId)],
        ['Address', email],
        ['When', timeText(at)],
      ],
      small: ['You get this because Signup:NotifyAddress names this mailbox.'],
    }),
  }),
]

const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

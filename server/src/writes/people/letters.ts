// The mails to people who decide, in both languages. None of them acts on being opened.
import type { Language } from '@tether/contract'
import { z } from 'zod'
import type { House } from '../../tenancy/context/index.ts'
import { type AnyMailKind, anyKind, type Letter, namedInMail, type ToWrite } from '../../tenancy/mail/index.ts'
import { findTenant } from '../../tenancy/tenants/index.ts'
import { peopleOfAddress } from '../approvals/index.ts'
import { sealAddress, sealSignIn } from './links.ts'
import { findLink } from './queries.ts'

export const SIGN_IN = 'sign_in'
export const SIGN_IN_BUSINESSES = 'sign_in_businesses'
export const INVITATION = 'invitation'

type Words<Facts> = Readonly<Record<Language, (facts: Facts) => Letter>>
type SignInFacts = { readonly workspace: string | null; readonly url: string; readonly minutes: number }

const SIGN_IN_WORDS: Words<SignInFacts> = {
  en: ({ workspace, url, minutes }) => ({
    subject: workspace === null ? 'Sign in to decide' : `Sign in to ${workspace}`,
    heading: 'Sign in',
    paragraphs: [
      `Somebody asked for a link with which you can sign in to the inbox of ${workspace === null ? 'your workspace' : `“${workspace}”`}.`,
    ],
    button: { label: 'Sign in', url },
    small: [
      `The link works once, for ${minutes} minute${minutes === 1 ? '' : 's'}. Opening it does nothing yet: the page asks you to press a button.`,
      'If this was not you, do nothing. Nobody is signed in without this link.',
    ],
  }),
  ka: ({ workspace, url, minutes }) => ({
    subject: workspace === null ? 'შესვლა' : `შესვლა: ${workspace}`,
    heading: 'შესვლა',
    paragraphs: [
      `ვიღაცამ მოითხოვა ბმული, რომლითაც შეხვალთ ${workspace === null ? 'თქვენი სამუშაო სივრცის' : `სივრცის „${workspace}“`} გადაწყვეტილებების გვერდზე.`,
    ],
    button: { label: 'შესვლა', url },
    small: [
      `ბმული მუშაობს ერთხელ, ${minutes} წუთის განმავლობაში. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ ყოფილხართ, ნურაფერს მოიმოქმედებთ: ამ ბმულის გარეშე ვერავინ შევა.',
    ],
  }),
}

type BusinessesFacts = {
  readonly links: readonly { readonly label: string; readonly url: string }[]
  readonly minutes: number
}

const BUSINESSES_WORDS: Words<BusinessesFacts> = {
  en: ({ links, minutes }) => ({
    subject: 'Sign in to decide',
    heading: 'Sign in',
    paragraphs: [
      links.length === 1
        ? 'Somebody asked for a link with which you can sign in to the inbox of this business.'
        : `Somebody asked for links with which you can sign in to decide. You belong to ${links.length} businesses, and each has a link of its own.`,
    ],
    links,
    small: [
      `Each link works once, for ${minutes} minute${minutes === 1 ? '' : 's'}. Opening it does nothing yet: the page asks you to press a button.`,
      'If this was not you, do nothing. Nobody is signed in without these links.',
    ],
  }),
  ka: ({ links, minutes }) => ({
    subject: 'შესვლა',
    heading: 'შესვლა',
    paragraphs: [
      links.length === 1
        ? 'ვიღაცამ მოითხოვა ბმული, რომლითაც შეხვალთ ამ კომპანიის გადაწყვეტილებების გვერდზე.'
        : `ვიღაცამ მოითხოვა ბმულები, რომლებითაც შეხვალთ გადაწყვეტილებების გვერდზე. თქვენ ${links.length} კომპანიაში ხართ რეგისტრირებული და თითოეულს თავისი ბმული აქვს.`,
    ],
    links,
    small: [
      `თითოეული ბმული მუშაობს ერთხელ, ${minutes} წუთის განმავლობაში. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ ყოფილხართ, ნურაფერს მოიმოქმედებთ: ამ ბმულების გარეშე ვერავინ შევა.',
    ],
  }),
}

type InvitationFacts = { readonly workspace: string | null; readonly url: string }

const INVITATION_WORDS: Words<InvitationFacts> = {
  en: ({ workspace, url }) => ({
    subject: workspace === null ? 'You were invited to decide' : `${workspace} invites you to decide`,
    heading: 'You were invited',
    paragraphs: [
      `${workspace === null ? 'A business' : `“${workspace}”`} asks you to help decide what its assistant may do: each change that the assistant proposes waits until a person has looked at it.`,
      'On the page that opens you ask for a link to sign in with. It is mailed to this address.',
    ],
    button: { label: 'Open the inbox', url },
    small: ['Opening this page signs nobody in. If you do not expect this mail, do nothing.'],
  }),
  ka: ({ workspace, url }) => ({
    subject: workspace === null ? 'მოგიწვიეს გადაწყვეტილებების მისაღებად' : `${workspace} გიწვევთ`,
    heading: 'თქვენ მოგიწვიეს',
    paragraphs: [
      `${workspace === null ? 'კომპანია' : `„${workspace}“`} გთხოვთ, დაეხმაროთ იმის გადაწყვეტაში, რისი უფლება აქვს მის ასისტენტს: ყოველი ცვლილება, რომელსაც ასისტენტი გთავაზობთ, ელოდება, სანამ ადამიანი შეხედავს.`,
      'გახსნილ გვერდზე მოითხოვეთ შესასვლელი ბმული. ის ამავე მისამართზე გამოგეგზავნებათ.',
    ],
    button: { label: 'გვერდის გახსნა', url },
    small: ['ამ გვერდის გახსნით ჯერ არავინ შედის. თუ ამ წერილს არ ელოდით, ნურაფერს მოიმოქმედებთ.'],
  }),
}

async function workspaceName(house: House, tenantId: number): Promise<string | null> {
  const name = (await findTenant(house, tenantId))?.name
  return name == null ? null : namedInMail(name)
}

const SignInFields = z.object({ linkId: z.string(), minutes: z.number() })

/** Null if the link would no longer work. */
async function composeSignIn(house: House, { tenantId, language, fields }: ToWrite<z.output<typeof SignInFields>>) {
  const row = await house.db.one(findLink, { tenantId, linkId: fields.linkId })
  if (row === undefined || row.spent || row.expired || !row.active) return null
  const token = sealSignIn(house, { tenantId, linkId: fields.linkId }, row.expiresAt)
  return SIGN_IN_WORDS[language]({
    workspace: await workspaceName(house, tenantId),
    url: linkOf(house, token, language),
    minutes: Math.max(1, Math.round(fields.minutes)),
  })
}

// A browser sends nothing of what follows "#", so the token is in no log and in no scanner's request. The page opens in the language
// of the mail, because signing in stores that language for the person's next mails.
const linkOf = ({ settings }: House, token: string, language: Language): string =>
  `${settings.mail.inboxBaseUrl}?lang=${language}#signin=${token}`

const BusinessesFields = z.object({
  links: z.array(z.object({ tenantId: z.number(), linkId: z.string() })),
  minutes: z.number(),
})

/** Null if none of its links would work any longer. */
async function composeBusinesses(house: House, { language, fields }: ToWrite<z.output<typeof BusinessesFields>>) {
  const links: { label: string; url: string }[] = []
  for (const link of fields.links) {
    const row = await house.db.one(findLink, link)
    if (row === undefined || row.spent || row.expired || !row.active) continue
    const label = namedInMail(row.tenantName) ?? `#${link.tenantId}`
    links.push({ label, url: linkOf(house, sealSignIn(house, link, row.expiresAt), language) })
  }
  if (links.length === 0) return null
  return BUSINESSES_WORDS[language]({ links, minutes: Math.max(1, Math.round(fields.minutes)) })
}

const InvitationFields = z.object({ name: z.string() })

/** Null if the address no longer belongs to a person here. */
async function composeInvitation(house: House, { tenantId, language, to }: ToWrite<unknown>) {
  if ((await peopleOfAddress(house, tenantId, to)).length === 0) return null
  return INVITATION_WORDS[language]({
    workspace: await workspaceName(house, tenantId),
    url: `${house.settings.mail.inboxBaseUrl}?lang=${language}&for=${sealAddress(house, to)}`,
  })
}

export const peopleLetters: readonly AnyMailKind[] = [
  anyKind({ kind: SIGN_IN, fields: SignInFields, compose: composeSignIn }),
  anyKind({ kind: SIGN_IN_BUSINESSES, fields: BusinessesFields, compose: composeBusinesses }),
  anyKind({ kind: INVITATION, fields: InvitationFields, compose: composeInvitation }),
]

// The mail that keeps a sandbox as a workspace, in both languages. Its link is sealed when the mail leaves, and holds no key.
import type { Language } from '@tether/contract'
import { z } from 'zod'
import { type AnyMailKind, anyKind, type Letter, namedInMail } from '../../../tenancy/mail/index.ts'
import { lasting, verifyLink } from '../../../tenancy/signup/index.ts'
import { readSandbox } from './queries.ts'

export const SANDBOX_CLAIM = 'sandbox_claim'

type Facts = { readonly name: string | null; readonly url: string; readonly minutes: number }

const WORDS: Readonly<Record<Language, (facts: Facts) => Letter>> = {
  en: ({ name, url, minutes }) => ({
    subject: 'Keep your assistant as a Tether workspace',
    heading: 'Keep the assistant that you tried',
    paragraphs: [
      `Somebody tried an assistant for a website and wants to keep it as ${name === null ? 'a workspace' : `the workspace “${name}”`} with this address.`,
      'The page that opens creates the workspace, confirms this address and shows the secret key once. What was read of the website moves along.',
    ],
    button: { label: 'Keep the assistant', url },
    small: [
      `The link works once, ${lasting(minutes, 'en')}. Opening it changes nothing yet: the page asks you to press a button.`,
      'If this was not you, do nothing. Then nothing is created, and the trial is deleted.',
    ],
  }),
  ka: ({ name, url, minutes }) => ({
    subject: 'შეინარჩუნეთ თქვენი ასისტენტი Tether-ში',
    heading: 'შეინარჩუნეთ მოსინჯული ასისტენტი',
    paragraphs: [
      `ვიღაცამ მოსინჯა ვებგვერდის ასისტენტი და სურს, ამ მისამართით შეინახოს ${name === null ? 'სამუშაო სივრცედ' : `სამუშაო სივრცედ „${name}“`}.`,
      'გახსნილი გვერდი შექმნის სამუშაო სივრცეს, დაადასტურებს ამ მისამართს და საიდუმლო გასაღებს ერთხელ გაჩვენებთ. ვებგვერდიდან წაკითხული მასალა სივრცეში გადავა.',
    ],
    button: { label: 'ასისტენტის შენარჩუნება', url },
    small: [
      `ბმული მუშაობს ერთხელ, ${lasting(minutes, 'ka')}. მისი გახსნა ჯერ არაფერს ცვლის: გვერდზე ღილაკს უნდა დააჭიროთ.`,
      'თუ ეს თქვენ არ ყოფილხართ, ნურაფერს მოიმოქმედებთ: არაფერი შეიქმნება და მოსინჯული ასისტენტი წაიშლება.',
    ],
  }),
}

const Fields = z.object({
  claimId: z.string(),
  email: z.string(),
  name: z.string(),
  minutes: z.number(),
  expiresAt: z.number(),
})

export const previewLetters: readonly AnyMailKind[] = [
  anyKind({
    kind: SANDBOX_CLAIM,
    fields: Fields,
    async compose(house, { tenantId, language, fields: { claimId, email, name, minutes, expiresAt } }) {
      const row = await house.db.one(readSandbox, { tenantId })
      // A newer claim has replaced this one, or nothing is left to keep.
      if (row === undefined || row.isOver || row.claimId !== claimId || expiresAt <= house.clock.now()) return null
      const url = verifyLink(house, { email, name, language }, { content: [tenantId, claimId], expiresAt })
      return WORDS[language]({ name: namedInMail(name), url, minutes })
    },
  }),
]

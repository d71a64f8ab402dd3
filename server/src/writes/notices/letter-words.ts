import type { Language, Risk } from '@tether/contract'
import type { Letter } from '../../tenancy/mail/index.ts'

type Opening = Pick<Letter, 'subject' | 'heading' | 'paragraphs'>

type NoticeWords = {
  readonly one: (facts: { readonly workspace: string | null; readonly title: string }) => Opening
  readonly several: (facts: { readonly workspace: string | null; readonly count: number }) => Opening
  readonly button: string
  readonly risk: string
  readonly risks: Readonly<Record<Risk, string>>
  readonly runsOut: string
  readonly onThePage: string
  readonly argument: string
  readonly further: string
  readonly more: (count: number) => string
  readonly small: readonly string[]
}

export const WORDS: Readonly<Record<Language, NoticeWords>> = {
  en: {
    one: ({ workspace, title }) => ({
      subject: `Waits for you: ${title}`,
      heading: title,
      paragraphs: [
        `The assistant of ${workspace === null ? 'your workspace' : `“${workspace}”`} proposed this. Nothing has been done yet: it waits until somebody decides.`,
      ],
    }),
    several: ({ workspace, count }) => ({
      subject: `${count} proposals wait for you`,
      heading: `${count} proposals wait for you`,
      paragraphs: [
        `The assistant of ${workspace === null ? 'your workspace' : `“${workspace}”`} proposed these. Nothing has been done yet. Beside each stands when it runs out.`,
      ],
    }),
    button: 'Look at it',
    risk: 'Risk',
    risks: { low: 'low', elevated: 'elevated', high: 'high' },
    runsOut: 'Runs out',
    onThePage: 'shown on the page',
    argument: 'Another detail',
    further: 'Further details',
    more: (count) => `${count} more stand on the page.`,
    small: [
      'Opening the page decides nothing. There you sign in, see exactly what would be sent, and then decide.',
      'You get this because you may approve it. Which of these mails you get is your choice, on the same page under “Mails”.',
    ],
  },
  ka: {
    one: ({ workspace, title }) => ({
      subject: `თქვენს გადაწყვეტილებას ელოდება: ${title}`,
      heading: title,
      paragraphs: [
        `ეს შემოგთავაზათ ${workspace === null ? 'თქვენი სამუშაო სივრცის' : `„${workspace}“-ის`} ასისტენტმა. ჯერ არაფერი შესრულებულა: გადაწყვეტილებას ელოდება.`,
      ],
    }),
    several: ({ workspace, count }) => ({
      subject: `${count} შემოთავაზება თქვენს გადაწყვეტილებას ელოდება`,
      heading: `${count} შემოთავაზება თქვენს გადაწყვეტილებას ელოდება`,
      paragraphs: [
        `ესენი შემოგთავაზათ ${workspace === null ? 'თქვენი სამუშაო სივრცის' : `„${workspace}“-ის`} ასისტენტმა. ჯერ არაფერი შესრულებულა. თითოეულს გვერდით უწერია, როდის გაუვა ვადა.`,
      ],
    }),
    button: 'ნახვა',
    risk: 'რისკი',
    risks: { low: 'დაბალი', elevated: 'მომატებული', high: 'მაღალი' },
    runsOut: 'ვადა გადის',
    onThePage: 'იხილეთ გვერდზე',
    argument: 'კიდევ ერთი მონაცემი',
    further: 'სხვა მონაცემები',
    more: (count) => `კიდევ ${count} გვერდზეა.`,
    small: [
      'გვერდის გახსნა არაფერს წყვეტს. იქ შეხვალთ, ნახავთ, ზუსტად რა გაიგზავნება, და მერე გადაწყვეტთ.',
      'ამ წერილს იმიტომ იღებთ, რომ დამტკიცება შეგიძლიათ. რომელი წერილები მოგივიდეთ, იმავე გვერდზე აირჩევთ: „წერილები“.',
    ],
  },
}

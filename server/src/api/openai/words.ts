import type { Language } from '@tether/contract'

type OpenAiWords = {
  readonly waits: (actionId: string, until: string) => string
  readonly takenOver: string
  readonly unavailable: string
}

/** What only a reader needs who sees nothing but words. */
export const WORDS: Readonly<Record<Language, OpenAiWords>> = {
  en: {
    waits: (actionId, until) =>
      `**Not done yet**: it waits for a person to confirm it (\`${actionId}\`, until ${until}).`,
    takenOver: 'A person from the team has taken over and reads what you write. The assistant is silent meanwhile.',
    unavailable: 'The assistant is unavailable at the moment. Please try again later.',
  },
  ka: {
    waits: (actionId, until) =>
      `**ჯერ არ შესრულებულა**: ელოდება ადამიანის დადასტურებას (\`${actionId}\`, ვადა: ${until}).`,
    takenOver: 'საუბარი თანამშრომელმა გადაიბარა და თქვენს შეტყობინებებს კითხულობს. ამ დროს ასისტენტი არ პასუხობს.',
    unavailable: 'ასისტენტი ამჟამად მიუწვდომელია. გთხოვთ, სცადოთ მოგვიანებით.',
  },
}

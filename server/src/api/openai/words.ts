import type { Language } from '@tether/contract'

/** What only a reader needs who sees nothing but words. */
export const WORDS = {
  en: {
    waits: (actionId: string, until: string) =>
      `**Not done yet**: it waits for a person to confirm it (\`${actionId}\`, until ${until}).`,
    takenOver: 'A person from the team has taken over and reads what you write. The assistant is silent meanwhile.',
    unavailable: 'The assistant is unavailable at the moment. Please try again later.',
  },
  ka: {
    waits: (actionId: string, until: string) =>
      `**ჯერ არ შესრულებულა**: ელოდება ადამიანის დადასტურებას (\`${actionId}\`, ვადა: ${until}).`,
    takenOver: 'საუბარი თანამშრომელმა გადაიბარა და თქვენს შეტყობინებებს კითხულობს. ამ დროს ასისტენტი არ პასუხობს.',
    unavailable: 'ასისტენტი ამჟამად მიუწვდომელია. გთხოვთ, სცადოთ მოგვიანებით.',
  },
} satisfies Record<Language, object>

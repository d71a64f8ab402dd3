import type { Language } from '@tether/contract'

/** What the service itself says in an answer, besides the model. */
export const WORDS = {
  en: {
    /** For a proposal that this caller may confirm. */
    waitsForYou: 'An action was proposed and waits for your confirmation. Nothing has been changed yet.',
    /** For a proposal that somebody at the business confirms. */
    waitsForOthers:
      'An action was proposed and waits for somebody at the business to confirm it. Nothing has been changed yet.',
    /** Comes before either, if the answer claims that it is done. */
    notDone: 'It is not done yet, whatever the answer above says.',
    /** For an answer that claims a change although none was even proposed. */
    nothingProposed: 'This answer took and proposed no action. Nothing has been changed.',
    unavailable: 'The assistant is unavailable at the moment. Please try again later.',
    noAnswer: 'I could not find an answer to that.',
    refused: 'I cannot help with that.',
  },
  ka: {
    waitsForYou: 'მოქმედება შეთავაზებულია და თქვენს დადასტურებას ელოდება. ჯერ არაფერი შეცვლილა.',
    waitsForOthers:
      'მოქმედება შეთავაზებულია და ელოდება, რომ მას ბიზნესის წარმომადგენელი დაადასტურებს. ჯერ არაფერი შეცვლილა.',
    notDone: 'ეს ჯერ არ შესრულებულა, რაც არ უნდა ეწეროს პასუხში.',
    nothingProposed: 'ამ პასუხში არც ერთი მოქმედება არ შესრულებულა და არც შეთავაზებულა: არაფერი შეცვლილა.',
    unavailable: 'ასისტენტი ამჟამად მიუწვდომელია. გთხოვთ, სცადოთ მოგვიანებით.',
    noAnswer: 'სამწუხაროდ, ამაზე პასუხი ვერ მოვძებნე.',
    refused: 'ამაში ვერ დაგეხმარებით.',
  },
} satisfies Record<Language, Record<string, string>>

import type { Ui } from './ui.ts'
import type { Words } from './words.ts'

/** The words of the second file. Their names are public like the others, and a page may replace them in the same way. */
const EN = {
  helpful: 'Helpful',
  unhelpful: 'Not helpful',
  comment: 'Why?',
  thanks: 'Thank you.',
  writes: '{} writes:',
  takenOver: 'A person from the team has taken over and reads what you write.',
  noModel: 'No language model is set up here. Answers come from matching words.',
}

export type MoreWords = typeof EN & Words

const KA: typeof EN = {
  helpful: 'სასარგებლოა',
  unhelpful: 'არ არის სასარგებლო',
  comment: 'რატომ?',
  thanks: 'გმადლობთ.',
  writes: '{} წერს:',
  takenOver: 'საუბარი თანამშრომელმა გადაიბარა და თქვენს შეტყობინებებს კითხულობს.',
  noModel: 'აქ ენობრივი მოდელი არ არის ჩართული. პასუხები სიტყვების დამთხვევით მოიძებნება.',
}

export const moreWords = ({ language, words }: Pick<Ui, 'language' | 'words'>): MoreWords => ({
  ...(language() === 'ka' ? KA : EN),
  ...words(),
})

// Text from strangers, made comparable.

// More than Unicode's own stream-safe form allows (UAX 15, D4), and more than any language stacks on one letter.
const LONG_STACK = /\p{M}{31,}/gu
const MOST_MARKS = 30

/**
 * `normalize`, for text of any length: to order the marks on one letter takes the square of their number, and half a million
 * of them hold the process for more than a minute. Of a longer stack the first ones are kept.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replace(LONG_STACK, (marks) => [...marks].slice(0, MOST_MARKS).join('')).normalize(form)

// Unicode's stream-safe form allows 30 (UAX 15, D4), and no language stacks as many marks on one letter. Two letters become
// marks under NFKC; text.test.ts looks through all of Unicode for a third.
const LONG_STACK = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * `normalize` in bounded time. Ordering the marks on one letter takes time in the square of their number, and half a
 * million of them hold the process for more than a minute. We keep the first marks of a longer stack.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_STACK, '$1').normalize(form)

// Makes text from strangers comparable.

// Unicode's stream-safe form allows 30 (UAX 15, D4), and no language stacks as many marks on one letter. Two letters become
// marks under NFKC; text.test.ts looks through all of Unicode for a third.
const LONG_STACK = /[\p{M}\uff9e\uff9f]{31,}/gu
const MOST_MARKS = 30

/**
 * `normalize` in bounded time. Ordering the marks on one letter takes time in the square of their number, and half a
 * million of them hold the process for more than a minute. We keep the first marks of a longer stack.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_STACK, (marks) => [...marks].slice(0, MOST_MARKS).join('')).normalize(form)

/** Cuts the text into pieces of at most this many units, and never within a character. */
export function* piecesOf(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isHalf = (text.codePointAt(from + most - 1) ?? 0) > 0xffff
    const to = from + most - (isHalf ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

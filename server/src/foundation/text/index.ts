// Text from strangers, made comparable.

// What Unicode orders on one letter: marks, and the two letters that become marks under NFKC. text.test.ts looks through all
// of Unicode for a third. Thirty is what Unicode's own stream-safe form allows (UAX 15, D4), and more than any language stacks.
const LONG_STACK = /[\p{M}\uff9e\uff9f]{31,}/gu
const MOST_MARKS = 30

/**
 * `normalize`, for text of any length: to order the marks on one letter takes the square of their number, and half a million
 * of them hold the process for more than a minute. Of a longer stack the first ones are kept.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC'): string =>
  text.replace(LONG_STACK, (marks) => [...marks].slice(0, MOST_MARKS).join('')).normalize(form)

/** The text in pieces of so many units or one less: no character is cut in two. */
export function* piecesOf(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isHalf = (text.codePointAt(from + most - 1) ?? 0) > 0xffff
    const to = from + most - (isHalf ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

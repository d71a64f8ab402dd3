/** Cuts the text into pieces of at most this many units, and never within a character. */
export function* piecesOf(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const isHalf = (text.codePointAt(from + most - 1) ?? 0) > 0xffff
    const to = from + most - (isHalf ? 1 : 0)
    yield text.slice(from, to)
    from = to
  }
}

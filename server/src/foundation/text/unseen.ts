/** What displays the rest of a line in another order, or not at all. A run of one sign is one match, and the sign is its group. */
export const UNSEEN = /([\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![\n\t])\p{Cc})\1*/gu

/** A run of such a sign by its code, and with its length where it is longer than one. */
export function codeOfSign(sign: string, run: string): string {
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return run.length === sign.length ? code : `${code} ×${run.length / sign.length}`
}

/** A text from outside, in which every such sign is told in brackets. */
export const withSignsTold = (text: string): string =>
  text.replace(UNSEEN, (run, sign: string) => `[${codeOfSign(sign, run)}]`)

/** The same on one line, for a terminal: nothing in it moves the cursor, or looks like a line of ours. */
export const onOneLine = (text: string): string => withSignsTold(text.replace(/[\r\n\t]+/g, ' '))

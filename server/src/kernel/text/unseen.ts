// Characters that are not displayed, or that display the rest of a line in another order. Whoever writes a text for people passes
// text from outside through here, so that it shows each of them by its code.

const SIGN = String.raw`[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]|(?!\r\n|[\n\t])\p{Cc}`

// Some texts need such characters. They stay where they change what is drawn, so that they can hide nothing.
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`
const FLAG = (...tags: readonly string[]) => tags.map((tag) => String.raw`\u{e00${tag}}`).join('')
/** Letters of Arabic script that join the next one, which a non-joiner prevents. */
const JOINING = '\u0626\u0628\u062a-\u062e\u0633-\u063a\u0641-\u0647\u0649\u064a\u067e\u0686\u06a9\u06af\u06cc'
/** A virama joins two consonants of a script of India, and a joiner says how. */
const VIRAMA = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca'
const DRAWN = [
  String.raw`${PICTURE}(?:\u200d${PICTURE})*`,
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // The flags of England, Scotland and Wales. Other tags can spell any text.
  String.raw`\u{1f3f4}(?:${[FLAG('65', '6e', '67'), FLAG('73', '63', '74'), FLAG('77', '6c', '73')]
    .map((land) => FLAG('67', '62') + land + FLAG('7f'))
    .join('|')})`,
  String.raw`[${JOINING}]\p{M}*\u200c(?=\p{Script=Arabic})`,
  String.raw`[${VIRAMA}][\u200c\u200d](?=\p{L})`,
]
// The flags come before other pictures, because their first character is one.
const PATTERN = new RegExp(`${DRAWN.toReversed().join('|')}|(?<sign>${SIGN})\\k<sign>*`, 'gu')

/** A run of one such character. */
type UnseenRun = { readonly run: string; readonly sign: string; readonly index: number }

export function* unseenIn(text: string): Generator<UnseenRun> {
  for (const { 0: run, index, groups } of text.matchAll(PATTERN)) {
    const sign = groups?.sign
    if (sign !== undefined) yield { run, sign, index }
  }
}

/** A run of such a sign by its code, and with its length where it is longer than one. */
export function codeOfSign(sign: string, run: string): string {
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return run.length === sign.length ? code : `${code} ×${run.length / sign.length}`
}

/** A text from outside, in which every such sign is told in brackets. */
export const withSignsTold = (text: string): string =>
  text.replace(PATTERN, (run: string, ...found: unknown[]) => {
    // The cast is true because the groups come last, and the pattern has one.
    const { sign } = found.at(-1) as { sign: string | undefined }
    return sign === undefined ? run : `[${codeOfSign(sign, run)}]`
  })

const LINE_BREAKS = /[\r\n\t\v\f\u0085\u2028\u2029]+/g

/** The same on one line, for a terminal or a summary: nothing in it moves the cursor, or looks like a line of ours. */
export const onOneLine = (text: string): string => withSignsTold(text.replace(LINE_BREAKS, ' '))

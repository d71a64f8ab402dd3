// Small parts that several pages show.
import { type Html, html } from '../../kernel/html/index.ts'
import { codeOfSign, unseenIn, withSignsTold } from '../../kernel/text/index.ts'

/** The server says the time in UTC; the script of the page says it in the reader's own. */
export const instant = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

/** Whoever writes a text must not make the page heavy: so many are set apart, and the others stand in brackets. */
const MOST_APART = 200

/** A text from outside, with every sign that would not be seen, or would turn the order of the others, shown as such. */
export function seen(text: string): readonly (Html | string)[] {
  const parts: (Html | string)[] = []
  let from = 0
  for (const { run, sign, index } of unseenIn(text)) {
    if (parts.length >= 2 * MOST_APART) break
    parts.push(text.slice(from, index), html`<span class="sign">${codeOfSign(sign, run)}</span>`)
    from = index + run.length
  }
  return [...parts, withSignsTold(text.slice(from))]
}

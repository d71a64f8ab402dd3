// Small parts that several pages show.
import type { Risk } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { seen } from '../kit/index.ts'
import type { Words } from './words-en.ts'

const MINUTE = 60_000

export const riskBadge = (risk: Risk, { risk: names }: Words): Html =>
  html`<span class="risk ${risk}">${names[risk]}</span>`

export const minutesUntil = (at: Date, now: number): number => Math.max(0, Math.floor((at.getTime() - now) / MINUTE))

const LONG = 400

/** Nothing is cut: what is long folds, and says how long it is. */
export function value(text: string, { card }: Words): Html {
  if (text.length <= LONG) return html`<span class="value">${seen(text)}</span>`
  const count = [...text].length
  return html`<details class="long"><summary>${seen(text.slice(0, 80))}… (${card.characters(count)})</summary><span class="value">${seen(text)}</span></details>`
}

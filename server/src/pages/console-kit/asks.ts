// What the address of a page may ask. What it asks otherwise is refused, because a list that ignored it would show something else.
import type { Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { cut, member } from '../../kernel/json/index.ts'
import { seen } from '../kit/index.ts'
import type { Asks } from './page.ts'
import { note } from './parts.ts'
import { WORDS } from './words.ts'

export const PLACE = /^[1-9]\d{0,15}$/
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Query = Readonly<Record<string, string | undefined>>
type WrongAsk = { readonly name: string; readonly value: string; readonly known: readonly string[] }

/** The first thing that a page does not know. An empty value asks nothing. */
export function wrongAskOf(asks: Readonly<Record<string, Asks>>, query: Query): WrongAsk | null {
  for (const [name, judge] of Object.entries(asks)) {
    const value = member(query, name) ?? ''
    if (value === '' || judge === 'text') continue
    if (judge instanceof RegExp ? judge.test(value) : judge.includes(value)) continue
    return { name, value, known: judge instanceof RegExp ? [] : judge }
  }
  return null
}

const LONGEST_VALUE = 100

export function wrongAskNote(language: Language, { name, value, known }: WrongAsk): Html {
  const words = WORDS[language]
  const asked = html`<code>${seen(cut(`${name}=${value}`, LONGEST_VALUE))}</code>`
  return html`<p>${words.wrongAsk} ${asked} <code>invalid_request</code></p>${known.length > 0 && html`<p>${words.knownAsks} ${known.map((one, at) => html`${at > 0 && ', '}<code>${one}</code>`)}</p>`}`
}

/** In place of the list, which would be another one. */
export const refusedList = (language: Language, title: string, at: string, why: Html): Html =>
  html`<h1>${title}</h1>${note(false, why)}<p><a href="${at}">${WORDS[language].withoutFilters}</a></p>`

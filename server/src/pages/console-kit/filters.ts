// Filters stand in the address, so that a list can be sent to somebody else as it is.

import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { textField } from './parts.ts'

type Query = Readonly<Record<string, string | undefined>>

/** What a field says; undefined where it is empty. */
export const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim()

/** The address of a list as it is filtered; the same as `at` where it is not. */
export function filtered(
  at: string,
  query: Query,
  names: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams()
  for (const name of names) {
    const value = given(member(query, name))
    if (value !== undefined) asked.set(name, value)
  }
  for (const [name, value] of Object.entries(more)) asked.set(name, value)
  return asked.size === 0 ? at : `${at}?${asked}`
}

type FilterWords = { readonly from: string; readonly to: string; readonly show: string }

/** Every list is filtered by its period, too. */
export const filterForm = (at: string, query: Query, fields: readonly Html[], { from, to, show }: FilterWords): Html =>
  html`<form method="get" action="${at}" class="filters">
${fields.map((field) => html`<div>${field}</div>`)}
<div>${textField({ id: 'from', label: from, value: query.from ?? '', type: 'date' })}</div>
<div>${textField({ id: 'to', label: to, value: query.to ?? '', type: 'date' })}</div>
<button class="quiet">${show}</button></form>`

// The parts of an answer as somebody reads them afterwards. What a model wrote is text, and nothing else.

import type { Block } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import { member } from '../../kernel/json/index.ts'
import { seen } from '../kit/index.ts'

const text = (value: unknown): readonly (Html | string)[] =>
  seen(value === null || value === undefined ? '' : String(value))

const heading = (title: string | undefined): Html | false =>
  title !== undefined && html`<p><strong>${text(title)}</strong></p>`

export function blockPart(block: Block): Html {
  switch (block.type) {
    case 'text':
      return html`<p class="said">${text(block.markdown)}</p>`
    case 'kpi':
      return html`<p>${text(block.label)}: <strong>${text(block.value)} ${text(block.unit)}</strong></p>`
    case 'table':
      return html`${heading(block.title)}<table><tbody>${block.rows.map((row) => html`<tr>${block.columns.map(({ key }) => html`<td>${text(member(row, key))}</td>`)}</tr>`)}</tbody></table>`
    case 'ranked_list':
      return html`${heading(block.title)}<ol>${block.items.map(({ label, value, detail }) => html`<li>${text(label)} ${text(value)} <span class="meta">${text(detail)}</span></li>`)}</ol>`
    case 'stacked_bar':
      return html`${heading(block.title)}<ul>${block.categories.map((name, at) => html`<li>${text(name)}: ${block.series.map((one) => html`${text(one.name)} ${text(one.values[at])} `)}</li>`)}</ul>`
    case 'quick_replies':
      return html`<p class="meta">${block.replies.map(({ label }) => html`[${text(label)}] `)}</p>`
    case 'footnote':
      return html`<p class="meta">${text(block.text)} ${block.url !== undefined && html`<code>${text(block.url)}</code>`}</p>`
  }
}

import { h } from './h.ts'
import { inline } from './inline.ts'
import type { Ui } from './ui.ts'
import type { Cell } from './wire.ts'

export function drawTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  align: readonly (string | undefined)[],
  { show, words }: Ui,
): HTMLElement {
  const line = (tag: 'th' | 'td', cells: readonly Cell[]) =>
    h(
      'tr',
      {},
      // We never pad a row, because a few lines of text must not become a million cells.
      ...cells.map((cell, at) => {
        const right = align[at] === 'right' || typeof rows[0]?.[at] === 'number'
        return h(tag, { class: right && 'right' }, ...inline(show(cell)))
      }),
    )
  return h(
    'div',
    // Somebody without a mouse must be able to scroll a wide table, too.
    { class: 'wide', role: 'region', 'aria-label': title || words().table, tabindex: 0 },
    h(
      'table',
      {},
      title && h('caption', {}, title),
      h('thead', {}, line('th', head)),
      h('tbody', {}, ...rows.map((cells) => line('td', cells))),
    ),
  )
}

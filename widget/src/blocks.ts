// The seven kinds of block that an answer is made of.
import { button, type Child, h, own } from './h.ts'
import { link } from './link.ts'
import { markdown } from './markdown.ts'
import { drawTable } from './table.ts'
import type { Ui } from './ui.ts'
import type { Block, Cell } from './wire.ts'

/** A block that we cannot draw is shown as JSON, because we never drop a part of an answer. */
export function drawBlock(block: Block, ui: Ui): HTMLElement {
  try {
    return (own(BLOCKS, block.type) ?? text)(block, ui)
  } catch {
    return h('pre', { tabindex: 0 }, JSON.stringify(block))
  }
}

/** Draws text, and also any block of an unknown type, which we expect to contain text. */
const text = (block: Block, ui: Ui): HTMLElement =>
  h('div', { class: 'text' }, ...markdown(block.markdown ?? (block.text as string), ui))

const BLOCKS: Readonly<Record<string, (block: Block, ui: Ui) => HTMLElement>> = {
  text,
  kpi: ({ label, value, unit, delta, trend }, { show }) =>
    h(
      'dl',
      { class: 'card' },
      h('dt', {}, label),
      h(
        'dd',
        {},
        h('strong', {}, show(value)),
        unit && ` ${unit} `,
        delta != null && h('small', {}, trend === 'up' ? '▲ ' : trend === 'down' && '▼ ', show(delta)),
      ),
    ),
  table: ({ title, columns = [], rows = [] }, ui) =>
    drawTable(
      title ?? '',
      columns.map(({ label }) => label),
      rows.map((row) => columns.map(({ key }) => own(row, key))),
      columns.map(({ align }) => align),
      ui,
    ),
  ranked_list: ({ title, items = [] }, { show }) =>
    figure(
      title,
      h(
        'ol',
        {},
        ...items.map(({ label, value, detail, url }) =>
          h('li', {}, row(link(url, label), show(value)), detail && h('small', {}, detail)),
        ),
      ),
    ),
  stacked_bar: stackedBar,
  quick_replies: ({ replies = [] }, { ask }) =>
    h(
      'div',
      { class: 'replies' },
      ...replies.map(({ label, prompt }) => button(() => ask(prompt), { class: 'chip' }, label)),
    ),
  footnote: ({ text: words, url }) => h('p', {}, h('small', {}, link(url, words))),
}

const figure = (title: Child, content: Child): HTMLElement =>
  h('figure', { class: 'card' }, title && h('figcaption', {}, title), content)

const row = (label: Child, value: string): HTMLElement => h('div', { class: 'row' }, label, h('b', {}, value))

/** Every figure is also written beside its bar, so that nothing depends on colour alone. */
function stackedBar({ title, categories = [], series = [] }: Block, { show }: Ui): HTMLElement {
  const share = (cell: Cell) => Math.max(0, Number(cell))
  const totals = categories.map((_, at) => series.reduce((sum, { values }) => sum + share(values[at]), 0))
  const longest = Math.max(...totals, 1e-9)
  return figure(
    title,
    h(
      'ul',
      { class: 'bars' },
      ...categories.map((category, at) =>
        h(
          'li',
          {},
          // 0.1 + 0.2 is shown as 0.3.
          row(category, show(Number(totals[at]?.toPrecision(12)))),
          h(
            'div',
            { class: 'bar' },
            ...series.map(({ values }, index) => swatch(index, `${(share(values[at]) / longest) * 100}%`)),
          ),
          ...series.map(({ name, values }, index) =>
            h('small', {}, swatch(index), `${name} `, h('b', {}, show(values[at])), ' '),
          ),
        ),
      ),
    ),
  )
}

function swatch(index: number, width = ''): HTMLElement {
  const drawn = h('i')
  drawn.style.background = `hsl(${index * 137 + 175} 45% 45%)`
  drawn.style.width = width
  return drawn
}

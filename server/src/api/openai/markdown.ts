import type { Block, Language, Proposal } from '@tether/contract'
import { WORDS } from './words.ts'

type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>
type Cell = string | number | boolean | null | undefined

/** A figure of one line, which cannot end the line or the cell that it stands in. */
const inline = (value: Cell): string =>
  String(value ?? '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')

/** A block in the words of Markdown, for a program that draws nothing else. */
export function blockWords(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.markdown
    case 'kpi':
      return kpiWords(block)
    case 'table':
      return titled(block.title, table(block.columns.map(columnOf), block.rows.map(rowOf(block))))
    case 'ranked_list':
      return titled(block.title, block.items.map(itemWords).join('\n'))
    case 'stacked_bar':
      return titled(block.title, barWords(block))
    case 'quick_replies':
      return block.replies.map(({ prompt }) => `- ${inline(prompt)}`).join('\n')
    case 'footnote':
      return block.url === undefined ? `_${inline(block.text)}_` : `_${inline(block.text)}_ <${block.url}>`
  }
}

const titled = (title: string | undefined, words: string): string =>
  title === undefined || title === '' ? words : `**${inline(title)}**\n\n${words}`

const ARROWS = { up: ' ↑', down: ' ↓', flat: ' →' } as const

function kpiWords({ label, value, unit, delta, trend }: BlockOf<'kpi'>): string {
  const change = delta === undefined ? '' : ` (${inline(delta)})`
  return `**${inline(label)}:** ${inline(value)}${unit === undefined ? '' : ` ${inline(unit)}`}${change}${trend === undefined ? '' : ARROWS[trend]}`
}

type Column = { readonly label: string; readonly rule: string }

const RULES = { left: '---', right: '---:', center: ':---:' } as const
const columnOf = ({ label, align = 'left' }: BlockOf<'table'>['columns'][number]): Column => ({
  label,
  rule: RULES[align],
})
const rowOf =
  ({ columns }: BlockOf<'table'>) =>
  (row: Record<string, Cell>): Cell[] =>
    columns.map(({ key }) => (Object.hasOwn(row, key) ? row[key] : ''))

const table = (columns: readonly Column[], rows: readonly (readonly Cell[])[]): string =>
  [columns.map(({ label }) => inline(label)), columns.map(({ rule }) => rule), ...rows.map((row) => row.map(inline))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

function itemWords({ label, value, detail, url }: BlockOf<'ranked_list'>['items'][number], at: number): string {
  const figure = value === undefined ? '' : `: ${inline(value)}`
  return `${at + 1}. ${inline(label)}${figure}${detail === undefined ? '' : ` (${inline(detail)})`}${url === undefined ? '' : ` <${url}>`}`
}

const barWords = ({ categories, series }: BlockOf<'stacked_bar'>): string =>
  table(
    [{ label: '', rule: '---' }, ...series.map(({ name }) => ({ label: name, rule: '---:' }))],
    categories.map((category, at) => [category, ...series.map(({ values }) => values[at])]),
  )

/** A write that waits, for somebody who sees nothing but words. Its id finds it in the inbox. */
export function proposalWords({ title, summary, actionId, expiresAt }: Proposal, language: Language): string {
  const until = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`
  // Most summaries begin with what the write is called.
  const what = summary.startsWith(title) ? `**${inline(summary)}**` : `**${inline(title)}**: ${inline(summary)}`
  return `${what}\n\n${WORDS[language].waits(actionId, until)}`
}

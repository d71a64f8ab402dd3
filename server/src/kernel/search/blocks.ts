// The parts of a text that belong together: paragraphs, and in Markdown headings, tables and code.

import { turnOf, type Work } from '../json/index.ts'

export type TextFormat = 'text' | 'markdown'

export type Block = {
  /** In units of the text. A block takes the blank lines after it along. */
  readonly from: number
  readonly to: number
  /** Blocks of the same section may share a chunk. */
  readonly section: number
  readonly heading: string | null
  /** True for a table or code, which is cut between its lines only. */
  readonly isLines: boolean
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const TABLE_ROW = /^\s*\||\|.*\|/
const INDENTED = /^(?: {4}|\t)/
const MOST_HEADING = 300
const LONGEST_HEADING_LINE = 500

type Line = { readonly from: number; readonly to: number; readonly text: string }
type Kind = 'blank' | 'heading' | 'code' | 'table' | 'text'

/** In units of text, to which each line adds some. */
const A_TURN = 60_000
const A_LINE = 20

export function* blocksOf(text: string, format: TextFormat): Work<Block[]> {
  const isEnough = turnOf(A_TURN)
  const blocks: Block[] = []
  const path: string[] = []
  let [section, fence, last] = [0, undefined as string | undefined, 'blank' as Kind]
  // A heading belongs to what follows it: a chunk of headings alone would say nothing.
  let isHeadingOnly = false
  for (const line of linesOf(text)) {
    const [kind, open] =
      format === 'markdown' ? markdownKind(line.text, { fence, last }) : [plainKind(line.text), undefined]
    fence = open
    if (kind === 'heading') {
      enter(path, line.text)
      if (!isHeadingOnly) section++
    }
    const before = blocks.at(-1)
    const joins = kind === 'blank' || (before?.section === section && (kind === last || isHeadingOnly))
    const isLines = kind === 'code' || kind === 'table'
    const heading = path.length === 0 ? null : path.filter(Boolean).join(' > ').slice(0, MOST_HEADING) || null
    if (before !== undefined && joins) {
      const named = isHeadingOnly ? { heading, isLines } : {}
      blocks[blocks.length - 1] = { ...before, ...named, to: line.to }
    } else blocks.push({ from: line.from, to: line.to, section, heading, isLines })
    if (kind !== 'blank') isHeadingOnly = kind === 'heading'
    last = kind
    if (isEnough(line.text.length + A_LINE)) yield
  }
  return blocks
}

function* linesOf(text: string): Generator<Line> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end + 1
    yield { from, to, text: text.slice(from, end === -1 ? to : end).replace(/\r$/, '') }
    from = to
  }
}

const plainKind = (line: string): Kind => (line.trim() === '' ? 'blank' : 'text')

type Before = { readonly fence: string | undefined; readonly last: Kind }

/** The kind of a line, and the fence that is open after it. */
function markdownKind(line: string, { fence, last }: Before): [Kind, string | undefined] {
  const mark = FENCE.exec(line)?.[1]
  if (fence !== undefined) {
    const closes =
      mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length && /^\s*[`~]+\s*$/.test(line)
    return ['code', closes ? undefined : fence]
  }
  if (mark !== undefined) return ['code', mark]
  if (line.trim() === '') return ['blank', undefined]
  if (INDENTED.test(line) && last !== 'text' && last !== 'table') return ['code', undefined]
  if (line.length <= LONGEST_HEADING_LINE && HEADING.test(line)) return ['heading', undefined]
  return [TABLE_ROW.test(line) ? 'table' : 'text', undefined]
}

/** Replaces what is as deep as this heading or deeper. */
function enter(path: string[], line: string): void {
  const [, marks = '#', title = ''] = HEADING.exec(line) ?? []
  path.length = Math.min(path.length, marks.length - 1)
  while (path.length < marks.length - 1) path.push('')
  path.push(title.trim())
}

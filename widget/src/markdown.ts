// Reads a subset of Markdown into nodes. It never produces HTML text, so there is nothing to sanitise.
import { h } from './h.ts'
import { inline } from './inline.ts'
import { drawTable } from './table.ts'
import type { Ui } from './ui.ts'

const FENCE = /^ {0,3}```/
const HEADING = /^#+\s+(.*)/
const RULE = /^([-*_] *){3,}$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(.*)/
const DIVIDER = /^(?=.*-)[\s|:-]+$/
const DEEPEST = 5

export const markdown = (text: string, ui: Ui): Node[] => blocks(text.split(/\r\n?|\n/), ui, 0)

function blocks(lines: readonly string[], ui: Ui, depth: number): Node[] {
  const nodes: Node[] = []
  let at = 0
  const lineAt = (index: number): string => lines[index] ?? ''
  /** Takes this line, and the following ones for which `more` is true. */
  const take = (more: (line: string, index: number) => boolean): string[] => {
    const from = at++
    while (at < lines.length && more(lineAt(at), at)) at++
    return lines.slice(from, at)
  }
  const within = (inner: readonly string[]) =>
    depth < DEEPEST ? blocks(inner, ui, depth + 1) : [h('p', {}, inner.join('\n'))]
  const isTable = (index: number) =>
    lineAt(index).includes('|') && lineAt(index + 1).includes('|') && DIVIDER.test(lineAt(index + 1))
  while (at < lines.length) {
    const line = lineAt(at)
    const indent = indentOf(line)
    if (!line.trim()) at++
    else if (FENCE.test(line)) {
      const code = take((inner) => !FENCE.test(inner)).slice(1)
      at++
      nodes.push(h('pre', { tabindex: 0 }, code.join('\n')))
    } else if (RULE.test(line)) {
      at++
      nodes.push(h('hr'))
    } else if (HEADING.test(line)) {
      at++
      nodes.push(h('h3', {}, ...inline(line.replace(HEADING, '$1'))))
    } else if (QUOTE.test(line))
      nodes.push(
        h('blockquote', {}, ...within(take((inner) => QUOTE.test(inner)).map((inner) => inner.replace(QUOTE, '')))),
      )
    else if (ITEM.test(line)) {
      const belongs = (inner: string) => ITEM.test(inner) || indentOf(inner) > indent
      nodes.push(
        list(
          take((inner, index) => belongs(inner.trim() ? inner : lineAt(index + 1))),
          indent,
          within,
        ),
      )
    } else if (isTable(at)) {
      const [head = [], , ...rows] = take((inner) => inner.includes('|')).map(cells)
      nodes.push(drawTable('', head, rows, [], ui))
    } else {
      const ends = (inner: string, index: number) =>
        !inner.trim() || [FENCE, HEADING, QUOTE, ITEM].some((start) => start.test(inner)) || isTable(index)
      nodes.push(h('p', {}, ...inline(take((inner, index) => !ends(inner, index)).join('\n'))))
    }
  }
  return nodes
}

const indentOf = (line: string): number => line.search(/\S|$/)

const cells = (line: string): string[] =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim())

function list(lines: readonly string[], indent: number, within: (lines: readonly string[]) => Node[]): Node {
  const items: string[][] = []
  const [, start] = ITEM.exec(lines[0] ?? '') ?? []
  for (const line of lines) {
    if (ITEM.test(line) && indentOf(line) <= indent) items.push([line.replace(ITEM, '$2')])
    else items.at(-1)?.push(line.slice(Math.min(indentOf(line), indent + 2)))
  }
  return h(start ? 'ol' : 'ul', { start }, ...items.map((item) => h('li', {}, ...within(item))))
}

/**
 * Returns the length of a growing text that no longer changes: up to its last blank line, unless that is in a fence or in
 * a list. Only the rest has to be drawn again.
 */
export function settledLength(text: string, before: number): number {
  const at = text.lastIndexOf('\n\n') + 2
  const fences = text.slice(before, at).split(/^ *```/m).length - 1
  return at > before + 1 && fences % 2 === 0 && /^[^\s\d*+-]/.test(text.slice(at)) ? at : before
}

// A table names each thing once: what two branches both added stands there twice after the merge, and no other check sees it.
import { readFileSync } from 'node:fs'
import { findFiles } from './files.ts'

export const repeatedRows = (): string[] =>
  findFiles('**/*.md').flatMap((path) => rowFaults(path, readFileSync(path, 'utf8')))

/** A row is known by its first cell, within one table; an empty one goes on with the row above. */
export function rowFaults(path: string, text: string): string[] {
  let firsts = new Map<string, number>()
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    if (isCode || !line.startsWith('|')) {
      firsts = new Map()
      return []
    }
    const first = line.split(/(?<!\\)\|/)[1]?.trim() ?? ''
    const before = firsts.get(first)
    firsts.set(first, before ?? index + 1)
    if (before === undefined || first === '') return []
    return [
      `${path}:${index + 1}: "${first}" has a row already, in line ${before}. Make one row of the two, or leave the cell empty if this row goes on with the one above.`,
    ]
  })
}

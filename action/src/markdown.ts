// What others wrote (the document of an API, names of files, answers of servers) stands in a comment as code and as nothing else. Inside
// a code span GitHub reads no mention, link, HTML or reference; a list has no pipes that could end a cell.

/** No line of it ends, and nothing in it steers a terminal or turns the direction of what stands beside it. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim()

/** By code points, so that no letter is halved. */
export function cut(text: string, most: number): string {
  const letters = Array.from(text.slice(0, most * 4))
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}

const LONGEST = 120

export function code(text: string, most = LONGEST): string {
  // A reader of Markdown gives up on fences that are too long, and then the text would be read as Markdown.
  const line = cut(oneLine(text), most).replace(/`{4,}/g, '```')
  if (line === '') return '`(nothing)`'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${room}${line}${room}${fence}`
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

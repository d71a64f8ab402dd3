import { withSource } from './stated-numbers.ts'

const LONGEST_REPAIRED = 524_288
const BESIDE = 100

/**
 * The value of a block of JSON-LD, or undefined. What real pages get wrong is mended: each fault once, and only where it stops
 * the reading.
 */
export function parseJsonLd(text: string): unknown {
  let value = withSource(text)
  if (value !== undefined || text.length > LONGEST_REPAIRED) return value
  let mended = text
  for (const mend of [unwrapped, withoutComments, withoutControls]) {
    mended = mend(mended)
    value = withSource(mended)
    if (value !== undefined) return value
  }
  return undefined
}

/** Without a comment before it, a comment or CDATA around it, or a semicolon behind it. */
function unwrapped(text: string): string {
  let inner = text.trim()
  const end = inner.startsWith('<!--') ? inner.indexOf('-->') : -1
  if (end !== -1 && /^\s*[[{]/.test(inner.slice(end + 3, end + BESIDE))) inner = inner.slice(end + 3)
  const begin = inner.slice(0, BESIDE).replace(/^<!--|^(?:\/\/|\/\*)?\s{0,9}<!\[CDATA\[(?:\s{0,9}\*\/)?/, '')
  inner = begin + inner.slice(BESIDE)
  const tail = inner
    .slice(-BESIDE)
    .replace(/(?:\/\/|\/\*)?\s{0,9}\]\]>(?:\s{0,9}\*\/)?\s*$|(?:\/\/)?\s{0,9}-->\s*$/, '')
  return inner.slice(0, -BESIDE) + tail.replace(/;\s*$/, '')
}

const withoutControls = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

/** Without comments, and without commas before a closing bracket, outside of strings. */
function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  // Between two of these signs nothing is left out, and so those parts are taken in one piece.
  const signs = /["/,]/g
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const end = text[sign.index] === '"' ? null : endOfLeftOut(text, sign.index)
    if (text[sign.index] === '"') signs.lastIndex = endOfString(text, sign.index)
    if (end === null) continue
    kept.push(text.slice(from, sign.index))
    from = end
    signs.lastIndex = end
  }
  return kept.join('') + text.slice(from)
}

function endOfLeftOut(text: string, at: number): number | null {
  if (text[at] === ',') return /^\s{0,999}[}\]]/.test(text.slice(at + 1, at + 1_001)) ? at + 1 : null
  const isBlock = text.startsWith('/*', at)
  if (!isBlock && !text.startsWith('//', at)) return null
  const end = text.indexOf(isBlock ? '*/' : '\n', at + 2)
  return end === -1 ? text.length : end + (isBlock ? 2 : 1)
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at + 1
  }
  return text.length
}

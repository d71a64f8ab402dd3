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
  for (let at = 0; at < text.length; ) {
    const end = endOfComment(text, at)
    if (end !== null) at = end
    else if (text[at] === '"') {
      const to = endOfString(text, at)
      kept.push(text.slice(at, to))
      at = to
    } else {
      const isLast = text[at] === ',' && /^\s{0,999}[}\]]/.test(text.slice(at + 1, at + 1_001))
      if (!isLast) kept.push(text[at] ?? '')
      at++
    }
  }
  return kept.join('')
}

function endOfComment(text: string, at: number): number | null {
  const isBlock = text.startsWith('/*', at)
  if (!isBlock && !text.startsWith('//', at)) return null
  const end = text.indexOf(isBlock ? '*/' : '\n', at + 2)
  return end === -1 ? text.length : end + (isBlock ? 2 : 1)
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

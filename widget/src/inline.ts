import { h } from './h.ts'
import { link } from './link.ts'

const DEEPEST = 5

// Each match is bounded, so that a text full of unclosed markers costs at most its length times the bound.
const INLINE = new RegExp(
  [
    '(?<!`)(`+)(?!`)(.{1,2000}?)(?<!`)\\1(?!`)',
    '(\\*\\*|(?<![\\p{L}\\p{N}])__)(?=\\S)(.{1,2000}?)\\3',
    '(?<![\\p{L}\\p{N}*_])([*_])(?=\\S)([^*_]{1,1000})\\5(?![\\p{L}\\p{N}])',
    '!?\\[([^[\\]]{0,500})\\]\\(([^)\\s]{1,2000})(?:\\s[^)]{0,200})?\\)',
    // A full stop after an address belongs to the sentence.
    '(https?:\\/\\/[^\\s<>()[\\]"\'`]{1,2000}(?<![.,;:!?]))',
  ].join('|'),
  'gsu',
)

export function inline(text: string, depth = 0): (Node | string)[] {
  if (depth > DEEPEST) return [text]
  const nodes: (Node | string)[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, , code, , strong, , em, words, href, bare] = match
    nodes.push(text.slice(from, match.index))
    from = match.index + all.length
    if (code) nodes.push(h('code', {}, code))
    else if (strong) nodes.push(h('strong', {}, ...inline(strong, depth + 1)))
    else if (em) nodes.push(h('em', {}, ...inline(em, depth + 1)))
    else nodes.push(link(href ?? bare, words || href || bare))
  }
  return [...nodes, text.slice(from)]
}

// Parses the regular expressions of JSON Schema (ECMA-262, Unicode mode) into a tree. It refuses whatever other engines
// would read differently, but accepts an unneeded backslash.
import { anyButLineEnd, type CharSet, complementOf, setOf, singleton, unionOf } from './char-set.ts'
import { readEscape } from './escapes.ts'
import { type Cursor, cursorOf, type Node, PatternFault, peek, takeIf, takePoint, takeWhile } from './syntax.ts'

/** Real patterns reach 22,000 characters (lists of font names). */
const longestPattern = 32_768
const deepestGroup = 100

export function parsePattern(source: string): Node {
  if (source.length > longestPattern) throw new PatternFault(`is longer than ${longestPattern} characters`)
  const cursor = cursorOf(source)
  const node = readChoice(cursor, 0)
  if (peek(cursor) !== undefined) throw new PatternFault('closes a group that was never opened')
  return node
}

function readChoice(cursor: Cursor, depth: number): Node {
  if (depth > deepestGroup) throw new PatternFault(`nests groups more than ${deepestGroup} deep`)
  const options = [readSequence(cursor, depth)]
  while (takeIf(cursor, '|')) options.push(readSequence(cursor, depth))
  const [only] = options
  return options.length === 1 && only ? only : { kind: 'choice', options }
}

function readSequence(cursor: Cursor, depth: number): Node {
  const items: Node[] = []
  for (let point = peek(cursor); point !== undefined && point !== '|' && point !== ')'; point = peek(cursor)) {
    items.push(readQuantified(cursor, depth))
  }
  return { kind: 'sequence', items }
}

function readQuantified(cursor: Cursor, depth: number): Node {
  const body = readAtom(cursor, depth)
  const point = peek(cursor)
  const bounds = point !== undefined && '*+?{'.includes(point) ? readQuantifier(cursor) : undefined
  if (!bounds) return body
  if (body.kind === 'assert') throw new PatternFault('repeats ^, $ or \\b, which match positions, not characters')
  takeIf(cursor, '?')
  return { kind: 'repeat', body, ...bounds }
}

function readQuantifier(cursor: Cursor): { min: number; max: number } | undefined {
  if (takeIf(cursor, '*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (takeIf(cursor, '+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  if (takeIf(cursor, '?')) return { min: 0, max: 1 }
  return readCounts(cursor)
}

/** Reads `{2}`, `{2,}` or `{2,5}`. Any other brace is an ordinary character. */
function readCounts(cursor: Cursor): { min: number; max: number } | undefined {
  const back = cursor.at
  if (!takeIf(cursor, '{')) return undefined
  const low = takeWhile(cursor, /\d/, 400)
  const open = takeIf(cursor, ',')
  const high = open ? takeWhile(cursor, /\d/, 400) : low
  if (low === '' || !takeIf(cursor, '}')) {
    cursor.at = back
    return undefined
  }
  const min = Number(low)
  const max = high === '' ? Number.POSITIVE_INFINITY : Number(high)
  if (min > max) throw new PatternFault(`asks for at least ${min} and at most ${max} repeats`)
  return { min, max }
}

function readAtom(cursor: Cursor, depth: number): Node {
  const point = takePoint(cursor)
  if (point === '^') return { kind: 'assert', test: 'start' }
  if (point === '$') return { kind: 'assert', test: 'end' }
  if (point === '.') return { kind: 'set', set: anyButLineEnd }
  if (point === '[') return { kind: 'set', set: readClass(cursor) }
  if (point === '(') return readGroup(cursor, depth)
  if (point === '\\') return readAtomEscape(cursor)
  if ('*+?'.includes(point)) throw new PatternFault(`has a "${point}" with nothing before it to repeat`)
  if (point === '{' && opensCount(cursor))
    throw new PatternFault('has a count in braces with nothing before it to repeat')
  return single(point.codePointAt(0) ?? 0)
}

/** True if the brace just read opens a count. */
function opensCount(cursor: Cursor): boolean {
  const probe = { points: cursor.points, at: cursor.at - 1 }
  return readCounts(probe) !== undefined
}

const asciiNodes = Array.from({ length: 128 }, (_, codePoint): Node => ({ kind: 'set', set: singleton(codePoint) }))
const single = (codePoint: number): Node => asciiNodes[codePoint] ?? { kind: 'set', set: singleton(codePoint) }

function readAtomEscape(cursor: Cursor): Node {
  if (takeIf(cursor, 'b')) return { kind: 'assert', test: 'boundary' }
  if (takeIf(cursor, 'B')) return { kind: 'assert', test: 'not_boundary' }
  const escaped = readEscape(cursor)
  return typeof escaped === 'number' ? single(escaped) : { kind: 'set', set: escaped }
}

function readGroup(cursor: Cursor, depth: number): Node {
  const look = readGroupKind(cursor)
  const body = readChoice(cursor, depth + 1)
  if (!takeIf(cursor, ')')) throw new PatternFault('opens a group that it does not close')
  return look ? { kind: 'look', ...look, body } : body
}

function readGroupKind(cursor: Cursor): { ahead: boolean; negated: boolean } | undefined {
  if (!takeIf(cursor, '?')) return undefined
  if (takeIf(cursor, ':')) return undefined
  if (takeIf(cursor, '=')) return { ahead: true, negated: false }
  if (takeIf(cursor, '!')) return { ahead: true, negated: true }
  if (takeIf(cursor, '<=')) return { ahead: false, negated: false }
  if (takeIf(cursor, '<!')) return { ahead: false, negated: true }
  if (takeIf(cursor, '<') && takeWhile(cursor, /[\p{ID_Continue}$]/u, 256) !== '' && takeIf(cursor, '>'))
    return undefined
  throw new PatternFault(
    'has a group of a kind that JSON Schema patterns (ECMA-262) do not have, such as an inline flag',
  )
}

function readClass(cursor: Cursor): CharSet {
  const negated = takeIf(cursor, '^')
  const sets: CharSet[] = []
  while (!takeIf(cursor, ']')) sets.push(readClassRange(cursor))
  const union = unionOf(sets)
  return negated ? complementOf(union) : union
}

function readClassRange(cursor: Cursor): CharSet {
  const first = readClassAtom(cursor)
  if (peek(cursor) !== '-' || peek(cursor, 1) === ']') return typeof first === 'number' ? singleton(first) : first
  cursor.at++
  const last = readClassAtom(cursor)
  // As in browsers without Unicode mode, [\w-.] is three things, not a broken range.
  if (typeof first !== 'number' || typeof last !== 'number') return unionOf([asSet(first), singleton(45), asSet(last)])
  if (first > last) throw new PatternFault('has a character range that runs backwards')
  return setOf([first, last])
}

const asSet = (atom: number | CharSet): CharSet => (typeof atom === 'number' ? singleton(atom) : atom)

function readClassAtom(cursor: Cursor): number | CharSet {
  const point = takePoint(cursor)
  if (point !== '\\') return point.codePointAt(0) ?? 0
  // Inside a class \b is a backspace.
  return takeIf(cursor, 'b') ? 8 : readEscape(cursor)
}
